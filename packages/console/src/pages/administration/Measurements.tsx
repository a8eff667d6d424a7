import { useQuery } from '@tanstack/react-query'
import { type NodeSample, samplesQuery } from '../../api/administration.ts'
import { LineChart } from '../../components/LineChart.tsx'
import { Card } from '../../components/Page.tsx'
import { QueryState } from '../../components/QueryState.tsx'
import { Select } from '../../components/Select.tsx'
import { EmptyState } from '../../components/States.tsx'
import { type Column, Table } from '../../components/Table.tsx'
import { Tabs } from '../../components/Tabs.tsx'
import { formatMinute, formatNumber } from '../../format.ts'
import { useUrlChoice } from '../../url-state.ts'
import styles from './Measurements.module.css'

const texts = {
  periods: { '60': 'Last hour', '360': 'Last 6 hours', '1440': 'Last day' },
  measures: {
    sessions: 'Live sessions',
    sockets: 'Open sockets',
    requests: 'Requests a minute',
    failedRequests: 'Failed requests a minute',
    slowRequests: 'Requests over half a second, a minute',
    processors: 'Busy processors',
    eventLoop: 'Busy event loop, in percent',
    memory: 'Memory, in MB',
  },
} as const

type Measure = keyof typeof texts.measures
const MEASURES = Object.keys(texts.measures) as Measure[]

type Period = keyof typeof texts.periods
const PERIODS = Object.entries(texts.periods).map(([value, label]) => ({ value: value as Period, label }))

/** What all nodes measured at the same time. */
interface Moment {
  readonly at: number
  readonly values: Readonly<Record<Measure, number>>
}

/** The values of one node. */
const VALUES: Record<Measure, (sample: NodeSample) => number> = {
  sessions: ({ sessions }) => sessions,
  sockets: ({ glassesSockets, appSockets }) => glassesSockets + appSockets,
  requests: ({ requests }) => requests,
  failedRequests: ({ failedRequests }) => failedRequests,
  slowRequests: ({ slowRequests }) => slowRequests,
  processors: ({ processors }) => processors,
  eventLoop: ({ eventLoop }) => eventLoop * 100,
  memory: ({ memoryBytes }) => memoryBytes / 1024 ** 2,
}

const COLUMNS: readonly Column<Moment>[] = [
  { id: 'at', label: 'Time', render: ({ at }) => formatMinute(at) },
  ...MEASURES.map((measure) => ({
    id: measure,
    label: texts.measures[measure],
    isNumeric: true,
    render: ({ values }: Moment) => formatNumber(values[measure]),
  })),
]

/** What the nodes measured, as charts or as a table. */
export function Measurements() {
  const [period, setPeriod] = useUrlChoice('minutes', ['60', '360', '1440'])
  const samples = useQuery(samplesQuery(Number(period)))
  return (
    <Card title="Measurements" description="Of all nodes together, once a minute. They are kept for a day.">
      <div className={styles.bar}>
        <Select label="Period" options={PERIODS} value={period} onChange={setPeriod} />
      </div>
      <QueryState query={samples}>
        {(measured) => {
          const moments = combine(measured)
          if (moments.length === 0) {
            return (
              <EmptyState title="Nothing measured yet">
                <p>The first values appear two minutes after the start.</p>
              </EmptyState>
            )
          }
          const table = (
            <Table
              label="Measurements"
              columns={COLUMNS}
              rows={moments.toReversed()}
              keyOf={({ at }) => String(at)}
            />
          )
          return (
            <Tabs
              name="view"
              label="Views"
              items={[
                {
                  id: 'charts',
                  title: 'Charts',
                  content: <Charts moments={moments} minutes={Number(period)} />,
                },
                { id: 'table', title: 'Table', content: table },
              ]}
            />
          )
        }}
      </QueryState>
    </Card>
  )
}

function Charts({ moments, minutes }: { readonly moments: readonly Moment[]; readonly minutes: number }) {
  // Up to 240 values are shown of a period; after a pause of two the line is interrupted.
  const gapMs = Math.ceil(minutes / 240) * 2 * 60_000
  const charts = MEASURES.map((measure) => {
    const points = moments.map(({ at, values }) => ({ at, value: values[measure] }))
    const name = texts.measures[measure]
    const latest = formatNumber(points.at(-1)?.value ?? 0)
    const most = formatNumber(Math.max(...points.map(({ value }) => value)))
    return (
      <LineChart
        key={measure}
        title={name}
        summary={`${name}: ${latest} at last, at most ${most}`}
        points={points}
        formatAt={formatMinute}
        gapMs={gapMs}
        tone={measure === 'failedRequests' ? 'danger' : 'accent'}
      />
    )
  })
  return <div className={styles.charts}>{charts}</div>
}

/** Adds up the nodes; of event loops, the busiest counts. */
function combine(samples: readonly NodeSample[]): Moment[] {
  const moments = Map.groupBy(samples, ({ at }) => Date.parse(at))
  return [...moments].map(([at, nodes]) => {
    const total = (measure: Measure) => {
      const values = nodes.map(VALUES[measure])
      return measure === 'eventLoop' ? Math.max(...values) : values.reduce((sum, value) => sum + value, 0)
    }
    return {
      at,
      values: Object.fromEntries(MEASURES.map((measure) => [measure, total(measure)])) as Moment['values'],
    }
  })
}
