import { ChartFrame, type ChartProps } from './ChartFrame.tsx'
import styles from './charts.module.css'

/** A value at a time. */
export interface Point {
  /** Epoch ms. */
  readonly at: number
  readonly value: number
}

export interface LineChartProps extends ChartProps {
  /** In the order of time. */
  readonly points: readonly Point[]
  /** Formats the first and the last time, below the chart. */
  readonly formatAt: (at: number) => string
  /** Values further apart than this are not connected, in ms. */
  readonly gapMs: number
}

const SCALE_WIDTH = 48

/** A value over time. */
export function LineChart({ title, summary, points, formatAt, tone = 'accent', gapMs }: LineChartProps) {
  const [start, end] = [points.at(0)?.at ?? 0, points.at(-1)?.at ?? 0]
  return (
    <ChartFrame
      title={title}
      summary={summary}
      max={Math.max(1, ...points.map(({ value }) => value))}
      scaleWidth={SCALE_WIDTH}
      labels={[formatAt(start), formatAt(end)]}
    >
      {({ left, width, yOf }) => {
        const xOf = (at: number) => left + ((at - start) / Math.max(1, end - start)) * width
        const path = points
          .map(({ at, value }, index) => {
            const before = points[index - 1]
            const isConnected = before !== undefined && at - before.at <= gapMs
            return `${isConnected ? 'L' : 'M'}${xOf(at).toFixed(1)} ${yOf(value).toFixed(1)}`
          })
          .join('')
        // Round ends make a single value visible.
        return <path className={`${styles.curve} ${tone === 'danger' ? styles.dangerCurve : ''}`} d={path} />
      }}
    </ChartFrame>
  )
}
