import { useQuery } from '@tanstack/react-query'
import { nodeEventsQuery, samplesQuery } from '../../api/administration.ts'
import { ChartTimeline } from '../../components/ChartTimeline.tsx'
import { LineChart } from '../../components/LineChart.tsx'
import { Card } from '../../components/Page.tsx'
import { Select } from '../../components/Select.tsx'
import { EmptyState, QueryState } from '../../components/States.tsx'
import { type Column, Table } from '../../components/Table.tsx'
import { Tabs } from '../../components/Tabs.tsx'
import { formatMinute, formatNumber } from '../../format.ts'
import { useUrlChoice } from '../../url-state.ts'
import { combine, MEASURE_NAMES, MEASURES, type Measured, type Moment } from './measured-moments.ts'

/** Values of a period that the cloud sends at most. */
const MAX_VALUES = 240

/** In minutes. */
const PERIODS = [
  { value: '60', label: 'Last hour' },
  { value: '360', label: 'Last 6 hours' },
  { value: '1440', label: 'Last day' },
] as const

const COLUMNS: readonly Column<Moment>[] = [
  { id: 'at', label: 'Time', render: ({ at }) => formatMinute(at) },
  ...MEASURES.map((measure) => ({
    id: measure,
    label: MEASURE_NAMES[measure],
    isNumeric: true,
    render: ({ values }: Moment) => formatNumber(values[measure]),
  })),
  { id: 'events', label: 'What happened', render: ({ events }) => events.join(', ') },
]

/** What the nodes measured and what happened to them, as charts or as a table. */
export function Measurements() {
  const [period, setPeriod] = useUrlChoice('minutes', ['60', '360', '1440'])
  const samples = useQuery(samplesQuery(Number(period)))
  const { data: events = [] } = useQuery(nodeEventsQuery(Number(period)))
  return (
    <Card
      title="Over time"
      description="Measured by all nodes together, once a minute, and kept for a day. Slow requests take over half a second."
      actions={<Select label="Period" options={PERIODS} value={period} onChange={setPeriod} />}
    >
      <QueryState query={samples} skeleton="cards">
        {(found) =>
          found.length === 0 ? (
            <EmptyState title="Nothing measured yet">
              <p>The first values appear two minutes after the start.</p>
            </EmptyState>
          ) : (
            <Views measured={combine(found, events)} minutes={Number(period)} />
          )
        }
      </QueryState>
    </Card>
  )
}

interface ViewsProps {
  readonly measured: Measured
  readonly minutes: number
}

function Views({ measured, minutes }: ViewsProps) {
  const table = (
    <Table
      label="Over time"
      columns={COLUMNS}
      rows={measured.moments.toReversed()}
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
          content: <Charts measured={measured} minutes={minutes} />,
        },
        { id: 'table', title: 'Table', content: table },
      ]}
    />
  )
}

function Charts({ measured: { moments, events, ends, durationMs }, minutes }: ViewsProps) {
  // After a pause of two values, the line is interrupted.
  const gap = (Math.ceil(minutes / MAX_VALUES) * 2 * 60_000) / durationMs
  return (
    <ChartTimeline ends={ends} moments={moments} events={events}>
      {MEASURES.map((measure) => {
        const values = moments.map((moment) => moment.values[measure])
        const name = MEASURE_NAMES[measure]
        const [latest, most] = [values.at(-1) ?? 0, Math.max(...values)]
        return (
          <LineChart
            key={measure}
            title={name}
            summary={`${name}: ${formatNumber(latest)} at last, at most ${formatNumber(most)}`}
            values={values}
            gap={gap}
            tone={measure === 'failedRequests' ? 'danger' : 'accent'}
          />
        )
      })}
    </ChartTimeline>
  )
}
