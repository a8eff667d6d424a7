import { type EventLoopUtilization, performance } from 'node:perf_hooks'
import type { Logger } from 'pino'
import type { BackgroundJob } from '../../feature.ts'
import type { Metrics, MetricTotals } from '../../http/metrics.ts'
import { PeriodicTask } from '../../jobs/index.ts'
import type { Clock } from '../../time/index.ts'
import type { Measurements, NodeSampleStore } from './node-sample-store.ts'

const INTERVAL_MS = 60_000

const KEEP_MS = 24 * 60 * 60_000

export interface NodeSamplerDeps {
  readonly store: NodeSampleStore
  readonly metrics: Metrics
  readonly clock: Clock
  readonly log: Logger
  /** Name of this node. */
  readonly node: string
}

interface Reading {
  readonly totals: MetricTotals
  readonly cpu: NodeJS.CpuUsage
  readonly loop: EventLoopUtilization
  readonly monotonicMs: number
}

/** The job that measures this node. */
export interface NodeSampler extends BackgroundJob {
  /** Resolves once no measurement is in progress. */
  idle(): Promise<void>
}

/** Stores what this node measures, once a minute, and deletes what is older than a day. */
export function createNodeSampler({ store, metrics, clock, log, node }: NodeSamplerDeps): NodeSampler {
  let before: Reading | undefined
  const task = new PeriodicTask({
    clock,
    everyMs: INTERVAL_MS,
    async run() {
      const reading = {
        totals: await metrics.totals(),
        cpu: process.cpuUsage(),
        loop: performance.eventLoopUtilization(),
        monotonicMs: clock.monotonicNow(),
      }
      const measurements = before && compare(before, reading)
      before = reading
      if (measurements === undefined) return
      await store.add(node, clock.now(), measurements)
      await store.removeBefore(clock.now() - KEEP_MS)
    },
    failed: (err) => log.error({ err }, 'administration: the measurements of this node could not be stored'),
  })
  return {
    start: (countFailure?: () => void) => task.start(countFailure),
    idle: () => task.idle(),
    stop: () => task.stop(),
  }
}

function compare(before: Reading, { totals, cpu, loop, monotonicMs }: Reading): Measurements {
  const since = (name: 'requests' | 'failedRequests' | 'slowRequests') => totals[name] - before.totals[name]
  const busyMs = (cpu.user + cpu.system - before.cpu.user - before.cpu.system) / 1_000
  return {
    sessions: totals.gauge('user_sessions'),
    glassesSockets: totals.gauge('glasses_sockets'),
    appSockets: totals.gauge('app_sockets'),
    requests: since('requests'),
    failedRequests: since('failedRequests'),
    slowRequests: since('slowRequests'),
    processors: round(busyMs / Math.max(1, monotonicMs - before.monotonicMs)),
    eventLoop: round(performance.eventLoopUtilization(loop, before.loop).utilization),
    memoryBytes: process.memoryUsage.rss(),
  }
}

const round = (value: number) => Math.round(value * 1_000) / 1_000
