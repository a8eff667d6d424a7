import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import { type BlobStore, isDiskFull } from '../../../blobs/index.ts'
import type { UserStore } from '../../../identity/index.ts'
import type { ExportSection } from '../../../personal-data.ts'
import type { Clock } from '../../../time/index.ts'
import type { ExportStore, StoredExport } from './export-store.ts'
import { writeCsv, writeJson } from './write.ts'

/** Attempts after which an export fails. */
const MAX_ATTEMPTS = 3

/** Delay before the second attempt; multiplied by the number of attempts before further ones. */
const RETRY_DELAY_MS = 10_000

export interface ExportWorkerDeps {
  readonly store: ExportStore
  readonly blobs: BlobStore
  readonly users: UserStore
  /** Sections of an export, in order. */
  readonly sections: readonly ExportSection[]
  readonly clock: Clock
  readonly log: Logger
  /** Returns the blob key of the file of this attempt. */
  keyOf(job: StoredExport): string
}

/** Writes exports, one at a time; several processes may each run a worker. */
export class ExportWorker {
  readonly #deps: ExportWorkerDeps
  /** Unique across processes and restarts. */
  readonly #owner = randomUUID()
  readonly #stopping = new AbortController()

  constructor(deps: ExportWorkerDeps) {
    this.#deps = deps
  }

  /** Claims no further export and aborts the current one. */
  stop(): void {
    this.#stopping.abort()
  }

  /** Writes exports until none is pending. */
  async processAll(): Promise<void> {
    const { blobs, clock } = this.#deps
    const { leases } = this.#deps.store
    while (!this.#stopping.signal.aborted) {
      // While the disk is full, exports remain pending.
      if (await blobs.checkSpace().then(() => false, isDiskFull)) return
      const job = await leases.claim(this.#owner, clock.now())
      if (job === undefined) return
      const lease = leases.keep(job.id, this.#owner, clock)
      await this.#attempt(job, lease.lost).finally(() => lease.stop())
    }
  }

  async #attempt(job: StoredExport, lost: AbortSignal): Promise<void> {
    const { store, clock, log } = this.#deps
    const { id, attempts } = job
    // The process died in every attempt.
    if (attempts > MAX_ATTEMPTS) return this.#end(job, 'failed')
    try {
      await this.#write(job, AbortSignal.any([lost, this.#stopping.signal]))
      await this.#end(job, 'completed')
    } catch (err) {
      if (lost.aborted) log.warn({ exportId: id }, 'export: lease lost to another process')
      else if (this.#stopping.signal.aborted) await store.release(id, this.#owner, clock.now(), attempts - 1)
      else if (attempts >= MAX_ATTEMPTS) {
        log.error({ err, exportId: id }, 'export: failed after the last attempt')
        await this.#end(job, 'failed')
      } else {
        log.warn({ err, exportId: id, attempts }, 'export: failed, will be retried')
        await store.release(id, this.#owner, clock.now() + attempts * RETRY_DELAY_MS, attempts)
      }
    }
  }

  async #write(job: StoredExport, signal: AbortSignal): Promise<void> {
    const { id, userId, format, createdAt } = job
    const { users, sections, blobs, keyOf } = this.#deps
    const user = await users.findById(userId)
    // The export's row was deleted with the user.
    if (user === undefined) return
    const document = { exportId: id, user: { id: user.id, email: user.email }, createdAt, sections }
    const content = format === 'csv' ? writeCsv(document) : writeJson(document)
    await blobs.put(keyOf(job), content, { signal })
  }

  async #end(job: StoredExport, status: 'completed' | 'failed'): Promise<void> {
    const { store, blobs, clock, keyOf } = this.#deps
    const isOwner = await store.end(job.id, this.#owner, status, clock.now())
    // The lease was lost or the account deleted: no row refers to the file.
    if (!isOwner) await blobs.delete(keyOf(job))
  }
}
