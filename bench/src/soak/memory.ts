import { median } from '../figure.ts'
import type { CloudNode } from './soak-cloud.ts'

/** Heap and caches of a process grow to their working size in this time; shorter warm-ups give no verdict. */
const MIN_WARM_UP_MS = 7 * 60_000

/** Growth that flat memory may show. */
export interface Tolerance {
  readonly bytes: number
  readonly share: number
}

const MEGABYTE = 1_024 * 1_024

/** Of memory in use: what was not collected yet. */
export const LIVE_TOLERANCE: Tolerance = { bytes: 32 * MEGABYTE, share: 0.1 }

/**
 * Of resident memory: the allocator keeps what was freed, until the largest of all bursts has happened. It kept 160 of 240 MB that a
 * node with 430 sessions had allocated natively (docs/capacity.md).
 */
export const RESIDENT_TOLERANCE: Tolerance = { bytes: 64 * MEGABYTE, share: 0.15 }

/** What a process used at a time. */
export interface MemorySample {
  /** Epoch ms. */
  readonly at: number
  readonly bytes: number
  /** Sessions that the process hosted. */
  readonly sessions: number
}

/** How memory developed after the warm-up. */
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
export function memoryTrend(samples: readonly MemorySample[], tolerance: Tolerance): MemoryTrend {
  const quarter = Math.floor(samples.length / 4)
  const [early, late] = [samples.slice(quarter, 2 * quarter), samples.slice(-quarter)]
  const durationMs = (samples.at(-1)?.at ?? 0) - (samples[0]?.at ?? 0)
  const earlyBytes = median(early.map(({ bytes }) => bytes))
  const bytesPerMs = growthRate(samples.slice(quarter))
  const growthBytes = bytesPerMs * (median(late.map(({ at }) => at)) - median(early.map(({ at }) => at)))
  const limit = Math.max(tolerance.bytes, earlyBytes * tolerance.share)
  return {
    earlyBytes,
    lateBytes: median(late.map(({ bytes }) => bytes)),
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
  const bytes = centered(samples.map(({ bytes }) => bytes))
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

/** What a process used while it ran. */
export interface ProcessLife {
  readonly node: string
  /** Epoch ms of the first and of the last sample. */
  readonly from: number
  readonly until: number
  readonly resident: MemoryTrend
  /** The heap and what it refers to outside of it. */
  readonly live: MemoryTrend
  /** Share of one core. */
  readonly processorShare: number
  readonly fileDescriptors: number
}

interface Sample {
  readonly at: number
  readonly residentBytes: number
  readonly liveBytes: number
  readonly sessions: number
  readonly processorSeconds: number
  readonly fileDescriptors: number
}

/** Shorter lives say nothing of memory. */
const MIN_SAMPLES = 8

/** Samples what the processes of the nodes use. */
export class ResourceSamples {
  /** The times of successful scheduled backups, epoch seconds. */
  readonly backups = new Set<number>()
  readonly #lives = new Map<string, { readonly node: string; readonly samples: Sample[] }>()

  /** Takes a sample of each node that answers. @returns megabytes by node, for the progress */
  async take(nodes: readonly CloudNode[]): Promise<string> {
    const texts = nodes.map(async (node) => {
      const key = `${node.name} ${node.starts}`
      const metrics = await node.metrics()
      if (!metrics || key !== `${node.name} ${node.starts}`) return `${node.name} away`
      const backup = metrics.get('backup_last_success_timestamp_seconds') ?? 0
      if (backup > 0) this.backups.add(backup)
      const residentBytes = metrics.get('process_resident_memory_bytes') ?? 0
      const sessions = metrics.get('user_sessions') ?? 0
      const life = this.#lives.get(key) ?? { node: node.name, samples: [] }
      this.#lives.set(key, life)
      life.samples.push({
        at: Date.now(),
        residentBytes,
        liveBytes:
          (metrics.get('nodejs_heap_size_used_bytes') ?? 0) +
          (metrics.get('nodejs_external_memory_bytes') ?? 0),
        sessions,
        processorSeconds: metrics.get('process_cpu_seconds_total') ?? 0,
        fileDescriptors: metrics.get('process_open_fds') ?? 0,
      })
      return `${node.name} ${toMegabytes(residentBytes)} MB ${sessions} sessions`
    })
    return (await Promise.all(texts)).join(', ')
  }

  /** The lives of processes that were long enough. */
  lives(): ProcessLife[] {
    return [...this.#lives.values()].flatMap(({ node, samples }) => {
      const [first, last] = [samples[0], samples.at(-1)]
      if (!first || !last || samples.length < MIN_SAMPLES) return []
      const seconds = (last.at - first.at) / 1_000
      return {
        node,
        from: first.at,
        until: last.at,
        resident: memoryTrend(
          samples.map(({ residentBytes: bytes, ...sample }) => ({ ...sample, bytes })),
          RESIDENT_TOLERANCE,
        ),
        live: memoryTrend(
          samples.map(({ liveBytes: bytes, ...sample }) => ({ ...sample, bytes })),
          LIVE_TOLERANCE,
        ),
        processorShare: (last.processorSeconds - first.processorSeconds) / seconds,
        fileDescriptors: last.fileDescriptors,
      }
    })
  }
}

export function toMegabytes(bytes: number): string {
  return (bytes / 1_024 / 1_024).toFixed(0)
}
