import { useId } from 'react'
import { formatNumber } from '../texts/format.ts'
import { roundUp } from './chart-scale.ts'
import styles from './charts.module.css'

/** A value at a time. */
export interface Point {
  /** Epoch ms. */
  readonly at: number
  readonly value: number
}

export interface LineChartProps {
  readonly title: string
  /** The chart in one sentence, for screen readers; a table has the details. */
  readonly summary: string
  /** In the order of time. */
  readonly points: readonly Point[]
  /** Formats the first and the last time, below the chart. */
  readonly formatAt: (at: number) => string
  readonly tone?: 'accent' | 'danger'
  /** Values further apart than this are not connected, in ms. */
  readonly gapMs: number
}

/** Units of the drawing. */
const WIDTH = 360
const HEIGHT = 130
const AXIS_HEIGHT = 22
const SCALE_WIDTH = 48

/** A value over time, from zero to a round number. The numbers are in a table beside it: pictures have no keyboard. */
export function LineChart({ title, summary, points, formatAt, tone = 'accent', gapMs }: LineChartProps) {
  const titleId = useId()
  const top = roundUp(Math.max(1, ...points.map(({ value }) => value)))
  const [start, end] = [points.at(0)?.at ?? 0, points.at(-1)?.at ?? 0]
  const xOf = (at: number) => SCALE_WIDTH + ((at - start) / Math.max(1, end - start)) * (WIDTH - SCALE_WIDTH)
  const yOf = (value: number) => HEIGHT - (value / top) * (HEIGHT - 12)
  const path = points
    .map(({ at, value }, index) => {
      const before = points[index - 1]
      const isConnected = before !== undefined && at - before.at <= gapMs
      return `${isConnected ? 'L' : 'M'}${xOf(at).toFixed(1)} ${yOf(value).toFixed(1)}`
    })
    .join('')
  return (
    <figure className={styles.chart} aria-labelledby={titleId}>
      <figcaption id={titleId}>{title}</figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT + AXIS_HEIGHT}`} role="img" aria-label={summary}>
        {[0, top / 2, top].map((value) => (
          <g key={value}>
            <line className={styles.line} x1={SCALE_WIDTH} x2={WIDTH} y1={yOf(value)} y2={yOf(value)} />
            <text className={styles.text} x={SCALE_WIDTH - 8} y={yOf(value) + 4} textAnchor="end">
              {formatNumber(value)}
            </text>
          </g>
        ))}
        {/* Round ends make a single value visible. */}
        <path className={`${styles.curve} ${tone === 'danger' ? styles.dangerCurve : ''}`} d={path} />
        <text className={styles.text} x={SCALE_WIDTH} y={HEIGHT + AXIS_HEIGHT - 6}>
          {formatAt(start)}
        </text>
        <text className={styles.text} x={WIDTH} y={HEIGHT + AXIS_HEIGHT - 6} textAnchor="end">
          {formatAt(end)}
        </text>
      </svg>
    </figure>
  )
}
