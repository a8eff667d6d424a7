import { randomUUID } from 'node:crypto'
import type { ExportsDeps } from './deps.ts'
import type { StoredExport } from './export-store.ts'
import { LeaseKeeper } from './lease-keeper.ts'
import { writeCsv } from './write-csv.ts'
import { writeJson } from './write-json.ts'

/** How often work on one export begins before it counts as failed. */
const maxAttempts = 3

/** How long a failed attempt is followed by none, in ms; longer after each. */
const retryMs = 10_000

/** What a worker works with. */
export interface ExportWorkerDeps extends ExportsDeps {
  /** Where the file of this attempt is kept. */
  keyOf(job: StoredExport): string
}

/** Makes exports, one at a time, as one of perhaps several processes that do. */
export class ExportWorker {
  readonly #parts: ExportWorkerDeps
  /** No other process, and no later life of this one, has the same. */
  readonly #owner = randomUUID()
  readonly #stopping = new AbortController()

  constructor(parts: ExportWorkerDeps) {
    this.#parts = parts
  }

  /** Begins no more exports, and leaves off the one under way. */
  stop(): void {
    this.#stopping.abort()
  }

  /** Works on exports until there is none left to take. */
  async workOff(): Promise<void> {
    const { store, clock } = this.#parts
    while (!this.#stopping.signal.aborted) {
      const keeper = new LeaseKeeper(store, clock, this.#owner)
      const job = await store.claim(keeper.lease(), clock.now())
      if (job === undefined) return
      keeper.keep(job.id)
      try {
        await this.#attempt(job, keeper.lost)
      } finally {
        keeper.stop()
      }
    }
  }

  async #attempt(job: StoredExport, lost: AbortSignal): Promise<void> {
    const { store, clock, log } = this.#parts
    const { id, attempts } = job
    // Every earlier attempt took its process along: another would do the same.
    if (attempts > maxAttempts) return this.#end(job, 'failed')
    try {
      await this.#write(job, AbortSignal.any([lost, this.#stopping.signal]))
      await this.#end(job, 'completed')
    } catch (err) {
      if (lost.aborted) log.warn({ exportId: id }, 'another process took over an export')
      else if (this.#stopping.signal.aborted) await store.release(id, this.#owner, clock.now(), attempts - 1)
      else if (attempts >= maxAttempts) {
        log.error({ err, exportId: id }, 'an export failed for good')
        await this.#end(job, 'failed')
      } else {
        log.warn({ err, exportId: id, attempts }, 'an export failed and is tried again')
        await store.release(id, this.#owner, clock.now() + attempts * retryMs, attempts)
      }
    }
  }

  async #write(job: StoredExport, signal: AbortSignal): Promise<void> {
    const { id, userId, format, createdAt } = job
    const { users, sections, blobs, keyOf } = this.#parts
    const user = await users.findById(userId)
    // With the user, the export's row is gone.
    if (user === undefined) return
    const document = { exportId: id, user: { id: user.id, email: user.email }, createdAt, sections }
    const content = format === 'csv' ? writeCsv(document) : writeJson(document)
    await blobs.put(keyOf(job), content, { signal })
  }

  async #end(job: StoredExport, status: 'completed' | 'failed'): Promise<void> {
    const { store, blobs, clock, keyOf } = this.#parts
    const held = await store.end(job.id, this.#owner, status, clock.now())
    // Another attempt overtook this one, or the user deleted the account: the file is nobody's.
    if (!held) await blobs.delete(keyOf(job))
  }
}
