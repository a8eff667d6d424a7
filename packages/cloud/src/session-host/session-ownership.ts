import { type Clock, pause } from '../time/index.ts'
import type { SessionPlace, UserSessionStore } from './user-session-store.ts'

/** Time within which a session of a dead owner is taken over; leases expire before. */
const TAKEOVER_DEADLINE_MS = 6_000
const RETRY_INTERVAL_MS = 100

/** The lease of this node, as sessions use it. */
export interface OwnerLease {
  readonly holder: string
  isValid(): boolean
  /** Adds a listener that abandons what is owned under the lapsed lease. */
  onLapsed(listener: () => void): void
}

/** The leases of other nodes. */
export interface OtherLeases {
  isAlive(holder: string): Promise<boolean>
  /** Prevents that an expired lease is acquired again. @returns false while it is held */
  block(holder: string): Promise<boolean>
}

export interface SessionOwnershipDeps {
  readonly store: Pick<UserSessionStore, 'locate' | 'locateById' | 'create' | 'takeOver'>
  readonly lease: OwnerLease
  readonly others: OtherLeases
  readonly clock: Clock
}

/** A session cannot be opened here at the moment: its client may try again. */
export class SessionUnavailableError extends Error {
  /** How the socket is closed that would open the session. */
  readonly frame: 'RESTARTING' | 'NODE_LOST'

  constructor(frame: 'RESTARTING' | 'NODE_LOST', message: string) {
    super(message)
    this.frame = frame
  }
}

/** Another node owns the session. */
export class OwnedElsewhereError extends Error {
  readonly place: OwnedPlace

  constructor(place: OwnedPlace) {
    super('Another node owns the session')
    this.name = 'OwnedElsewhereError'
    this.place = place
  }
}

/** A session with an owner. */
export type OwnedPlace = SessionPlace & { readonly owner: string }

/** The owners of user sessions. The database is the truth: an epoch has one owner, and writes of older ones fail. */
export class SessionOwnership {
  readonly #deps: SessionOwnershipDeps

  constructor(deps: SessionOwnershipDeps) {
    this.#deps = deps
  }

  get lease(): OwnerLease {
    return this.#deps.lease
  }

  /** Returns the session of a user on another live node. */
  async locate(userId: string): Promise<OwnedPlace | undefined> {
    return this.#elsewhere(await this.#deps.store.locate(userId))
  }

  /** Returns a session on another live node by its id. */
  async locateById(userSessionId: string): Promise<OwnedPlace | undefined> {
    return this.#elsewhere(await this.#deps.store.locateById(userSessionId))
  }

  /**
   * Makes this node the owner of the user's session, which is created if there is none.
   * @throws OwnedElsewhereError if a live node owns it
   * @throws SessionUnavailableError if this node may not own sessions at the moment
   * @throws Error if the owner is neither alive nor certainly dead
   */
  async claim(userId: string, newId: string): Promise<SessionPlace> {
    const { store, lease, clock } = this.#deps
    const deadline = clock.monotonicNow() + TAKEOVER_DEADLINE_MS
    for (;;) {
      if (!lease.isValid()) throw new SessionUnavailableError('NODE_LOST', 'This node has no valid lease')
      const { holder } = lease
      const place = await store.locate(userId)
      if (!place) {
        if (await store.create(userId, newId, holder, clock.now()))
          return { userSessionId: newId, userId, owner: holder, epoch: 1 }
        continue
      }
      if (await this.#takeOver(place, holder)) return { ...place, owner: holder, epoch: place.epoch + 1 }
      if (clock.monotonicNow() >= deadline) throw new Error('The owner of the session does not respond')
      await pause(clock, RETRY_INTERVAL_MS)
    }
  }

  /** @throws OwnedElsewhereError if a live node owns the session */
  async #takeOver(place: SessionPlace, holder: string): Promise<boolean> {
    const { store, others } = this.#deps
    const { owner } = place
    if (owner === undefined || owner === holder) return store.takeOver(place, holder)
    if ((await others.isAlive(owner)) || !(await others.block(owner)))
      throw new OwnedElsewhereError({ ...place, owner })
    return store.takeOver(place, holder)
  }

  async #elsewhere(place: SessionPlace | undefined): Promise<OwnedPlace | undefined> {
    const { lease, others } = this.#deps
    if (place?.owner === undefined || place.owner === lease.holder) return undefined
    return (await others.isAlive(place.owner)) ? { ...place, owner: place.owner } : undefined
  }
}
