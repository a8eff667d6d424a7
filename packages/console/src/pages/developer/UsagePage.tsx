import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type AppUsageDay, usageQuery } from '../../api/developer.ts'
import { BarChart } from '../../components/BarChart.tsx'
import { LinkButton } from '../../components/LinkButton.tsx'
import { Card } from '../../components/Page.tsx'
import { QueryState } from '../../components/QueryState.tsx'
import { Select } from '../../components/Select.tsx'
import { EmptyState } from '../../components/States.tsx'
import { type Column, Table } from '../../components/Table.tsx'
import { Tabs } from '../../components/Tabs.tsx'
import { developer } from '../../texts/developer.ts'
import { formatDate, formatNumber } from '../../texts/format.ts'
import { useDeveloperApp } from './developer-app.ts'
import styles from './UsagePage.module.css'

const texts = developer.usage

const PERIODS = (['7', '30', '90'] as const).map((value) => ({ value, label: texts.days(Number(value)) }))

const MEASURES = ['users', 'sessions', 'errors'] as const
type Measure = (typeof MEASURES)[number]

const COLUMNS: readonly Column<AppUsageDay>[] = [
  { id: 'date', label: texts.day, render: ({ date }) => formatDate(date) },
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
  const [period, setPeriod] = useState<(typeof PERIODS)[number]['value']>('30')
  const usage = useQuery(usageQuery(packageName, Number(period)))
  return (
    <Card title={texts.title} description={texts.hint}>
      <div className={styles.bar}>
        <Select label={texts.period} options={PERIODS} value={period} onChange={setPeriod} />
      </div>
      <QueryState query={usage}>
        {({ installs, days }) => (
          <>
            <p>{texts.installs(installs)}</p>
            {days.every(({ sessions, errors }) => sessions + errors === 0) && (
              <EmptyState title={texts.empty.title}>
                <p>{texts.empty.hint}</p>
                <LinkButton to="/developer/apps/$packageName/first-app" params={{ packageName }}>
                  {developer.parts.firstApp}
                </LinkButton>
              </EmptyState>
            )}
            <Tabs
              label={texts.views}
              items={[
                { id: 'charts', title: texts.charts, content: <Charts days={days} /> },
                {
                  id: 'table',
                  title: texts.table,
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
  if (most === undefined || most[measure] === 0) return texts.nothing(name)
  return texts.summary(
    name,
    formatNumber(days.at(-1)?.[measure] ?? 0),
    formatNumber(most[measure]),
    formatDate(most.date),
  )
}
