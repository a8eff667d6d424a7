import { useQuery } from '@tanstack/react-query'
import { usageQuery } from '../../api/developer.ts'
import { BarChart } from '../../components/BarChart.tsx'
import { ChartTimeline } from '../../components/ChartTimeline.tsx'
import { LinkButton } from '../../components/LinkButton.tsx'
import { Card } from '../../components/Page.tsx'
import { QueryState } from '../../components/QueryState.tsx'
import { Select } from '../../components/Select.tsx'
import { EmptyState } from '../../components/States.tsx'
import { type Column, Table } from '../../components/Table.tsx'
import { Tabs } from '../../components/Tabs.tsx'
import { formatNumber } from '../../format.ts'
import { useUrlChoice } from '../../url-state.ts'
import { useDeveloperApp } from './developer-app.ts'
import { usageTexts as texts } from './usage.texts.ts'
import { placeDays, type UsedDay } from './used-days.ts'

const PERIODS = (['7', '30', '90'] as const).map((value) => ({ value, label: texts.last(value) }))

const MEASURES = ['sessions', 'errors', 'users'] as const
type Measure = (typeof MEASURES)[number]

const COLUMNS: readonly Column<UsedDay>[] = [
  { id: 'date', label: texts.columns.day, render: ({ label }) => label },
  ...MEASURES.map((measure) => ({
    id: measure,
    label: texts.measures[measure],
    isNumeric: true,
    render: (day: UsedDay) => formatNumber(day[measure]),
  })),
  { id: 'events', label: texts.columns.events, render: ({ events }) => [...new Set(events)].join(', ') },
]

/** Sessions, errors and users of the app on each day, with what happened to it, as charts or as a table. */
export function UsagePage() {
  const { packageName } = useDeveloperApp()
  const [period, setPeriod] = useUrlChoice('days', ['30', '7', '90'])
  const usage = useQuery(usageQuery(packageName, Number(period)))
  return (
    <Card
      title={texts.title}
      description={texts.description}
      actions={<Select label={texts.period} options={PERIODS} value={period} onChange={setPeriod} />}
    >
      <QueryState query={usage} skeleton="cards">
        {({ installs, ...used }) => {
          const { days, events } = placeDays(used.days, used.events)
          return (
            <>
              <p>{texts.installs(installs)}</p>
              {days.every(({ sessions, errors }) => sessions + errors === 0) && (
                <EmptyState title={texts.empty.title}>
                  <p>{texts.empty.hint}</p>
                  <LinkButton to="/developer/apps/$packageName/first-app" params={{ packageName }}>
                    {texts.empty.firstApp}
                  </LinkButton>
                </EmptyState>
              )}
              <Tabs
                name="view"
                label={texts.views.label}
                items={[
                  {
                    id: 'charts',
                    title: texts.views.charts,
                    content: (
                      <ChartTimeline
                        ends={[days.at(0)?.label ?? '', days.at(-1)?.label ?? '']}
                        moments={days}
                        events={events}
                      >
                        {MEASURES.map((measure) => (
                          <BarChart
                            key={measure}
                            title={texts.measures[measure]}
                            summary={summaryOf(measure, days)}
                            values={days.map((day) => day[measure])}
                            tone={measure === 'errors' ? 'danger' : 'accent'}
                          />
                        ))}
                      </ChartTimeline>
                    ),
                  },
                  {
                    id: 'table',
                    title: texts.views.table,
                    content: (
                      <Table
                        label={texts.title}
                        columns={COLUMNS}
                        rows={days.toReversed()}
                        keyOf={({ date }) => date}
                      />
                    ),
                  },
                ]}
              />
            </>
          )
        }}
      </QueryState>
    </Card>
  )
}

function summaryOf(measure: Measure, days: readonly UsedDay[]): string {
  const most = days.reduce<UsedDay | undefined>(
    (best, day) => (best === undefined || day[measure] > best[measure] ? day : best),
    undefined,
  )
  const name = texts.measures[measure]
  if (most === undefined || most[measure] === 0) return texts.none(name)
  return texts.summary(name, days.at(-1)?.[measure] ?? 0, most[measure], most.label)
}
