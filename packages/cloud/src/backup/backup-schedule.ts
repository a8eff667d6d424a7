import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Logger } from 'pino'
import { type Config, loadAuthSecret, nodeFolder, type TimeOfDay } from '../config/index.ts'
import type { Feature } from '../feature.ts'
import type { Metrics } from '../http/metrics.ts'
import { PeriodicTask } from '../jobs/index.ts'
import type { Clock } from '../time/index.ts'
import { BACKUP_LEASE_MS, type BackupState, type BackupStateStore } from './backup-state-store.ts'
import type { BackupOutcome, BackupWork } from './backup-worker.ts'
import type { BackupLock } from './encryption.ts'
import type { BackupSecrets } from './format.ts'
import { type BackupTask, plainS3 } from './run-backup.ts'

/** In a bundle the worker is a file of its own beside the chunks. */
const WORKER = new URL(
  import.meta.url.endsWith('.ts') ? 'backup-worker.ts' : 'backup-worker.mjs',
  import.meta.url,
)

/** Milliseconds between checks whether a backup is due. */
const CHECK_EVERY_MS = 60_000

const DAY_MS = 24 * 60 * 60_000

/** Longest time until a failed backup is repeated. */
const MAX_RETRY_MS = 60 * 60_000

export interface BackupScheduleDeps {
  readonly everyMs: number
  /** Time of day at which backups are made; undefined: `everyMs` after the last. */
  readonly at: TimeOfDay | undefined
  readonly task: () => BackupTask
  readonly states: BackupStateStore
  readonly metrics: Pick<Metrics, 'gauge' | 'counter'>
  readonly clock: Clock
  readonly log: Logger
}

/**
 * Backs up whenever it is due, on one node at a time, in a worker thread (BAK-19). A failed backup is logged, counted, and
 * repeated within an hour.
 */
export function createBackupSchedule({
  everyMs,
  at,
  task,
  states,
  metrics,
  clock,
  log,
}: BackupScheduleDeps): Feature {
  let state: BackupState = { lastGood: undefined, unprotectedSince: undefined, failure: undefined }
  let worker: Worker | undefined
  let isStopped = false
  metrics.gauge(
    'backup_last_success_timestamp_seconds',
    'Time of the last verified backup, in seconds since 1970; NaN before the first',
    () => (state.lastGood ? state.lastGood.at / 1000 : Number.NaN),
  )
  metrics.gauge(
    'backup_unprotected_since_timestamp_seconds',
    'Time since which nothing was backed up: of the last verified backup or, before the first, of the first attempt, in seconds since 1970',
    () => (state.unprotectedSince ?? Number.NaN) / 1000,
  )
  metrics.gauge(
    'backup_last_size_bytes',
    'Bytes of all backups in BACKUP_TO after the last one; NaN before the first',
    () => state.lastGood?.bytes ?? Number.NaN,
  )
  metrics.gauge('backup_interval_seconds', 'Time between two backups: BACKUP_EVERY', () => everyMs / 1000)
  const failures = metrics.counter('backup_failures_total', 'Backups of this node that failed', [], [{}])

  const backUp = async (owner: string) => {
    const workerData: BackupWork = { task: task(), leaseOwner: owner }
    worker = new Worker(WORKER, { name: 'backup', workerData, env: {} })
    const running = worker
    const lost = keepLease(states, owner, clock, () => void running.terminate())
    try {
      const exited = once(running, 'exit').then(() => undefined)
      const answered = once(running, 'message').then(([outcome]) => outcome as BackupOutcome)
      const outcome = await Promise.race([answered, exited])
      // A message may be on its way when the thread ends.
      return outcome ?? { ok: false as const, message: 'The backup was interrupted' }
    } finally {
      lost.stop()
      await running.terminate()
      worker = undefined
    }
  }

  const job = new PeriodicTask({
    clock,
    everyMs: CHECK_EVERY_MS,
    async run() {
      const owner = randomUUID()
      const before = dueBefore(clock.now(), everyMs, at)
      if (await states.claim(owner, { before, retryMs: Math.min(everyMs, MAX_RETRY_MS) })) {
        const outcome = await backUp(owner).catch((error: unknown) => {
          return { ok: false as const, message: error instanceof Error ? error.message : String(error) }
        })
        if (outcome.ok) {
          const { id, bytes, place, manifest, writtenBytes, remains } = outcome.backup
          await states.succeed(owner, { id, bytes, place })
          log.info({ backup: id, writtenBytes, files: manifest.files.count }, 'backed up')
          if (manifest.files.missing > 0)
            log.warn({ files: manifest.files.missing }, 'files that rows name are missing in the file store')
          if (remains !== undefined) log.warn({ reason: remains }, 'old files of backups remain')
        } else if (isStopped) await states.release(owner)
        else {
          await states.fail(owner, outcome.message)
          failures.inc()
          log.error({ reason: outcome.message }, 'the backup failed')
        }
      }
      state = await states.read()
    },
    failed: (err) => log.error({ err }, 'the schedule of backups failed'),
  })
  return {
    name: 'backup',
    jobs: [
      {
        start: (countFailure) => job.start(countFailure),
        async stop() {
          isStopped = true
          await worker?.terminate()
          await job.stop()
        },
      },
    ],
  }
}

/**
 * Returns the time, in epoch ms, before which the last backup must have ended for another one to be due now.
 * @param at in the time zone of the process; `everyMs` is then a number of days
 */
export function dueBefore(now: number, everyMs: number, at: TimeOfDay | undefined): number {
  if (at === undefined) return now - everyMs
  const due = new Date(now)
  due.setHours(at.hour, at.minute, 0, 0)
  if (due.getTime() > now) due.setDate(due.getDate() - 1)
  due.setDate(due.getDate() - (Math.round(everyMs / DAY_MS) - 1))
  return due.getTime()
}

/** Renews a lease until `stop` is called. @param lost called once if another process has it */
export function keepLease(states: BackupStateStore, owner: string, clock: Clock, lost: () => void) {
  const renewal = new PeriodicTask({
    clock,
    everyMs: BACKUP_LEASE_MS / 4,
    async run() {
      if (!(await states.renew(owner))) lost()
    },
    // A failing database does not end the lease; the next renewal decides.
    failed: () => {},
  })
  renewal.start()
  return { stop: () => void renewal.stop() }
}

/** Returns the secrets of a cloud, for its backups. */
export async function readSecrets({ auth, data }: Config): Promise<BackupSecrets> {
  const authSecret = await loadAuthSecret(auth.secret, data.dir)
  const { previousSecret } = auth
  return previousSecret === undefined ? { authSecret } : { authSecret, previousAuthSecret: previousSecret }
}

/** Returns what the settings encrypt backups with; undefined: nothing. */
export function configuredLock({ backup: { passphrase, recipients } }: Config): BackupLock | undefined {
  if (passphrase !== undefined) return { passphrase }
  return recipients.length === 0 ? undefined : { recipients }
}

/** Describes a backup into a repository. @param to a folder or `s3://bucket/prefix` */
export function createBackupTask(
  config: Config,
  to: string,
  secrets: BackupSecrets,
  lock: BackupLock | undefined,
  programVersion: string,
): BackupTask {
  const { databaseUrl, dir: dataDir, diskReserveBytes, s3 } = config.data
  return {
    to,
    s3: plainS3(config.backup.s3),
    lock,
    keep: config.backup.keep,
    databaseUrl,
    dataDir,
    fileS3: plainS3(s3),
    diskReserveBytes,
    secrets,
    programVersion,
    scratchFolder: nodeFolder(config.data, 'backup-scratch'),
  }
}
