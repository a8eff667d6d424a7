import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type App, appsQuery, installedQuery } from '../../api/apps.ts'
import { liveSessionQuery } from '../../api/live-session.ts'
import { Button } from '../../components/Button.tsx'
import { LinkButton } from '../../components/LinkButton.tsx'
import { Page } from '../../components/Page.tsx'
import { QueryState } from '../../components/QueryState.tsx'
import { SearchField } from '../../components/SearchField.tsx'
import { Select } from '../../components/Select.tsx'
import { EmptyState } from '../../components/States.tsx'
import { hardware as hardwareNames, permissions as permissionNames } from '../../permissions.ts'
import { useUrlChoice, useUrlText } from '../../url-state.ts'
import { AppCard } from './AppCard.tsx'
import styles from './AppsPage.module.css'
import { GlassesStatus } from './GlassesStatus.tsx'

const SHOWN = {
  all: 'All apps',
  installed: 'Installed',
  running: 'Running',
  compatible: 'Works with my glasses',
} as const
const SHOW = ['all', 'installed', 'running', 'compatible'] as const
const HARDWARE = [
  'any',
  'CAMERA',
  'DISPLAY',
  'MICROPHONE',
  'SPEAKER',
  'IMU',
  'BUTTON',
  'LIGHT',
  'WIFI',
] as const
const PERMISSION = [
  'any',
  'MICROPHONE',
  'CAMERA',
  'LOCATION',
  'BACKGROUND_LOCATION',
  'CALENDAR',
  'READ_NOTIFICATIONS',
  'POST_NOTIFICATIONS',
] as const

const SHOW_OPTIONS = SHOW.map((value) => ({ value, label: SHOWN[value] }))
const HARDWARE_OPTIONS = HARDWARE.map((value) => ({
  value,
  label: value === 'any' ? 'Any hardware' : hardwareNames[value],
}))
const PERMISSION_OPTIONS = PERMISSION.map((value) => ({
  value,
  label: value === 'any' ? 'Any permission' : permissionNames[value].name,
}))

/** The filters of the store; the values of the address. */
interface Filters {
  readonly q: string
  readonly show: (typeof SHOW)[number]
  readonly hardware: (typeof HARDWARE)[number]
  readonly permission: (typeof PERMISSION)[number]
}

/** The store: all apps that the user may see, with search and filters, which are part of the address. */
export function AppsPage() {
  const [q, setQ] = useUrlText('q')
  const [show, setShow] = useUrlChoice('show', SHOW)
  const [hardware, setHardware] = useUrlChoice('hardware', HARDWARE)
  const [permission, setPermission] = useUrlChoice('permission', PERMISSION)
  const navigate = useNavigate({ from: '/store' })
  const apps = useQuery(appsQuery)
  const installed = useQuery(installedQuery)
  const { data: session } = useQuery(liveSessionQuery)
  const isInstalled = (app: App) => installed.data?.has(app.packageName) ?? false
  const isRunning = (app: App) => session?.runningApps.includes(app.packageName) ?? app.is_running

  return (
    <Page title="Apps" description="Install apps and start them on your glasses.">
      <GlassesStatus />
      <div className={styles.controls}>
        <SearchField label="Search apps" value={q} onChange={setQ} />
        <Select label="Show" options={SHOW_OPTIONS} value={show} onChange={setShow} />
        <Select label="Needs" options={HARDWARE_OPTIONS} value={hardware} onChange={setHardware} />
        <Select label="Uses" options={PERMISSION_OPTIONS} value={permission} onChange={setPermission} />
      </div>
      <QueryState query={apps}>
        {(all) => {
          const found = all
            .filter((app) =>
              matches(
                app,
                { q, show, hardware, permission },
                { isInstalled: isInstalled(app), isRunning: isRunning(app) },
              ),
            )
            .toSorted((a, b) => Number(b.featured) - Number(a.featured) || a.name.localeCompare(b.name))
          if (found.length > 0) {
            return (
              <ul className={styles.grid}>
                {found.map((app) => (
                  <li key={app.packageName}>
                    <AppCard app={app} isInstalled={isInstalled(app)} />
                  </li>
                ))}
              </ul>
            )
          }
          return all.length === 0 ? (
            <EmptyState title="No apps yet">
              <p>Developers publish apps for this cloud. Make the first one yourself.</p>
              <LinkButton to="/developer/first-app" variant="primary">
                Make an app
              </LinkButton>
            </EmptyState>
          ) : (
            <EmptyState title="No app matches">
              <p>Change the search or the filters.</p>
              <Button onPress={() => void navigate({ search: {}, replace: true })}>Show all apps</Button>
            </EmptyState>
          )
        }}
      </QueryState>
    </Page>
  )
}

/** Whether a permission is among those of an app, some of which include others. */
function uses({ permissions }: App, permission: Filters['permission']): boolean {
  return permissions.some(
    ({ type }) =>
      type === permission ||
      type === 'ALL' ||
      (type === 'NOTIFICATIONS' && permission === 'READ_NOTIFICATIONS'),
  )
}

interface AppStates {
  readonly isInstalled: boolean
  readonly isRunning: boolean
}

/** Whether an app passes the filters, and each word of the search is in its name, description or package name. */
function matches(app: App, filters: Filters, { isInstalled, isRunning }: AppStates): boolean {
  const { q, show, hardware, permission } = filters
  if (show === 'installed' && !isInstalled) return false
  if (show === 'running' && !isRunning) return false
  if (show === 'compatible' && !app.compatibility.isCompatible) return false
  if (hardware !== 'any' && !app.requiredHardware.includes(hardware)) return false
  if (permission !== 'any' && !uses(app, permission)) return false
  const text = `${app.name} ${app.description} ${app.packageName}`.toLowerCase()
  return q
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}
