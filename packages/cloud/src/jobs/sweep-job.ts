import type { Logger } from 'pino'
import type { BackgroundJob } from '../feature.ts'
import type { Clock } from '../time/index.ts'
import type { JobRunStore } from './job-run-store.ts'
import { PeriodicTask } from './periodic-task.ts'

/** A sweep: periodic work that one of several nodes does for all. */
export interface SweepJobOptions {
  /** Unique among the sweeps of the cloud. */
  readonly name: string
  /** Milliseconds between two sweeps. Restarts do not reset the due time. */
  readonly everyMs: number
  /** Milliseconds between checks whether a sweep is due. */
  readonly checkEveryMs: number
  /** @param signal aborts when the cloud shuts down */
  sweep(signal: AbortSignal): Promise<void>
  readonly runs: JobRunStore
  readonly clock: Clock
  readonly log: Logger
}

/** A sweep as a background job. */
export interface SweepJob extends BackgroundJob {
  /** Resolves once no sweep is in progress on this node. */
  idle(): Promise<void>
}

/** Creates a job that runs a sweep on one node whenever it is due (STO-71). `stop` aborts it. */
export function createSweepJob(options: SweepJobOptions): SweepJob {
  const { name, everyMs, checkEveryMs, sweep, runs, clock, log } = options
  const stopping = new AbortController()
  const task = new PeriodicTask({
    clock,
    everyMs: checkEveryMs,
    async run() {
      if (!(await runs.claim(name, everyMs, clock.now()))) return
      try {
        await sweep(stopping.signal)
      } catch (error) {
        await runs.release(name)
        if (!stopping.signal.aborted) throw error
      }
    },
    failed: (err) => log.error({ err, job: name }, 'a sweep failed'),
  })
  return {
    start: (countFailure) => task.start(countFailure),
    idle: () => task.idle(),
    stop() {
      stopping.abort()
      return task.stop()
    },
  }
}
