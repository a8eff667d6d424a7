import { useId } from 'react'
import { formatNumber } from '../texts/format.ts'
import { roundUp } from './chart-scale.ts'
import styles from './charts.module.css'

/** A bar. */
export interface Bar {
  /** Below the bar, such as a date. */
  readonly label: string
  readonly value: number
}

export interface BarChartProps {
  readonly title: string
  /** The chart in one sentence, for screen readers; a table has the details. */
  readonly summary: string
  readonly bars: readonly Bar[]
  readonly tone?: 'accent' | 'danger'
}

/** Units of the drawing. */
const WIDTH = 360
const HEIGHT = 130
const AXIS_HEIGHT = 22
const SCALE_WIDTH = 36
const GAP = 0.25

/** Bars over time, from zero to a round number. The numbers are in a table beside it: pictures have no keyboard. */
export function BarChart({ title, summary, bars, tone = 'accent' }: BarChartProps) {
  const titleId = useId()
  const top = roundUp(Math.max(2, ...bars.map(({ value }) => value)))
  const step = (WIDTH - SCALE_WIDTH) / Math.max(1, bars.length)
  const yOf = (value: number) => HEIGHT - (value / top) * (HEIGHT - 12)
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
        {bars.map(({ label, value }, index) => (
          <rect
            key={label}
            className={styles[tone]}
            x={SCALE_WIDTH + (index + GAP / 2) * step}
            y={yOf(value)}
            width={step * (1 - GAP)}
            height={HEIGHT - yOf(value)}
          >
            <title>{`${label}: ${formatNumber(value)}`}</title>
          </rect>
        ))}
        {[bars.at(0), bars.at(-1)].map((bar, index) => (
          <text
            key={bar?.label ?? index}
            className={styles.text}
            x={index === 0 ? SCALE_WIDTH : WIDTH}
            y={HEIGHT + AXIS_HEIGHT - 6}
            textAnchor={index === 0 ? 'start' : 'end'}
          >
            {bar?.label}
          </text>
        ))}
      </svg>
    </figure>
  )
}
