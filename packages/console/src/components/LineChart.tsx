import { ChartFrame, type ChartProps } from './ChartFrame.tsx'
import { useTimeline } from './ChartTimeline.tsx'
import styles from './charts.module.css'

export interface LineChartProps extends ChartProps {
  /** Moments further apart than this part of the whole time are not connected. */
  readonly gap: number
}

/** A value over time. */
export function LineChart({ gap, ...props }: LineChartProps) {
  const { values, tone = 'accent' } = props
  const { moments } = useTimeline()
  return (
    <ChartFrame {...props} atLeast={1}>
      {({ bottom, xOf, yOf }) =>
        connected(moments, gap).map((run) => {
          const points = run.map((index) => {
            return `${xOf(moments[index]?.x ?? 0).toFixed(1)} ${yOf(values[index] ?? 0).toFixed(1)}`
          })
          const [first, last] = [run[0] ?? 0, run.at(-1) ?? 0]
          const ends = [last, first].map((index) => `${xOf(moments[index]?.x ?? 0).toFixed(1)} ${bottom}`)
          return (
            <g key={first}>
              <path className={styles[`${tone}Area`]} d={`M${[...points, ...ends].join('L')}z`} />
              {/* Round ends make a single value visible. */}
              <path className={styles[`${tone}Curve`]} d={`M${[...points, points.at(-1)].join('L')}`} />
            </g>
          )
        })
      }
    </ChartFrame>
  )
}

/** Groups the indices of moments that follow each other without a gap. */
function connected(moments: readonly { readonly x: number }[], gap: number): number[][] {
  const runs: number[][] = []
  for (const [index, { x }] of moments.entries()) {
    const before = moments[index - 1]
    if (before !== undefined && x - before.x <= gap) runs.at(-1)?.push(index)
    else runs.push([index])
  }
  return runs
}
