import { useQuery } from '@tanstack/react-query'
import { type SystemApp, settingsQuery, systemAppsQuery } from '../../api/administration.ts'
import { Badge } from '../../components/Badge.tsx'
import { Card } from '../../components/Page.tsx'
import { QueryState } from '../../components/QueryState.tsx'
import { type Column, Table } from '../../components/Table.tsx'
import { administration } from '../../texts/administration.ts'
import { AdministrationFrame } from './AdministrationFrame.tsx'
import styles from './SettingsPage.module.css'

const texts = administration.settings

/** A setting by its path in the configuration, such as `http.port`. */
interface Setting {
  readonly name: string
  readonly value: string
}

const SETTING_COLUMNS: readonly Column<Setting>[] = [
  { id: 'name', label: texts.columns.name, render: ({ name }) => <code>{name}</code> },
  {
    id: 'value',
    label: texts.columns.value,
    render: ({ value }) => <span className={styles.value}>{value}</span>,
  },
]

const APP_COLUMNS: readonly Column<SystemApp>[] = [
  {
    id: 'app',
    label: texts.appColumns.app,
    render: ({ name, packageName, isDashboard }) => (
      <>
        {name} <code>{packageName}</code> {isDashboard && <Badge>{texts.dashboard}</Badge>}
      </>
    ),
  },
  { id: 'server', label: texts.appColumns.server, render: ({ publicUrl = '–' }) => publicUrl },
  {
    id: 'state',
    label: texts.appColumns.state,
    render: ({ isRegistered, isServerDown }) => {
      if (!isRegistered) return <Badge tone="warning">{texts.notRegistered}</Badge>
      return isServerDown === true ? (
        <Badge tone="danger">{texts.serverDown}</Badge>
      ) : (
        <Badge tone="success">{texts.reachable}</Badge>
      )
    },
  },
]

/** The settings in force and the system apps they name. */
export function SettingsPage() {
  const settings = useQuery(settingsQuery)
  const systemApps = useQuery(systemAppsQuery)
  return (
    <AdministrationFrame>
      <Card title={texts.systemApps} description={texts.systemAppsHint}>
        <QueryState query={systemApps}>
          {(apps) =>
            apps.length === 0 ? (
              <p className="muted">{texts.noSystemApps}</p>
            ) : (
              <Table
                label={texts.systemApps}
                rows={apps}
                keyOf={({ packageName }) => packageName}
                columns={APP_COLUMNS}
              />
            )
          }
        </QueryState>
      </Card>
      <Card title={texts.title} description={texts.description}>
        <QueryState query={settings}>
          {(found) => (
            <Table
              label={texts.list}
              rows={flatten(found)}
              keyOf={({ name }) => name}
              columns={SETTING_COLUMNS}
            />
          )}
        </QueryState>
      </Card>
    </AdministrationFrame>
  )
}

/** Lists nested settings by their paths. */
function flatten(value: unknown, name = ''): Setting[] {
  if (value === null) return [{ name, value: texts.unset }]
  if (Array.isArray(value)) {
    const isPlain = value.every((each) => typeof each !== 'object')
    if (isPlain) return [{ name, value: value.length === 0 ? texts.unset : value.join(', ') }]
    return value.flatMap((each, index) => flatten(each, `${name}[${index}]`))
  }
  if (typeof value !== 'object') return [{ name, value: String(value) }]
  return Object.entries(value).flatMap(([key, each]) => flatten(each, name === '' ? key : `${name}.${key}`))
}
