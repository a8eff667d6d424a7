import { useQuery } from '@tanstack/react-query'
import { usageQuery } from '../../api/developer.ts'
import { BarChart } from '../../components/BarChart.tsx'
import { LinkButton } from '../../components/Button.tsx'
import { ChartTimeline } from '../../components/ChartTimeline.tsx'
import { Card } from '../../components/Page.tsx'
import { Select } from '../../components/Select.tsx'
import { EmptyState, QueryState } from '../../components/States.tsx'
import { type Column, Table } from '../../components/Table.tsx'
import { Tabs } from '../../components/Tabs.tsx'
import { formatNumber, plural } from '../../format.ts'
import { useUrlChoice } from '../../url-state.ts'
import { useDeveloperApp } from './developer-app.ts'
import { placeDays, type UsedDay } from './used-days.ts'

const MEASURE_NAMES = { sessions: 'Sessions', errors: 'Errors', users: 'Users' } as const

const PERIODS = (['7', '30', '90'] as const).map((value) => ({ value, label: `Last ${value} days` }))

const MEASURES = ['sessions', 'errors', 'users'] as const
type Measure = (typeof MEASURES)[number]

const COLUMNS: readonly Column<UsedDay>[] = [
  { id: 'date', label: 'Day', render: ({ label }) => label },
  ...MEASURES.map((measure) => ({
    id: measure,
    label: MEASURE_NAMES[measure],
    isNumeric: true,
    render: (day: UsedDay) => formatNumber(day[measure]),
  })),
  { id: 'events', label: 'What happened', render: ({ events }) => [...new Set(events)].join(', ') },
]

/** Sessions, errors and users of the app on each day, with what happened to it, as charts or as a table. */
export function UsagePage() {
  const { packageName } = useDeveloperApp()
  const [period, setPeriod] = useUrlChoice('days', ['30', '7', '90'])
  const usage = useQuery(usageQuery(packageName, Number(period)))
  return (
    <Card
      title="Usage"
      description="Users for whom the app started, its starts, and its errors, by day (UTC)."
      actions={<Select label="Period" options={PERIODS} value={period} onChange={setPeriod} />}
    >
      <QueryState query={usage} skeleton="cards">
        {({ installs, ...used }) => {
          const { days, events } = placeDays(used.days, used.events)
          return (
            <>
              <p>
                {plural(installs, {
                  one: '1 user has it installed.',
                  other: `${formatNumber(installs)} users have it installed.`,
                })}
              </p>
              {days.every(({ sessions, errors }) => sessions + errors === 0) && (
                <EmptyState title="Nobody used the app in this period">
                  <p>Start it on your glasses, or publish it so that others find it.</p>
                  <LinkButton to="/developer/apps/$packageName/first-app" params={{ packageName }}>
                    First app
                  </LinkButton>
                </EmptyState>
              )}
              <Tabs
                name="view"
                label="Views of the usage"
                items={[
                  {
                    id: 'charts',
                    title: 'Charts',
                    content: (
                      <ChartTimeline
                        ends={[days.at(0)?.label ?? '', days.at(-1)?.label ?? '']}
                        moments={days}
                        events={events}
                      >
                        {MEASURES.map((measure) => (
                          <BarChart
                            key={measure}
                            title={MEASURE_NAMES[measure]}
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
                    title: 'Table',
                    content: (
                      <Table
                        label="Usage"
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
  const name = MEASURE_NAMES[measure]
  if (most === undefined || most[measure] === 0) return `${name}: none in this period`
  return `${name}: ${formatNumber(days.at(-1)?.[measure] ?? 0)} today, at most ${formatNumber(most[measure])} on ${most.label}`
}
