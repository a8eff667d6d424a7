import { useQuery } from '@tanstack/react-query'
import { type AdminNode, checksQuery, type Finding } from '../../api/administration.ts'
import { useLiveAdministration } from '../../api/live-administration.ts'
import { Badge } from '../../components/Badge.tsx'
import { Button } from '../../components/Button.tsx'
import { Card } from '../../components/Page.tsx'
import { Skeleton } from '../../components/Skeleton.tsx'
import { ErrorState } from '../../components/States.tsx'
import { type Column, Table } from '../../components/Table.tsx'
import { formatDuration, formatNumber } from '../../format.ts'
import { Measurements } from './Measurements.tsx'

const LEVELS = { ok: 'Works', note: 'Note', error: 'Error' } as const

const NODE_COLUMNS: readonly Column<AdminNode>[] = [
  { id: 'name', label: 'Name', render: ({ name }) => name },
  { id: 'version', label: 'Version', render: ({ version }) => version },
  {
    id: 'uptime',
    label: 'Running for',
    render: ({ uptimeSeconds }) => formatDuration(uptimeSeconds),
  },
  {
    id: 'sessions',
    label: 'Sessions',
    isNumeric: true,
    render: ({ sessions }) => formatNumber(sessions),
  },
  {
    id: 'state',
    label: 'State',
    render: ({ isDraining }) =>
      isDraining ? <Badge tone="warning">Shutting down</Badge> : <Badge tone="success">Serving</Badge>,
  },
]

const TONES = { ok: 'success', note: 'warning', error: 'danger' } as const

const CHECK_COLUMNS: readonly Column<Finding>[] = [
  { id: 'part', label: 'Part', render: ({ part }) => part },
  {
    id: 'result',
    label: 'Result',
    render: ({ level }) => <Badge tone={TONES[level]}>{LEVELS[level]}</Badge>,
  },
  { id: 'text', label: 'Details', render: ({ text }) => text },
]

/** What needs attention first. */
const ORDER = { error: 0, note: 1, ok: 2 } as const

/** The nodes, the checks of every part and what the nodes measured. */
export function HealthPage() {
  const { nodes } = useLiveAdministration()
  return (
    <>
      <Card title="Nodes" description="The servers that form this cloud.">
        {nodes === undefined ? (
          <Skeleton shape="text" />
        ) : (
          <Table label="Nodes" rows={nodes} keyOf={({ name }) => name} columns={NODE_COLUMNS} />
        )}
      </Card>
      <Measurements />
      <Checks />
    </>
  )
}

function Checks() {
  const { data, error, isFetching, refetch } = useQuery(checksQuery)
  return (
    <Card title="Checks" description="Every configured part, as the command doctor checks it on this server.">
      {data !== undefined && (
        <Table
          label="Checks"
          rows={data.toSorted((one, other) => ORDER[one.level] - ORDER[other.level])}
          keyOf={({ part, text }) => `${part} ${text}`}
          columns={CHECK_COLUMNS}
        />
      )}
      {data === undefined && isFetching && <Skeleton shape="rows" label="Checking every part…" />}
      {error !== null && <ErrorState error={error} />}
      <div>
        <Button isPending={isFetching} onPress={() => void refetch()}>
          Check again
        </Button>
      </div>
    </Card>
  )
}
