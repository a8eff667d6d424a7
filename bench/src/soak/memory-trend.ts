import { median } from '../statistics.ts'

/** Heap and caches of a process grow to their working size in this time; shorter warm-ups give no verdict. */
const MIN_WARM_UP_MS = 2 * 60_000

/** Growth that a flat process may show: pages that the allocator keeps. */
const MAX_GROWTH_BYTES = 32 * 1_024 * 1_024
const MAX_GROWTH_SHARE = 0.1

/** How resident memory developed after the warm-up. */
export interface MemoryTrend {
  readonly earlyBytes: number
  readonly lateBytes: number
  /** `undefined` if the run was too short for a verdict. */
  readonly isFlat: boolean | undefined
}

/**
 * Compares the medians of the second and the last quarter of the samples; the first quarter is the warm-up.
 * @param samples resident memory in bytes, at even intervals
 * @param durationMs duration of the run
 */
export function memoryTrend(samples: readonly number[], durationMs: number): MemoryTrend {
  const quarter = Math.floor(samples.length / 4)
  const earlyBytes = median(samples.slice(quarter, 2 * quarter))
  const lateBytes = median(samples.slice(-quarter))
  const limit = Math.max(MAX_GROWTH_BYTES, earlyBytes * MAX_GROWTH_SHARE)
  return {
    earlyBytes,
    lateBytes,
    isFlat: durationMs / 4 < MIN_WARM_UP_MS ? undefined : lateBytes - earlyBytes <= limit,
  }
}
