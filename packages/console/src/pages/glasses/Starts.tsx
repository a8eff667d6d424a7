import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { appLogsQuery } from '../../api/app-logs.ts'
import { Card } from '../../components/Page.tsx'
import { type AppStart, findStarts, type StartTimeline } from '../../simulator/start-timeline.ts'
import { formatClock } from '../../texts/format.ts'
import { glasses } from '../../texts/glasses.ts'
import styles from './Starts.module.css'

const texts = glasses.starts

/** Starts that are shown. */
const MAX_STARTS = 5

/** The latest starts of apps, each as a timeline. */
export function Starts({ noticed }: { readonly noticed: StartTimeline['moments'] }) {
  const packageNames = [...new Set(noticed.map(({ packageName }) => packageName))].sort()
  const logs = useQuery(appLogsQuery(packageNames, noticed.length))
  const starts = useMemo(() => findStarts(noticed, logs.data).slice(0, MAX_STARTS), [noticed, logs.data])
  return (
    <Card title={texts.title} description={texts.description}>
      {starts.length === 0 ? (
        <p className="muted">{texts.empty}</p>
      ) : (
        starts.map((start) => <Start key={`${start.packageName} ${start.moments[0]?.at}`} start={start} />)
      )}
    </Card>
  )
}

function Start({ start: { packageName, moments } }: { readonly start: AppStart }) {
  const first = moments[0]?.at ?? 0
  const total = Math.max((moments.at(-1)?.at ?? 0) - first, 1)
  return (
    <section className={styles.start} aria-label={packageName}>
      <h3>
        {packageName} <span className="muted">{formatClock(Math.floor(first))}</span>
      </h3>
      <ol>
        {moments.map(({ at, kind, detail }) => (
          <li key={`${at} ${kind}`}>
            <span>{texts.offset(at - first)}</span>
            <span>
              {texts.moments[kind]}
              {detail !== undefined && ` (${detail})`}
            </span>
            <meter aria-hidden min={0} max={total} value={at - first} />
          </li>
        ))}
      </ol>
    </section>
  )
}
