import type { CloudNode } from './cloud-node.ts'
import { LIVE_TOLERANCE, type MemoryTrend, memoryTrend, RESIDENT_TOLERANCE } from './memory-trend.ts'

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
