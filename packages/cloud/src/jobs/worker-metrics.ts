import type { Metrics } from '../http/metrics.ts'

/** Pools of worker threads. */
const POOLS = ['passwords', 'flite'] as const

/** Jobs take from some milliseconds to the 30 s after which they are ended. */
const BUCKETS = [0.01, 0.05, 0.2, 0.5, 1, 3, 10, 30]

/** The part of a pool that is measured. */
interface MeasuredPool {
  readonly waiting: number
  readonly workers: number
  readonly busy: number
  onJobEnd: ((seconds: number, isFailed: boolean) => void) | undefined
}

/** Measures the pools of worker threads of a node: their queues, their workers and their jobs (OBS-9). */
export class WorkerMetrics {
  readonly #pools = new Map<string, MeasuredPool>()
  readonly #durations
  readonly #failed

  constructor(metrics: Pick<Metrics, 'gauges' | 'histogram' | 'counter'>) {
    const known = POOLS.map((pool) => ({ pool }))
    const gauge = (name: string, help: string, read: 'waiting' | 'workers' | 'busy') =>
      metrics.gauges(name, help, ['pool'], () =>
        [...this.#pools].map(([pool, state]) => [{ pool }, state[read]] as const),
      )
    gauge('worker_jobs_waiting', 'Jobs that wait for a worker thread', 'waiting')
    gauge('worker_threads', 'Worker threads, which are started when there are jobs', 'workers')
    gauge('worker_threads_busy', 'Worker threads that run a job', 'busy')
    this.#durations = metrics.histogram(
      'worker_job_duration_seconds',
      'Time of jobs in worker threads, without waiting for one',
      ['pool'],
      BUCKETS,
      known,
    )
    this.#failed = metrics.counter(
      'worker_jobs_failed_total',
      'Jobs whose worker thread failed or did not finish in time',
      ['pool'],
      known,
    )
  }

  /** Measures a pool from now on. */
  add(name: (typeof POOLS)[number], pool: MeasuredPool): void {
    this.#pools.set(name, pool)
    pool.onJobEnd = (seconds, isFailed) => {
      this.#durations.observe({ pool: name }, seconds)
      if (isFailed) this.#failed.inc({ pool: name })
    }
  }
}
