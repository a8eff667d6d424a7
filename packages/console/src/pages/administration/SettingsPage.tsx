import { useQuery } from '@tanstack/react-query'
import { type SystemApp, settingsQuery, systemAppsQuery } from '../../api/administration.ts'
import { Badge } from '../../components/Badge.tsx'
import { Card } from '../../components/Page.tsx'
import { QueryState } from '../../components/QueryState.tsx'
import { type Column, Table } from '../../components/Table.tsx'
import styles from './SettingsPage.module.css'

/** A setting by its path in the configuration, such as `http.port`. */
interface Setting {
  readonly name: string
  readonly value: string
}

const SETTING_COLUMNS: readonly Column<Setting>[] = [
  { id: 'name', label: 'Setting', render: ({ name }) => <code>{name}</code> },
  {
    id: 'value',
    label: 'Value',
    render: ({ value }) => <span className={styles.value}>{value}</span>,
  },
]

const APP_COLUMNS: readonly Column<SystemApp>[] = [
  {
    id: 'app',
    label: 'App',
    render: ({ name, packageName, isDashboard }) => (
      <>
        {name} <code>{packageName}</code> {isDashboard && <Badge>Dashboard</Badge>}
      </>
    ),
  },
  { id: 'server', label: 'App server', render: ({ publicUrl = '–' }) => publicUrl },
  {
    id: 'state',
    label: 'State',
    render: ({ isRegistered, isServerDown }) => {
      if (!isRegistered) return <Badge tone="warning">Not registered</Badge>
      return isServerDown === true ? (
        <Badge tone="danger">Does not answer</Badge>
      ) : (
        <Badge tone="success">Registered</Badge>
      )
    },
  },
]

/** The settings in force and the system apps they name. */
export function SettingsPage() {
  const settings = useQuery(settingsQuery)
  const systemApps = useQuery(systemAppsQuery)
  return (
    <>
      <Card
        title="System apps"
        description="Installed for every user by SYSTEM_APPS and SYSTEM_DASHBOARD_PACKAGE_NAME."
      >
        <QueryState query={systemApps}>
          {(apps) =>
            apps.length === 0 ? (
              <p className="muted">There are none.</p>
            ) : (
              <Table
                label="System apps"
                rows={apps}
                keyOf={({ packageName }) => packageName}
                columns={APP_COLUMNS}
              />
            )
          }
        </QueryState>
      </Card>
      <Card
        title="Settings in force"
        description="They are read from the environment when the server starts; docs/configuration.md describes each. Secrets are only shown as set."
      >
        <QueryState query={settings}>
          {(found) => (
            <Table
              label="Settings"
              rows={flatten(found)}
              keyOf={({ name }) => name}
              columns={SETTING_COLUMNS}
            />
          )}
        </QueryState>
      </Card>
    </>
  )
}

/** Lists nested settings by their paths. */
function flatten(value: unknown, name = ''): Setting[] {
  if (value === null) return [{ name, value: 'Not set' }]
  if (Array.isArray(value)) {
    const isPlain = value.every((each) => typeof each !== 'object')
    if (isPlain) return [{ name, value: value.length === 0 ? 'Not set' : value.join(', ') }]
    return value.flatMap((each, index) => flatten(each, `${name}[${index}]`))
  }
  if (typeof value !== 'object') return [{ name, value: String(value) }]
  return Object.entries(value).flatMap(([key, each]) => flatten(each, name === '' ? key : `${name}.${key}`))
}
