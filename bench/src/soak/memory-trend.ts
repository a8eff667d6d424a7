import { median } from '../statistics.ts'

/** Heap and caches of a process grow to their working size in this time; shorter warm-ups give no verdict. */
const MIN_WARM_UP_MS = 2 * 60_000

/** Growth that a flat process may show: pages that the allocator keeps. */
const MAX_GROWTH_BYTES = 32 * 1_024 * 1_024
const MAX_GROWTH_SHARE = 0.1

/** What a process used at a time. */
export interface MemorySample {
  /** Epoch ms. */
  readonly at: number
  readonly residentBytes: number
  /** Sessions that the process hosted. */
  readonly sessions: number
}

/** How resident memory developed after the warm-up. */
export interface MemoryTrend {
  readonly earlyBytes: number
  readonly lateBytes: number
  readonly earlySessions: number
  readonly lateSessions: number
  /** Growth from the second to the last quarter at a constant number of sessions. */
  readonly growthBytes: number
  /** `undefined` if the run was too short for a verdict. */
  readonly isFlat: boolean | undefined
}

/**
 * Compares the second and the last quarter of the samples; the first quarter is the warm-up.
 *
 * A node takes over the sessions of killed nodes, and its memory grows with them. So the growth is the partial regression of
 * memory on time: what time explains beside the number of sessions, which changes in steps.
 * @param samples at even intervals
 */
export function memoryTrend(samples: readonly MemorySample[]): MemoryTrend {
  const quarter = Math.floor(samples.length / 4)
  const [early, late] = [samples.slice(quarter, 2 * quarter), samples.slice(-quarter)]
  const durationMs = (samples.at(-1)?.at ?? 0) - (samples[0]?.at ?? 0)
  const earlyBytes = median(early.map(({ residentBytes }) => residentBytes))
  const bytesPerMs = growthRate(samples.slice(quarter))
  const growthBytes = bytesPerMs * (median(late.map(({ at }) => at)) - median(early.map(({ at }) => at)))
  const limit = Math.max(MAX_GROWTH_BYTES, earlyBytes * MAX_GROWTH_SHARE)
  return {
    earlyBytes,
    lateBytes: median(late.map(({ residentBytes }) => residentBytes)),
    earlySessions: median(early.map(({ sessions }) => sessions)),
    lateSessions: median(late.map(({ sessions }) => sessions)),
    growthBytes,
    isFlat: durationMs / 4 < MIN_WARM_UP_MS ? undefined : growthBytes <= limit,
  }
}

/** @returns bytes per ms at a constant number of sessions */
function growthRate(samples: readonly MemorySample[]): number {
  const times = centered(samples.map(({ at }) => at))
  const sessions = centered(samples.map(({ sessions }) => sessions))
  const bytes = centered(samples.map(({ residentBytes }) => residentBytes))
  const together = sumOfProducts(times, sessions)
  const determinant = sumOfProducts(times, times) * sumOfProducts(sessions, sessions) - together ** 2
  const bytesPerSession =
    (sumOfProducts(times, times) * sumOfProducts(sessions, bytes) - together * sumOfProducts(times, bytes)) /
    determinant
  // Sessions take no memory away: such a result is chance. There is none at all if their number never changed.
  if (!(bytesPerSession > 0)) return sumOfProducts(times, bytes) / sumOfProducts(times, times)
  return (
    (sumOfProducts(sessions, sessions) * sumOfProducts(times, bytes) -
      together * sumOfProducts(sessions, bytes)) /
    determinant
  )
}

function centered(values: readonly number[]): number[] {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  return values.map((value) => value - mean)
}

function sumOfProducts(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0)
}
