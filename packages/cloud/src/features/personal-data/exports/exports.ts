import { randomUUID } from 'node:crypto'
import type { ExportFormat } from '@glasses-cloud/contract'
import type { Blob } from '../../../blobs/index.ts'
import type { Bus, Subscription } from '../../../bus/index.ts'
import { createSweepJob, type JobRunStore, PeriodicTask, type SweepJob } from '../../../jobs/index.ts'
import type { StoredExport } from './export-store.ts'
import { ExportWorker, type ExportWorkerDeps } from './export-worker.ts'

/** How long an export is kept after it ended. */
const RETENTION_MS = 24 * 60 * 60 * 1000

/** Maximum number of exports of a user, including those that have ended but not expired. */
const MAX_EXPORTS_PER_USER = 10

/** Interval between looking for exports of processes that died; new ones start immediately. */
const POLL_INTERVAL_MS = 15_000

/** Interval between deletions of expired exports, which are hidden already. */
const SWEEP_INTERVAL_MS = 10 * 60 * 1000

const FOLDER = 'exports/'

/** Channel of the bus on which nodes report that an export is pending. */
const WAKE_CHANNEL = 'exports'

export interface ExportsDeps extends Omit<ExportWorkerDeps, 'keyOf'> {
  /** Wakes the workers of other nodes. */
  readonly bus: Pick<Bus, 'publish' | 'subscribe'>
  readonly runs: JobRunStore
}

/** Data exports: requested by users, written in the background, kept for 24 hours (decisions A3 and A4). */
export class Exports {
  readonly #deps: ExportsDeps
  readonly #worker: ExportWorker
  readonly #work: PeriodicTask
  readonly #wakeUps: Subscription
  readonly #sweep: SweepJob

  constructor(deps: ExportsDeps) {
    this.#deps = deps
    const { clock, log, runs, bus } = deps
    this.#worker = new ExportWorker({ ...deps, keyOf })
    this.#work = new PeriodicTask({
      clock,
      everyMs: POLL_INTERVAL_MS,
      run: () => this.#worker.processAll(),
      failed: (err) => log.error({ err }, 'export: pending exports could not be processed'),
    })
    this.#sweep = createSweepJob({
      name: 'export-sweep',
      everyMs: SWEEP_INTERVAL_MS,
      checkEveryMs: SWEEP_INTERVAL_MS,
      sweep: (signal) => this.#deleteExpired(signal),
      runs,
      clock,
      log,
    })
    this.#wakeUps = bus.subscribe(WAKE_CHANNEL, () => this.#work.wake())
  }

  /** Resumes interrupted exports and deletes expired ones. */
  start(countFailure?: () => void): void {
    this.#work.start(countFailure)
    this.#sweep.start(countFailure)
  }

  /** Aborts the current export; the next start of any process writes it from the beginning. */
  async stop(): Promise<void> {
    this.#worker.stop()
    this.#wakeUps.close()
    await Promise.all([this.#work.stop(), this.#sweep.stop()])
    // Another node continues the export that was aborted.
    this.#wakeOtherNodes()
  }

  /** Resolves when no export is being written or deleted. */
  async idle(): Promise<void> {
    await Promise.all([this.#work.idle(), this.#sweep.idle()])
  }

  /**
   * Requests an export. Once this resolves, it will be completed or fail, even if the process dies.
   * @returns undefined if the user has the maximum number of exports
   * @throws DiskFullError
   */
  async request(userId: string, format: ExportFormat): Promise<StoredExport | undefined> {
    const { store, clock } = this.#deps
    await this.#deps.blobs.checkSpace()
    const id = `export_${randomUUID()}`
    const created = await store.create({ id, userId, format }, MAX_EXPORTS_PER_USER, clock.now())
    if (created) {
      this.#work.wake()
      this.#wakeOtherNodes()
    }
    return created
  }

  /** Returns the time until a user with the maximum number of exports can request another. */
  async retryAfterMs(userId: string): Promise<number> {
    const now = this.#deps.clock.now()
    const ends = (await this.#deps.store.listByUser(userId)).map(({ endedAt }) => endedAt ?? now)
    return Math.min(now, ...ends) + RETENTION_MS + SWEEP_INTERVAL_MS - now
  }

  /** Returns an export until 24 hours after its end. */
  async find(id: string): Promise<StoredExport | undefined> {
    const found = await this.#deps.store.find(id)
    return found && !this.#isExpired(found) ? found : undefined
  }

  /** Returns the exports of a user until 24 hours after their end, the newest first. */
  async list(userId: string): Promise<StoredExport[]> {
    const exports = await this.#deps.store.listByUser(userId)
    return exports.filter((each) => !this.#isExpired(each)).reverse()
  }

  #isExpired({ endedAt }: StoredExport): boolean {
    return endedAt !== null && endedAt + RETENTION_MS <= this.#deps.clock.now()
  }

  /** Opens the file of a completed export; undefined if it is missing. */
  async open(completed: StoredExport): Promise<Blob | undefined> {
    return this.#deps.blobs.get(keyOf(completed))
  }

  /** Deletes all exports of a user with their files. */
  async deleteByUser(userId: string): Promise<void> {
    for (const { id } of await this.#deps.store.listByUser(userId)) await this.#delete(id)
  }

  /** Deletes expired exports, and files without an export: of superseded attempts and of deleted users. */
  async #deleteExpired(signal: AbortSignal): Promise<void> {
    const { store, blobs, clock } = this.#deps
    for (const id of await store.listEndedBy(clock.now() - RETENTION_MS)) await this.#delete(id)
    for await (const { key } of blobs.list(FOLDER)) {
      signal.throwIfAborted()
      const current = await store.find(key.slice(FOLDER.length, key.lastIndexOf('.')))
      if (current === undefined || keyOf(current) !== key) await blobs.delete(key)
    }
  }

  /** This node may be busy with another export, or stopping. */
  #wakeOtherNodes(): void {
    this.#deps.bus.publish(WAKE_CHANNEL, Buffer.alloc(0))
  }

  /** Deletes the files before the row, so that an interrupted deletion can be repeated. */
  async #delete(id: string): Promise<void> {
    const { blobs, store } = this.#deps
    for await (const { key } of blobs.list(`${FOLDER}${id}.`)) await blobs.delete(key)
    await store.delete(id)
  }
}

/** Each attempt writes its own file, so that a superseded attempt cannot overwrite a newer one. */
const keyOf = ({ id, attempts }: Pick<StoredExport, 'id' | 'attempts'>) => `${FOLDER}${id}.${attempts}`
