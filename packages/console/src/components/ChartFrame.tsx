import { type PointerEvent, type ReactNode, useId } from 'react'
import { formatNumber } from '../format.ts'
import { nearestMoment, useTimeline } from './ChartTimeline.tsx'
import styles from './charts.module.css'

/** What all charts have. */
export interface ChartProps {
  readonly title: string
  /** The chart in one sentence, for screen readers; a table has the details. */
  readonly summary: string
  /** One for each moment of the timeline. */
  readonly values: readonly number[]
  readonly tone?: 'accent' | 'danger'
}

/** Where a chart draws its values. */
export interface PlotArea {
  readonly bottom: number
  /** Returns the x coordinate of a place from 0 to 1. */
  readonly xOf: (x: number) => number
  /** Returns the y coordinate of a value. */
  readonly yOf: (value: number) => number
}

interface ChartFrameProps extends ChartProps {
  /** The least value that the scale reaches, above 0. */
  readonly atLeast: number
  readonly children: (area: PlotArea) => ReactNode
}

/** Units of the drawing. */
const WIDTH = 360
const HEIGHT = 120
const LEFT = 38
const AXIS_HEIGHT = 20
const TOP_MARGIN = 12
const MARK = 4

/**
 * The frame of a chart over time: title, the value at the moment that is pointed at, lines from zero to a round number,
 * marks of events, and the labels of both ends. The numbers are in a table beside it.
 */
export function ChartFrame({ title, summary, values, atLeast, tone = 'accent', children }: ChartFrameProps) {
  const titleId = useId()
  const { ends, moments, events, pointed, point } = useTimeline()
  const top = roundUp(Math.max(atLeast, ...values))
  const xOf = (x: number) => LEFT + x * (WIDTH - LEFT)
  const yOf = (value: number) => HEIGHT - (value / top) * (HEIGHT - TOP_MARGIN)
  const follow = ({ clientX, currentTarget }: PointerEvent<SVGSVGElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect()
    const x = (((clientX - left) / width) * WIDTH - LEFT) / (WIDTH - LEFT)
    point(nearestMoment(moments, x))
  }
  const shown = pointed ?? moments.length - 1
  const value = values[shown] ?? 0
  return (
    <figure className={styles.chart} aria-labelledby={titleId}>
      <figcaption>
        <span id={titleId}>{title}</span>
        <strong>{formatNumber(value)}</strong>
      </figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT + AXIS_HEIGHT}`}
        role="img"
        aria-label={summary}
        onPointerMove={follow}
        onPointerDown={follow}
        onPointerLeave={() => point(undefined)}
      >
        {[0, top / 2, top].map((line) => (
          <g key={line}>
            <line className={styles.line} x1={LEFT} x2={WIDTH} y1={yOf(line)} y2={yOf(line)} />
            <text className={styles.text} x={LEFT - 6} y={yOf(line) + 4} textAnchor="end">
              {formatNumber(line)}
            </text>
          </g>
        ))}
        {children({ bottom: HEIGHT, xOf, yOf })}
        {events.map(({ key, x, tone: eventTone }) => (
          <g key={key} className={styles[`${eventTone}Mark`]}>
            <line x1={xOf(x)} x2={xOf(x)} y1={TOP_MARGIN - MARK} y2={HEIGHT} />
            <path d={`M${xOf(x) - MARK} ${TOP_MARGIN - 2 * MARK}h${2 * MARK}l${-MARK} ${1.5 * MARK}z`} />
          </g>
        ))}
        {pointed !== undefined && (
          <g className={styles[`${tone}Pointer`]}>
            <line x1={xOf(moments[pointed]?.x ?? 0)} x2={xOf(moments[pointed]?.x ?? 0)} y1={0} y2={HEIGHT} />
            <circle cx={xOf(moments[pointed]?.x ?? 0)} cy={yOf(value)} r={3.5} />
          </g>
        )}
        <text className={styles.text} x={LEFT} y={HEIGHT + AXIS_HEIGHT - 5}>
          {ends[0]}
        </text>
        <text className={styles.text} x={WIDTH} y={HEIGHT + AXIS_HEIGHT - 5} textAnchor="end">
          {ends[1]}
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
