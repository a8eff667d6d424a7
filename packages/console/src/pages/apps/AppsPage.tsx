import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type App, appsQuery, installedQuery } from '../../api/apps.ts'
import { liveSessionQuery } from '../../api/live-session.ts'
import { Button } from '../../components/Button.tsx'
import { LinkButton } from '../../components/LinkButton.tsx'
import { Page } from '../../components/Page.tsx'
import { QueryState } from '../../components/QueryState.tsx'
import { SearchField } from '../../components/SearchField.tsx'
import { Select } from '../../components/Select.tsx'
import { EmptyState } from '../../components/States.tsx'
import { hardware, permissions } from '../../permissions.ts'
import { AppCard } from './AppCard.tsx'
import styles from './AppsPage.module.css'
import { GlassesStatus } from './GlassesStatus.tsx'
import { HARDWARE_FILTERS, PERMISSION_FILTERS, SHOW_FILTERS, type StoreSearch } from './store-search.ts'

const texts = {
  filters: {
    all: 'All apps',
    installed: 'Installed',
    running: 'Running',
    compatible: 'Works with my glasses',
  },
} as const

const ANY = 'any'
const SHOW_OPTIONS = SHOW_FILTERS.map((value) => ({ value, label: texts.filters[value] }))
const HARDWARE_OPTIONS = [
  { value: ANY, label: 'Any hardware' } as const,
  ...HARDWARE_FILTERS.map((value) => ({ value, label: hardware[value] })),
]
const PERMISSION_OPTIONS = [
  { value: ANY, label: 'Any permission' } as const,
  ...PERMISSION_FILTERS.map((value) => ({ value, label: permissions[value].name })),
]

/** The store: all apps that the user may see, with search and filters, which are part of the address. */
export function AppsPage() {
  const search = useSearch({ from: '/signed-in/store' })
  const navigate = useNavigate({ from: '/store' })
  const apps = useQuery(appsQuery)
  const installed = useQuery(installedQuery)
  const { data: session } = useQuery(liveSessionQuery)
  const isInstalled = (app: App) => installed.data?.has(app.packageName) ?? false
  const isRunning = (app: App) => session?.runningApps.includes(app.packageName) ?? app.is_running
  const change = (changed: StoreSearch) =>
    void navigate({ search: withoutDefaults({ ...search, ...changed }), replace: true })

  return (
    <Page title="Apps" description="Install apps and start them on your glasses.">
      <GlassesStatus />
      <div className={styles.controls}>
        <SearchField label="Search apps" value={search.q ?? ''} onChange={(q) => change({ q })} />
        <Select
          label="Show"
          options={SHOW_OPTIONS}
          value={search.show ?? 'all'}
          onChange={(show) => change({ show })}
        />
        <Select
          label="Needs"
          options={HARDWARE_OPTIONS}
          value={search.hardware ?? ANY}
          onChange={(value) => change({ hardware: value === ANY ? undefined : value })}
        />
        <Select
          label="Uses"
          options={PERMISSION_OPTIONS}
          value={search.permission ?? ANY}
          onChange={(value) => change({ permission: value === ANY ? undefined : value })}
        />
      </div>
      <QueryState query={apps}>
        {(all) => {
          const found = all
            .filter((app) =>
              matches(app, search, { isInstalled: isInstalled(app), isRunning: isRunning(app) }),
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
function uses({ permissions }: App, permission: NonNullable<StoreSearch['permission']>): boolean {
  return permissions.some(
    ({ type }) =>
      type === permission ||
      type === 'ALL' ||
      (type === 'NOTIFICATIONS' && permission === 'READ_NOTIFICATIONS'),
  )
}

function withoutDefaults({ q, show, hardware, permission }: StoreSearch): StoreSearch {
  return {
    ...(q && { q }),
    ...(show !== undefined && show !== 'all' && { show }),
    ...(hardware !== undefined && { hardware }),
    ...(permission !== undefined && { permission }),
  }
}

interface AppStates {
  readonly isInstalled: boolean
  readonly isRunning: boolean
}

/** Whether an app passes the filters, and each word of the search is in its name, description or package name. */
function matches(app: App, search: StoreSearch, { isInstalled, isRunning }: AppStates): boolean {
  const { q = '', show = 'all', hardware, permission } = search
  if (show === 'installed' && !isInstalled) return false
  if (show === 'running' && !isRunning) return false
  if (show === 'compatible' && !app.compatibility.isCompatible) return false
  if (hardware !== undefined && !app.requiredHardware.includes(hardware)) return false
  if (permission !== undefined && !uses(app, permission)) return false
  const text = `${app.name} ${app.description} ${app.packageName}`.toLowerCase()
  return q
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}
