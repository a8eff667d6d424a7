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
import { healthTexts } from './health.texts.ts'
import { Measurements } from './Measurements.tsx'

const { nodes: nodeTexts, checks: checkTexts } = healthTexts

const NODE_COLUMNS: readonly Column<AdminNode>[] = [
  { id: 'name', label: nodeTexts.columns.name, render: ({ name }) => name },
  { id: 'version', label: nodeTexts.columns.version, render: ({ version }) => version },
  {
    id: 'uptime',
    label: nodeTexts.columns.uptime,
    render: ({ uptimeSeconds }) => formatDuration(uptimeSeconds),
  },
  {
    id: 'sessions',
    label: nodeTexts.columns.sessions,
    isNumeric: true,
    render: ({ sessions }) => formatNumber(sessions),
  },
  {
    id: 'state',
    label: nodeTexts.columns.state,
    render: ({ isDraining }) =>
      isDraining ? (
        <Badge tone="warning">{nodeTexts.draining}</Badge>
      ) : (
        <Badge tone="success">{nodeTexts.serving}</Badge>
      ),
  },
]

const TONES = { ok: 'success', note: 'warning', error: 'danger' } as const

const CHECK_COLUMNS: readonly Column<Finding>[] = [
  { id: 'part', label: checkTexts.columns.part, render: ({ part }) => part },
  {
    id: 'result',
    label: checkTexts.columns.result,
    render: ({ level }) => <Badge tone={TONES[level]}>{checkTexts.levels[level]}</Badge>,
  },
  { id: 'text', label: checkTexts.columns.text, render: ({ text }) => text },
]

/** What needs attention first. */
const ORDER = { error: 0, note: 1, ok: 2 } as const

/** The nodes, the checks of every part and what the nodes measured. */
export function HealthPage() {
  const { nodes } = useLiveAdministration()
  return (
    <>
      <Card title={nodeTexts.title} description={nodeTexts.description}>
        {nodes === undefined ? (
          <Skeleton shape="text" />
        ) : (
          <Table label={nodeTexts.title} rows={nodes} keyOf={({ name }) => name} columns={NODE_COLUMNS} />
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
    <Card title={checkTexts.title} description={checkTexts.description}>
      {data !== undefined && (
        <Table
          label={checkTexts.title}
          rows={data.toSorted((one, other) => ORDER[one.level] - ORDER[other.level])}
          keyOf={({ part, text }) => `${part} ${text}`}
          columns={CHECK_COLUMNS}
        />
      )}
      {data === undefined && isFetching && <Skeleton shape="rows" label={checkTexts.loading} />}
      {error !== null && <ErrorState error={error} />}
      <div>
        <Button isPending={isFetching} onPress={() => void refetch()}>
          {checkTexts.again}
        </Button>
      </div>
    </Card>
  )
}
