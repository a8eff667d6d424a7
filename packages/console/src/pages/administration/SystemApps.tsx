import { useQuery } from '@tanstack/react-query'
import { type SystemApp, systemAppsQuery } from '../../api/administration.ts'
import { Badge } from '../../components/Badge.tsx'
import { Card } from '../../components/Page.tsx'
import { QueryState } from '../../components/QueryState.tsx'
import { type Column, Table } from '../../components/Table.tsx'
import { settingsTexts } from './settings.texts.ts'

const texts = settingsTexts.systemApps

const COLUMNS: readonly Column<SystemApp>[] = [
  {
    id: 'app',
    label: texts.app,
    render: ({ name, packageName, isDashboard }) => (
      <>
        {name} <code>{packageName}</code> {isDashboard && <Badge>{texts.dashboard}</Badge>}
      </>
    ),
  },
  { id: 'server', label: texts.server, render: ({ publicUrl = texts.noServer }) => publicUrl },
  {
    id: 'state',
    label: texts.state,
    render: ({ isRegistered, isServerDown }) => {
      if (!isRegistered) return <Badge tone="warning">{texts.missing}</Badge>
      return isServerDown === true ? (
        <Badge tone="danger">{texts.down}</Badge>
      ) : (
        <Badge tone="success">{texts.registered}</Badge>
      )
    },
  },
]

/** The apps that settings install for every user. */
export function SystemApps() {
  const systemApps = useQuery(systemAppsQuery)
  return (
    <Card title={texts.title} description={texts.description}>
      <QueryState query={systemApps}>
        {(apps) =>
          apps.length === 0 ? (
            <p className="muted">{texts.none}</p>
          ) : (
            <Table
              label={texts.title}
              rows={apps}
              keyOf={({ packageName }) => packageName}
              columns={COLUMNS}
            />
          )
        }
      </QueryState>
    </Card>
  )
}
