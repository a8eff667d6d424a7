import { useQuery } from '@tanstack/react-query'
import { type CSSProperties, useMemo } from 'react'
import { appLogsQuery } from '../../api/app-log.ts'
import { Card } from '../../components/Page.tsx'
import { formatClock, formatMs } from '../../format.ts'
import { phasesOf } from '../../simulator/start-phases.ts'
import {
  type AppStart,
  findStarts,
  type StartMoment,
  type StartTimeline,
} from '../../simulator/start-timeline.ts'
import styles from './Starts.module.css'

const MOMENTS = {
  requested: 'The console asked for the start',
  starting: 'The cloud started it',
  webhook: 'Webhook of the app',
  socket: 'The app connected its socket',
  running: 'The app is running',
  display: 'First content on the lens',
  answered: 'The start was answered',
  failed: 'The start failed',
} as const

/** Starts that are shown. */
const MAX_STARTS = 5

/** The latest starts of apps, each as a timeline. */
export function Starts({ noticed }: { readonly noticed: StartTimeline['moments'] }) {
  const packageNames = [...new Set(noticed.map(({ packageName }) => packageName))].sort()
  const logs = useQuery(appLogsQuery(packageNames, noticed.length))
  const starts = useMemo(() => findStarts(noticed, logs.data).slice(0, MAX_STARTS), [noticed, logs.data])
  return (
    <Card
      title="App starts"
      description="What happened when, as these glasses see it. For your own apps, also what the cloud logged."
    >
      {starts.length === 0 ? (
        <p className="muted">Start an app to see its timeline.</p>
      ) : (
        starts.map((start) => <Start key={`${start.packageName} ${start.moments[0]?.at}`} start={start} />)
      )}
    </Card>
  )
}

/** A start: what took how long as a picture, and every moment in words. */
function Start({ start: { packageName, moments } }: { readonly start: AppStart }) {
  const first = moments[0]?.at ?? 0
  return (
    <section className={styles.start} aria-label={packageName}>
      <h3>
        {packageName} <span className="muted">{formatClock(Math.floor(first))}</span>
      </h3>
      <StartPicture packageName={packageName} moments={moments} />
      <ol>
        {moments.map(({ at, kind, detail }) => (
          <li key={`${at} ${kind}`}>
            <span>+{formatMs(at - first)}</span>
            <span>{detail === undefined ? MOMENTS[kind] : `${MOMENTS[kind]} (${detail})`}</span>
          </li>
        ))}
      </ol>
    </section>
  )
}

const PHASES = {
  request: 'Request',
  webhook: 'Webhook',
  socket: 'Socket',
  running: 'Session',
  content: 'First content',
  response: 'Response',
  failure: 'Failure',
} as const

/** Numbers below the bars. */
const TICKS = [0, 0.5, 1]

interface StartPictureProps {
  readonly packageName: string
  readonly moments: readonly StartMoment[]
}

/** The phases of a start as bars on an axis of time; for screen readers a table. */
function StartPicture({ packageName, moments }: StartPictureProps) {
  const phases = phasesOf(moments)
  const total = Math.max(1, ...phases.map(({ to }) => to))
  if (phases.length === 0) return null
  return (
    <table className={styles.picture}>
      <caption className="visually-hidden">
        Start of {packageName}: {formatMs(total)} in all
      </caption>
      <colgroup>
        <col className={styles.names} />
        <col />
        <col className={styles.durations} />
      </colgroup>
      <tbody>
        {phases.map(({ kind, from, to }) => (
          <tr
            key={`${kind} ${from} ${to}`}
            title={`${PHASES[kind]}: ${formatMs(to - from)}, from ${formatMs(from)} to ${formatMs(to)}`}
          >
            <th scope="row">{PHASES[kind]}</th>
            <td className={styles.track}>
              <span className={`${styles.bar} ${styles[kind]}`} style={placeOf(from, to, total)} />
              <span className="visually-hidden">+{formatMs(from)}</span>
            </td>
            <td className={styles.duration}>{formatMs(to - from)}</td>
          </tr>
        ))}
      </tbody>
      <tfoot aria-hidden>
        <tr>
          <td />
          <td className={styles.axis}>
            {TICKS.map((share) => (
              <span key={share} style={{ left: `${share * 100}%` }}>
                {share === 1 ? formatMs(total) : Math.round(share * total)}
              </span>
            ))}
          </td>
          <td />
        </tr>
      </tfoot>
    </table>
  )
}

function placeOf(from: number, to: number, total: number): CSSProperties {
  return { left: `${(from / total) * 100}%`, width: `${((to - from) / total) * 100}%` }
}
