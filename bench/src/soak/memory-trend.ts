import { median } from '../statistics.ts'

/** Fewer samples give no verdict. */
const MIN_SAMPLES = 24

/** Growth that a flat process may show: pages that the allocator keeps. */
const MAX_GROWTH_BYTES = 32 * 1_024 * 1_024
const MAX_GROWTH_SHARE = 0.1

/** How resident memory developed after the warm-up. */
export interface MemoryTrend {
  readonly earlyBytes: number
  readonly lateBytes: number
  /** `undefined` if there are too few samples for a verdict. */
  readonly isFlat: boolean | undefined
}

/**
 * Compares the medians of the second and the last quarter of the samples; the first quarter is the warm-up.
 * @param samples resident memory in bytes, at even intervals
 */
export function memoryTrend(samples: readonly number[]): MemoryTrend {
  const quarter = Math.floor(samples.length / 4)
  const earlyBytes = median(samples.slice(quarter, 2 * quarter))
  const lateBytes = median(samples.slice(-quarter))
  const limit = Math.max(MAX_GROWTH_BYTES, earlyBytes * MAX_GROWTH_SHARE)
  return {
    earlyBytes,
    lateBytes,
    isFlat: samples.length < MIN_SAMPLES ? undefined : lateBytes - earlyBytes <= limit,
  }
}
