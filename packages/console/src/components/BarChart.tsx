import { ChartFrame, type ChartProps } from './ChartFrame.tsx'
import { useTimeline } from './ChartTimeline.tsx'
import styles from './charts.module.css'

const GAP = 0.25

/** Bars over time. */
export function BarChart(props: ChartProps) {
  const { values, tone = 'accent' } = props
  const { moments } = useTimeline()
  const width = 1 / Math.max(1, moments.length)
  return (
    <ChartFrame {...props} atLeast={2}>
      {({ bottom, xOf, yOf }) =>
        moments.map(({ x, label }, index) => {
          const [left, right] = [xOf(x - (width * (1 - GAP)) / 2), xOf(x + (width * (1 - GAP)) / 2)]
          const y = yOf(values[index] ?? 0)
          return (
            <rect
              key={label}
              className={styles[tone]}
              x={left}
              y={y}
              width={right - left}
              height={bottom - y}
            />
          )
        })
      }
    </ChartFrame>
  )
}
