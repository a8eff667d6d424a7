import type { CSSProperties } from 'react'
import { formatMs } from '../../format.ts'
import { phasesOf } from '../../simulator/start-phases.ts'
import type { StartMoment } from '../../simulator/start-timeline.ts'
import styles from './StartPicture.module.css'

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

export interface StartPictureProps {
  readonly packageName: string
  readonly moments: readonly StartMoment[]
}

/** The phases of a start as bars on an axis of time; for screen readers a table. */
export function StartPicture({ packageName, moments }: StartPictureProps) {
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
