import { randomUUID } from 'node:crypto'
import type { ExportFormat } from '@glasses-cloud/contract'
import type { Blob } from '../../../blobs/index.ts'
import { PeriodicTask } from '../../../jobs/index.ts'
import type { ExportsDeps } from './deps.ts'
import type { StoredExport } from './export-store.ts'
import { ExportWorker } from './export-worker.ts'

/** How long an export is kept after it ended, in ms. */
const retentionMs = 24 * 60 * 60 * 1000

/** How many exports of one user there may be, kept ones included. */
const maxPerUser = 10

/** How often exports are looked for whose process died, in ms; new ones are begun at once. */
const pollMs = 15_000

/** How often what is over is removed, in ms. Nobody sees it any more by then. */
const sweepMs = 10 * 60 * 1000

const folder = 'exports/'

/** Data exports: asked for, made in the background, kept for a day (decisions A3, A4). */
export class Exports {
  readonly #parts: ExportsDeps
  readonly #worker: ExportWorker
  readonly #work: PeriodicTask
  readonly #sweep: PeriodicTask

  constructor(parts: ExportsDeps) {
    this.#parts = parts
    const { clock, log } = parts
    this.#worker = new ExportWorker({ ...parts, keyOf })
    this.#work = new PeriodicTask({
      clock,
      everyMs: pollMs,
      run: () => this.#worker.workOff(),
      failed: (err) => log.error({ err }, 'exports could not be worked on'),
    })
    this.#sweep = new PeriodicTask({
      clock,
      everyMs: sweepMs,
      run: () => this.#removeOld(),
      failed: (err) => log.error({ err }, 'old exports could not be removed'),
    })
  }

  /** Takes up what an earlier process left, and removes what is over. */
  start(): void {
    this.#work.wake()
    this.#sweep.wake()
  }

  /** Leaves off; an export under way begins anew with the next start of any process. */
  async stop(): Promise<void> {
    this.#worker.stop()
    await Promise.all([this.#work.stop(), this.#sweep.stop()])
  }

  /** Resolves when nothing is being made or removed. */
  async settled(): Promise<void> {
    await Promise.all([this.#work.idle(), this.#sweep.idle()])
  }

  /**
   * Asks for an export, which is certain to be made or to fail once this resolves.
   * @returns nothing while the user has as many as are kept
   */
  async request(userId: string, format: ExportFormat): Promise<StoredExport | undefined> {
    const { store, clock } = this.#parts
    const id = `export_${randomUUID()}`
    const created = await store.create({ id, userId, format }, maxPerUser, clock.now())
    if (created) this.#work.wake()
    return created
  }

  /** By when, in ms from now, a user who has as many as are kept has room for one more. */
  async roomIn(userId: string): Promise<number> {
    const now = this.#parts.clock.now()
    const ends = (await this.#parts.store.listOf(userId)).map(({ endedAt }) => endedAt ?? now)
    return Math.min(now, ...ends) + retentionMs + sweepMs - now
  }

  /** An export, until 24 hours after its end. */
  async find(id: string): Promise<StoredExport | undefined> {
    const found = await this.#parts.store.find(id)
    const over = found?.endedAt != null && found.endedAt + retentionMs <= this.#parts.clock.now()
    return over ? undefined : found
  }

  /** The file of a completed export. */
  async open(completed: StoredExport): Promise<Blob | undefined> {
    return this.#parts.blobs.get(keyOf(completed))
  }

  /** Removes every export of a user, with its file. */
  async removeAllOf(userId: string): Promise<void> {
    for (const { id } of await this.#parts.store.listOf(userId)) await this.#remove(id)
  }

  /**
   * What is over, and files that are no export's: of an attempt that was overtaken, of a user who was deleted while
   * they were written, by processes that died before they could remove them.
   */
  async #removeOld(): Promise<void> {
    const { store, blobs, clock } = this.#parts
    for (const id of await store.endedBy(clock.now() - retentionMs)) await this.#remove(id)
    for await (const { key } of blobs.list(folder)) {
      const kept = await store.find(key.slice(folder.length, key.lastIndexOf('.')))
      if (kept === undefined || keyOf(kept) !== key) await blobs.delete(key)
    }
  }

  /** The file first: while the row is there, what is left can be found. */
  async #remove(id: string): Promise<void> {
    const { blobs, store } = this.#parts
    for await (const { key } of blobs.list(`${folder}${id}.`)) await blobs.delete(key)
    await store.remove(id)
  }
}

/** Each attempt has a file of its own, so that one that was overtaken cannot put its own in the other's place. */
const keyOf = ({ id, attempts }: Pick<StoredExport, 'id' | 'attempts'>) => `${folder}${id}.${attempts}`
