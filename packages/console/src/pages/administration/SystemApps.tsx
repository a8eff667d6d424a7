import { useQuery } from '@tanstack/react-query'
import { type SystemApp, systemAppsQuery } from '../../api/administration.ts'
import { Badge } from '../../components/Badge.tsx'
import { Card } from '../../components/Page.tsx'
import { QueryState } from '../../components/States.tsx'
import { type Column, Table } from '../../components/Table.tsx'

const COLUMNS: readonly Column<SystemApp>[] = [
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

/** The apps that settings install for every user. */
export function SystemApps() {
  const systemApps = useQuery(systemAppsQuery)
  return (
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
              columns={COLUMNS}
            />
          )
        }
      </QueryState>
    </Card>
  )
}
