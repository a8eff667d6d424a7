import { randomUUID } from 'node:crypto'
import { MAX_OUTPUTS } from '@glasses-cloud/contract'
import type { Logger } from 'pino'
import type { OutputReservation } from '../../session/index.ts'
import type { Clock } from '../../time/index.ts'
import type { OutputPlaceStore } from './output-place-store.ts'

/** Time without renewal after which the node that holds a place counts as dead. */
export const PLACE_LEASE_MS = 60_000

/** The outputs that each app has across the streams of all users, limited to `MAX_OUTPUTS.perApp` (OUT-7). */
export interface OutputPlaces {
  /** Reserves places: all of them or none. */
  reserve(packageName: string, count: number, done: (reservation: OutputReservation) => void): void
  /** Resolves when all places that were released are free. */
  close(): Promise<void>
}

const full: OutputReservation = { ok: false, code: 'MAX_APP_OUTPUTS_REACHED' }

/** The places of the only node, in its memory; `done` is called during the call. */
export class LocalOutputPlaces implements OutputPlaces {
  readonly #counts = new Map<string, number>()

  reserve(packageName: string, count: number, done: (reservation: OutputReservation) => void): void {
    const used = this.#counts.get(packageName) ?? 0
    if (used + count > MAX_OUTPUTS.perApp) return done(full)
    this.#counts.set(packageName, used + count)
    done({ ok: true, releases: Array.from({ length: count }, () => once(() => this.#release(packageName))) })
  }

  async close(): Promise<void> {}

  #release(packageName: string): void {
    const left = (this.#counts.get(packageName) ?? 1) - 1
    if (left > 0) this.#counts.set(packageName, left)
    else this.#counts.delete(packageName)
  }
}

export interface SharedOutputPlacesDeps {
  readonly store: OutputPlaceStore
  readonly clock: Clock
  readonly log: Logger
}

/** The places of all nodes, in the database. This node renews those it holds; others expire. */
export class SharedOutputPlaces implements OutputPlaces {
  readonly #deps: SharedOutputPlacesDeps
  /** Package names by the ids of the places of this node. */
  readonly #held = new Map<string, string>()
  readonly #pending = new Set<Promise<void>>()
  #renewal: Promise<void> = Promise.resolve()

  constructor(deps: SharedOutputPlacesDeps) {
    this.#deps = deps
  }

  reserve(packageName: string, count: number, done: (reservation: OutputReservation) => void): void {
    this.#track(this.#reserve(packageName, count).then(done))
  }

  /** Renews the places of this node, and deletes those of nodes that died. */
  async sweep(): Promise<void> {
    const { store, clock } = this.#deps
    const renewal = store.renew([...this.#held], clock.now())
    this.#renewal = renewal.catch(() => {})
    await renewal
    await store.deleteExpired(clock.now() - PLACE_LEASE_MS)
  }

  async close(): Promise<void> {
    while (this.#pending.size > 0) await Promise.allSettled(this.#pending)
  }

  async #reserve(packageName: string, count: number): Promise<OutputReservation> {
    const { store, clock, log } = this.#deps
    const ids = Array.from({ length: count }, () => randomUUID())
    const now = clock.now()
    try {
      const isReserved = await store.reserve(packageName, ids, {
        limit: MAX_OUTPUTS.perApp,
        since: now - PLACE_LEASE_MS,
        now,
      })
      if (!isReserved) return full
    } catch (err) {
      // If the rows were committed nevertheless, they expire.
      log.error({ err, packageName }, 'streams: the outputs of an app could not be counted')
      return { ok: false, code: 'INTERNAL_ERROR' }
    }
    for (const id of ids) this.#held.set(id, packageName)
    return { ok: true, releases: ids.map((id) => once(() => this.#track(this.#release(id)))) }
  }

  async #release(id: string): Promise<void> {
    const { store, log } = this.#deps
    this.#held.delete(id)
    // A renewal in progress would insert the row again.
    await this.#renewal
    await store
      .release(id)
      .catch((err: unknown) => log.warn({ err }, 'streams: an output counts until its place expires'))
  }

  #track(task: Promise<void>): void {
    const tracked = task.finally(() => this.#pending.delete(tracked))
    this.#pending.add(tracked)
  }
}

function once(run: () => void): () => void {
  let isDone = false
  return () => {
    if (isDone) return
    isDone = true
    run()
  }
}
