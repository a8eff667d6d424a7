import { formatNumber } from '../format.ts'
import { ChartFrame, type ChartProps } from './ChartFrame.tsx'
import styles from './charts.module.css'

/** A bar. */
export interface Bar {
  /** Below the bar, such as a date. */
  readonly label: string
  readonly value: number
}

export interface BarChartProps extends ChartProps {
  readonly bars: readonly Bar[]
}

const SCALE_WIDTH = 36
const GAP = 0.25

/** Bars over time. */
export function BarChart({ title, summary, bars, tone = 'accent' }: BarChartProps) {
  return (
    <ChartFrame
      title={title}
      summary={summary}
      max={Math.max(2, ...bars.map(({ value }) => value))}
      scaleWidth={SCALE_WIDTH}
      labels={[bars.at(0)?.label, bars.at(-1)?.label]}
    >
      {({ left, width, bottom, yOf }) => {
        const step = width / Math.max(1, bars.length)
        return bars.map(({ label, value }, index) => (
          <rect
            key={label}
            className={styles[tone]}
            x={left + (index + GAP / 2) * step}
            y={yOf(value)}
            width={step * (1 - GAP)}
            height={bottom - yOf(value)}
          >
            <title>{`${label}: ${formatNumber(value)}`}</title>
          </rect>
        ))
      }}
    </ChartFrame>
  )
}
