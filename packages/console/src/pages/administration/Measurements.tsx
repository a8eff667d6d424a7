import { useQuery } from '@tanstack/react-query'
import { nodeEventsQuery, samplesQuery } from '../../api/administration.ts'
import { ChartTimeline } from '../../components/ChartTimeline.tsx'
import { LineChart } from '../../components/LineChart.tsx'
import { Card } from '../../components/Page.tsx'
import { QueryState } from '../../components/QueryState.tsx'
import { Select } from '../../components/Select.tsx'
import { EmptyState } from '../../components/States.tsx'
import { type Column, Table } from '../../components/Table.tsx'
import { Tabs } from '../../components/Tabs.tsx'
import { formatMinute, formatNumber } from '../../format.ts'
import { useUrlChoice } from '../../url-state.ts'
import { healthTexts } from './health.texts.ts'
import { combine, MEASURES, type Measured, type Moment } from './measured-moments.ts'

const { measurements: texts } = healthTexts

/** Values of a period that the cloud sends at most. */
const MAX_VALUES = 240

type Period = keyof typeof texts.periods
const PERIODS = Object.entries(texts.periods).map(([value, label]) => ({ value: value as Period, label }))

const COLUMNS: readonly Column<Moment>[] = [
  { id: 'at', label: texts.columns.at, render: ({ at }) => formatMinute(at) },
  ...MEASURES.map((measure) => ({
    id: measure,
    label: texts.measures[measure],
    isNumeric: true,
    render: ({ values }: Moment) => formatNumber(values[measure]),
  })),
  { id: 'events', label: texts.columns.events, render: ({ events }) => events.join(', ') },
]

/** What the nodes measured and what happened to them, as charts or as a table. */
export function Measurements() {
  const [period, setPeriod] = useUrlChoice('minutes', ['60', '360', '1440'])
  const samples = useQuery(samplesQuery(Number(period)))
  const { data: events = [] } = useQuery(nodeEventsQuery(Number(period)))
  return (
    <Card
      title={texts.title}
      description={texts.description}
      actions={<Select label={texts.period} options={PERIODS} value={period} onChange={setPeriod} />}
    >
      <QueryState query={samples} skeleton="cards">
        {(found) =>
          found.length === 0 ? (
            <EmptyState title={texts.empty.title}>
              <p>{texts.empty.hint}</p>
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
      label={texts.title}
      columns={COLUMNS}
      rows={measured.moments.toReversed()}
      keyOf={({ at }) => String(at)}
    />
  )
  return (
    <Tabs
      name="view"
      label={texts.views.label}
      items={[
        {
          id: 'charts',
          title: texts.views.charts,
          content: <Charts measured={measured} minutes={minutes} />,
        },
        { id: 'table', title: texts.views.table, content: table },
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
        const name = texts.measures[measure]
        const [latest, most] = [values.at(-1) ?? 0, Math.max(...values)]
        return (
          <LineChart
            key={measure}
            title={name}
            summary={texts.summary(name, formatNumber(latest), formatNumber(most))}
            values={values}
            gap={gap}
            tone={measure === 'failedRequests' ? 'danger' : 'accent'}
          />
        )
      })}
    </ChartTimeline>
  )
}
