import { type ReactNode, useId } from 'react'
import { formatNumber } from '../format.ts'
import styles from './charts.module.css'

/** What all charts have. */
export interface ChartProps {
  readonly title: string
  /** The chart in one sentence, for screen readers; a table has the details. */
  readonly summary: string
  readonly tone?: 'accent' | 'danger'
}

/** Where a chart draws its values. */
export interface PlotArea {
  readonly left: number
  readonly width: number
  readonly bottom: number
  /** Returns the y coordinate of a value. */
  readonly yOf: (value: number) => number
}

interface ChartFrameProps extends Omit<ChartProps, 'tone'> {
  /** The largest value, above 0. */
  readonly max: number
  /** Width of the numbers beside the lines, in units of the drawing. */
  readonly scaleWidth: number
  /** Below the first and the last value. */
  readonly labels: readonly [string | undefined, string | undefined]
  readonly children: (area: PlotArea) => ReactNode
}

/** Units of the drawing. */
const WIDTH = 360
const HEIGHT = 130
const AXIS_HEIGHT = 22
const TOP_MARGIN = 12

/**
 * The frame of a chart over time: title, lines from zero to a round number, and the labels of both ends. The numbers are
 * in a table beside it: pictures have no keyboard.
 */
export function ChartFrame({ title, summary, max, scaleWidth, labels, children }: ChartFrameProps) {
  const titleId = useId()
  const top = roundUp(max)
  const yOf = (value: number) => HEIGHT - (value / top) * (HEIGHT - TOP_MARGIN)
  const labelY = HEIGHT + AXIS_HEIGHT - 6
  return (
    <figure className={styles.chart} aria-labelledby={titleId}>
      <figcaption id={titleId}>{title}</figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT + AXIS_HEIGHT}`} role="img" aria-label={summary}>
        {[0, top / 2, top].map((value) => (
          <g key={value}>
            <line className={styles.line} x1={scaleWidth} x2={WIDTH} y1={yOf(value)} y2={yOf(value)} />
            <text className={styles.text} x={scaleWidth - 8} y={yOf(value) + 4} textAnchor="end">
              {formatNumber(value)}
            </text>
          </g>
        ))}
        {children({ left: scaleWidth, width: WIDTH - scaleWidth, bottom: HEIGHT, yOf })}
        <text className={styles.text} x={scaleWidth} y={labelY}>
          {labels[0]}
        </text>
        <text className={styles.text} x={WIDTH} y={labelY} textAnchor="end">
          {labels[1]}
        </text>
      </svg>
    </figure>
  )
}

/** Returns the next of the numbers 1, 2, 4, 6, 8, 10, 20, 40, …, whose half is round as well. @param value above 0 */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value))
  const step = [1, 2, 4, 6, 8, 10].find((factor) => factor * power >= value) ?? 10
  return step * power
}
