import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { Bus, Subscription } from '../../bus/index.ts'
import { PeriodicTask } from '../../jobs/index.ts'
import type { Clock } from '../../time/index.ts'
import type { ReservationKind, ReservationStore } from './reservation-store.ts'

/** Time after which the space that a process reserved is free again if the process died. */
export const LEASE_MS = 60_000

const RENEW_INTERVAL_MS = LEASE_MS / 3

/** Uploads of a user that are received at a time, on all nodes. */
const MAX_UPLOADS_PER_USER = 5

/** Photos of a user that are on their way to apps at a time; each has at most the size of an upload. */
const MAX_DELIVERIES_PER_USER = 20

/** Time for which a deletion waits for uploads and recordings of the user to end. */
const DRAIN_TIMEOUT_MS = 15_000

const DRAIN_POLL_MS = 50

/** Channel of the bus on which nodes are told to end the uploads and recordings of a user. */
const END_CHANNEL = 'end-uploads'

/** The reason of the signal of a reservation whose user is being deleted. */
export class UserDeletedError extends Error {
  constructor() {
    super('The user is being deleted')
    this.name = 'UserDeletedError'
  }
}

/** Space in a user's gallery for an upload or a recording under way. */
export interface Reservation {
  readonly id: string
  /** Bytes within the quota; fewer than requested if fewer were free. */
  readonly bytes: number
  /** Aborts when the user is being deleted: what was received must be discarded, and then the space released. */
  readonly signal: AbortSignal
  /** Reserves more, if it is free. @returns all bytes that are then reserved */
  extend(bytes: number): Promise<number>
  /** Makes the space free again. May be called twice; never throws. */
  release(): Promise<void>
}

export interface ReservationsDeps {
  readonly store: ReservationStore
  readonly bus: Pick<Bus, 'publish' | 'subscribe'>
  readonly clock: Clock
  readonly log: Logger
  /** The gallery quota of each user. */
  readonly maxBytes: number
}

/**
 * The space that uploads and recordings reserve before they are received (GAL-15). A reservation is a row that its
 * process renews, so that all nodes count together, and a crash gives the space back.
 */
export class Reservations {
  readonly #deps: ReservationsDeps
  /** Unique across processes and restarts. */
  readonly #holder = randomUUID()
  readonly #held = new Map<string, { readonly userId: string; readonly ending: AbortController }>()
  readonly #listeners = new Set<(userId: string) => void>()
  readonly #renewal: PeriodicTask
  readonly #endings: Subscription

  constructor(deps: ReservationsDeps) {
    this.#deps = deps
    const { store, bus, clock, log } = deps
    this.#renewal = new PeriodicTask({
      clock,
      everyMs: RENEW_INTERVAL_MS,
      run: async () => {
        await store.renew([...this.#held.keys()], clock.now() + LEASE_MS)
      },
      failed: (err) => log.error({ err }, 'gallery: reserved space could not be renewed'),
    })
    this.#endings = bus.subscribe(END_CHANNEL, (userId) => this.#end(userId.toString()))
  }

  start(countFailure?: () => void): void {
    this.#renewal.start(countFailure)
  }

  async stop(): Promise<void> {
    this.#endings.close()
    await this.#renewal.stop()
  }

  /**
   * Reserves space for a user.
   * @param bytes as many as will be needed at most
   * @returns undefined if the user has too many uploads at a time
   * @throws UserDeletedError
   */
  async reserve(userId: string, kind: ReservationKind, bytes: number): Promise<Reservation | undefined> {
    const { store, clock, maxBytes } = this.#deps
    const id = randomUUID()
    const ending = new AbortController()
    this.#held.set(id, { userId, ending })
    let outcome: Awaited<ReturnType<ReservationStore['reserve']>> | undefined
    try {
      outcome = await store.reserve(
        { id, userId, kind, bytes, holder: this.#holder, expiresAt: clock.now() + LEASE_MS },
        { maxBytes, maxUploads: MAX_UPLOADS_PER_USER, maxDeliveries: MAX_DELIVERIES_PER_USER },
        clock.now(),
      )
    } finally {
      if (typeof outcome !== 'number') this.#held.delete(id)
    }
    if (outcome === 'deleted') throw new UserDeletedError()
    if (outcome === 'busy') return undefined
    let reserved = outcome
    return {
      id,
      get bytes() {
        return reserved
      },
      signal: ending.signal,
      extend: async (more) => {
        reserved += await store.extend({ id, userId, bytes: more }, maxBytes, clock.now())
        return reserved
      },
      release: () => this.#release(id),
    }
  }

  /**
   * Calls back when a user is being deleted, on this or another node. A message of another node may be lost.
   * @returns a function that ends it
   */
  onEnd(listener: (userId: string) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /**
   * Ends the uploads and recordings of a user on all nodes, and waits until they have ended.
   * @throws Error if one does not end in time
   */
  async endByUser(userId: string): Promise<void> {
    const { store, bus, clock } = this.#deps
    const deadline = clock.monotonicNow() + DRAIN_TIMEOUT_MS
    for (;;) {
      this.#end(userId)
      bus.publish(END_CHANNEL, Buffer.from(userId))
      if (!(await store.hasAny(userId, clock.now()))) return
      if (clock.monotonicNow() > deadline) throw new Error('An upload or recording of the user does not end')
      await new Promise<void>((resolve) => void clock.after(DRAIN_POLL_MS, resolve))
    }
  }

  #end(userId: string): void {
    for (const each of this.#held.values())
      if (each.userId === userId) each.ending.abort(new UserDeletedError())
    for (const listener of this.#listeners) listener(userId)
  }

  async #release(id: string): Promise<void> {
    if (!this.#held.delete(id)) return
    const { store, log } = this.#deps
    await store
      .remove(id)
      .catch((err: unknown) => log.warn({ err }, 'gallery: reserved space is released when it expires'))
  }
}
