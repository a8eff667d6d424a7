import type { Logger } from 'pino'
import type { BackgroundJob } from '../../feature.ts'
import { type JobRunStore, PeriodicTask } from '../../jobs/index.ts'
import type { Clock } from '../../session/index.ts'
import type { Gallery } from './gallery.ts'

const JOB_NAME = 'gallery-sweep'

const SWEEP_INTERVAL_MS = 24 * 60 * 60 * 1000

/** Interval between checks whether a sweep is due. Restarts do not reset the due time. */
const CHECK_INTERVAL_MS = 60 * 60 * 1000

/** Collaborators of the sweep. */
export interface SweepJobDeps {
  readonly gallery: Pick<Gallery, 'sweep'>
  readonly runs: JobRunStore
  readonly clock: Clock
  readonly log: Logger
}

/** Deletes orphaned blobs once a day on one node. A restart does not repeat the sweep; `stop` aborts it. */
export function createSweepJob({ gallery, runs, clock, log }: SweepJobDeps): BackgroundJob {
  const stopping = new AbortController()
  const task = new PeriodicTask({
    clock,
    everyMs: CHECK_INTERVAL_MS,
    async run() {
      if (!(await runs.claim(JOB_NAME, SWEEP_INTERVAL_MS, clock.now()))) return
      try {
        await gallery.sweep(stopping.signal)
      } catch (error) {
        await runs.release(JOB_NAME)
        if (!stopping.signal.aborted) throw error
      }
    },
    failed: (err) => log.error({ err }, 'gallery: orphaned files could not be deleted'),
  })
  return {
    start: () => task.start(),
    stop() {
      stopping.abort()
      return task.stop()
    },
  }
}
