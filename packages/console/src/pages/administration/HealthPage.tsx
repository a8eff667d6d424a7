import { useQuery } from '@tanstack/react-query'
import { type AdminNode, checksQuery, type Finding } from '../../api/administration.ts'
import { useLiveAdministration } from '../../api/live-administration.ts'
import { Badge } from '../../components/Badge.tsx'
import { Button } from '../../components/Button.tsx'
import { Card } from '../../components/Page.tsx'
import { ErrorState, Loading } from '../../components/States.tsx'
import { type Column, Table } from '../../components/Table.tsx'
import { administration } from '../../texts/administration.ts'
import { formatDuration, formatNumber } from '../../texts/format.ts'
import { AdministrationFrame } from './AdministrationFrame.tsx'
import { Measurements } from './Measurements.tsx'

const texts = administration.health

const NODE_COLUMNS: readonly Column<AdminNode>[] = [
  { id: 'name', label: texts.nodeColumns.name, render: ({ name }) => name },
  { id: 'version', label: texts.nodeColumns.version, render: ({ version }) => version },
  {
    id: 'uptime',
    label: texts.nodeColumns.uptime,
    render: ({ uptimeSeconds }) => formatDuration(uptimeSeconds),
  },
  {
    id: 'sessions',
    label: texts.nodeColumns.sessions,
    isNumeric: true,
    render: ({ sessions }) => formatNumber(sessions),
  },
  {
    id: 'state',
    label: texts.nodeColumns.state,
    render: ({ isDraining }) =>
      isDraining ? (
        <Badge tone="warning">{texts.draining}</Badge>
      ) : (
        <Badge tone="success">{texts.serving}</Badge>
      ),
  },
]

const TONES = { ok: 'success', note: 'warning', error: 'danger' } as const

const CHECK_COLUMNS: readonly Column<Finding>[] = [
  { id: 'part', label: texts.checkColumns.part, render: ({ part }) => part },
  {
    id: 'result',
    label: texts.checkColumns.result,
    render: ({ level }) => <Badge tone={TONES[level]}>{texts.levels[level]}</Badge>,
  },
  { id: 'text', label: texts.checkColumns.text, render: ({ text }) => text },
]

/** The nodes, the checks of every part and what the nodes measured. */
export function HealthPage() {
  const { nodes } = useLiveAdministration()
  return (
    <AdministrationFrame>
      <Card title={texts.nodes} description={texts.nodesHint}>
        {nodes === undefined ? (
          <Loading />
        ) : (
          <Table label={texts.nodes} rows={nodes} keyOf={({ name }) => name} columns={NODE_COLUMNS} />
        )}
      </Card>
      <Measurements />
      <Checks />
    </AdministrationFrame>
  )
}

function Checks() {
  const { data, error, isFetching, refetch } = useQuery(checksQuery)
  return (
    <Card title={texts.checks} description={texts.checksHint}>
      {data !== undefined && (
        <Table
          label={texts.checks}
          rows={data}
          keyOf={({ part, text }) => `${part} ${text}`}
          columns={CHECK_COLUMNS}
        />
      )}
      {data === undefined && isFetching && <Loading label={texts.checking} />}
      {error !== null && <ErrorState error={error} />}
      <div>
        <Button isPending={isFetching} onPress={() => void refetch()}>
          {texts.checkAgain}
        </Button>
      </div>
    </Card>
  )
}
