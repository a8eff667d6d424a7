import { useQuery } from '@tanstack/react-query'
import { type AppUsageDay, usageQuery } from '../../api/developer.ts'
import { BarChart } from '../../components/BarChart.tsx'
import { LinkButton } from '../../components/LinkButton.tsx'
import { Card } from '../../components/Page.tsx'
import { QueryState } from '../../components/QueryState.tsx'
import { Select } from '../../components/Select.tsx'
import { EmptyState } from '../../components/States.tsx'
import { type Column, Table } from '../../components/Table.tsx'
import { Tabs } from '../../components/Tabs.tsx'
import { formatDate, formatNumber } from '../../format.ts'
import { useUrlChoice } from '../../url-state.ts'
import { useDeveloperApp } from './developer-app.ts'
import styles from './UsagePage.module.css'

const texts = {
  installs: (count: number) =>
    count === 1 ? '1 user has it installed.' : `${count} users have it installed.`,
  measures: { users: 'Users', sessions: 'Sessions', errors: 'Errors' },
} as const

const PERIODS = (['7', '30', '90'] as const).map((value) => ({ value, label: `Last ${value} days` }))

const MEASURES = ['users', 'sessions', 'errors'] as const
type Measure = (typeof MEASURES)[number]

const COLUMNS: readonly Column<AppUsageDay>[] = [
  { id: 'date', label: 'Day', render: ({ date }) => formatDate(date) },
  ...MEASURES.map((measure) => ({
    id: measure,
    label: texts.measures[measure],
    isNumeric: true,
    render: (day: AppUsageDay) => formatNumber(day[measure]),
  })),
]

/** Users, sessions and errors of the app on each day, as charts or as a table. */
export function UsagePage() {
  const { packageName } = useDeveloperApp()
  const [period, setPeriod] = useUrlChoice('days', ['30', '7', '90'])
  const usage = useQuery(usageQuery(packageName, Number(period)))
  return (
    <Card
      title="Usage"
      description="Users for whom the app started, its starts, and its errors, by day (UTC)."
    >
      <div className={styles.bar}>
        <Select label="Period" options={PERIODS} value={period} onChange={setPeriod} />
      </div>
      <QueryState query={usage}>
        {({ installs, days }) => (
          <>
            <p>{texts.installs(installs)}</p>
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
                { id: 'charts', title: 'Charts', content: <Charts days={days} /> },
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
        )}
      </QueryState>
    </Card>
  )
}

function Charts({ days }: { readonly days: readonly AppUsageDay[] }) {
  const charts = MEASURES.map((measure) => (
    <BarChart
      key={measure}
      title={texts.measures[measure]}
      summary={summaryOf(measure, days)}
      bars={days.map((day) => ({ label: formatDate(day.date), value: day[measure] }))}
      tone={measure === 'errors' ? 'danger' : 'accent'}
    />
  ))
  return <div className={styles.charts}>{charts}</div>
}

function summaryOf(measure: Measure, days: readonly AppUsageDay[]): string {
  const most = days.reduce<AppUsageDay | undefined>(
    (best, day) => (best === undefined || day[measure] > best[measure] ? day : best),
    undefined,
  )
  const name = texts.measures[measure]
  if (most === undefined || most[measure] === 0) return `${name}: none in this period`
  return `${name}: ${formatNumber(days.at(-1)?.[measure] ?? 0)} today, at most ${formatNumber(most[measure])} on ${formatDate(most.date)}`
}
