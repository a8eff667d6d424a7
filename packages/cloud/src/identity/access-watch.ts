import type { Logger } from 'pino'
import { type ChangedKeys, type ChangeFeed, inBatches } from '../db/index.ts'
import { type Clock, pause } from '../time/index.ts'
import type { LoginStore } from './login-store.ts'
import type { PersonalTokenStore } from './personal-token-store.ts'
import type { User, UserStore } from './user-store.ts'

/** Time after which rows that could not be read are read again. */
const RETRY_MS = 500

/** What a connection was opened with. */
export interface Access {
  /** The user as authenticated. */
  readonly user: Pick<User, 'id' | 'tokensValidFrom'>
  readonly loginId?: string | undefined
  readonly personalTokenId?: string | undefined
  /** Epoch ms from which the credential is rejected; undefined if the connection may outlive it. */
  readonly expiresAt?: number | undefined
  /** What the user must be or have beyond that; it may depend on the user, their organizations and apps. */
  isAllowed?(user: User): boolean | Promise<boolean>
}

/** Why a connection has to end. */
export type AccessEnd = 'deleted' | 'revoked'

interface Watched {
  readonly access: Access
  end(reason: AccessEnd): void
}

export interface AccessWatchDeps {
  readonly changes: ChangeFeed
  readonly clock: Clock
  readonly users: Pick<UserStore, 'findByIds'>
  readonly logins: Pick<LoginStore, 'findLiveIds'>
  readonly personalTokens: Pick<PersonalTokenStore, 'findLive'>
  readonly log: Logger
}

/**
 * Ends long-lived connections of this node (sockets, event streams) once their user, login or token is gone, on
 * whichever node that was. A connection is checked when it is added, because its credential may have ended since it was
 * authenticated, and after each change of what it depends on.
 */
export class AccessWatch {
  readonly #deps: AccessWatchDeps
  readonly #byUser = new Map<string, Set<Watched>>()
  readonly #unchecked = new Set<Watched>()
  #isChecking = false

  constructor(deps: AccessWatchDeps) {
    this.#deps = deps
    deps.changes.on('users', (keys) => this.#changed(keys))
    deps.changes.on('user_apps', (keys) => this.#changed(keys, isConditional))
    deps.changes.on('apps', () => this.#changed('all', isConditional))
  }

  /**
   * Watches a connection.
   * @param end is called at most once
   * @returns a function to call once the connection is closed
   */
  watch(access: Access, end: (reason: AccessEnd) => void): () => void {
    const { id } = access.user
    const watched = { access, end }
    const ofUser = this.#byUser.get(id) ?? new Set()
    this.#byUser.set(id, ofUser.add(watched))
    this.#check([watched])
    return () => this.#remove(watched)
  }

  #remove(watched: Watched): void {
    const { id } = watched.access.user
    const ofUser = this.#byUser.get(id)
    ofUser?.delete(watched)
    if (ofUser?.size === 0) this.#byUser.delete(id)
    this.#unchecked.delete(watched)
  }

  #changed(keys: ChangedKeys, isConcerned: (watched: Watched) => boolean = () => true): void {
    const users = keys === 'all' ? [...this.#byUser.keys()] : [...keys]
    this.#check(users.flatMap((id) => [...(this.#byUser.get(id) ?? [])]).filter(isConcerned))
  }

  #check(all: readonly Watched[]): void {
    for (const watched of all) this.#unchecked.add(watched)
    if (this.#isChecking || this.#unchecked.size === 0) return
    this.#isChecking = true
    // Listeners of the feed run before the reader that called it, which must not wait.
    setImmediate(() => void this.#checkAll())
  }

  async #checkAll(): Promise<void> {
    while (this.#unchecked.size > 0) {
      const batches = [...inBatches([...this.#unchecked])]
      this.#unchecked.clear()
      for (const batch of batches) {
        try {
          await this.#checkBatch(batch)
        } catch (err) {
          const { log, clock } = this.#deps
          log.error({ err }, 'identity: the access of open connections could not be checked')
          for (const watched of batch) if (this.#isWatched(watched)) this.#unchecked.add(watched)
          await pause(clock, RETRY_MS)
        }
      }
    }
    // In the same turn as the check above, so that no change arrives in between.
    this.#isChecking = false
  }

  async #checkBatch(batch: readonly Watched[]): Promise<void> {
    const { users, logins, clock } = this.#deps
    const now = clock.now()
    const userIds = [...new Set(batch.map(({ access }) => access.user.id))]
    const loginIds = [...new Set(batch.flatMap(({ access }) => access.loginId ?? []))]
    const found: User[] = []
    for (const ids of inBatches(userIds)) found.push(...(await users.findByIds(ids)))
    const usersById = new Map(found.map((user) => [user.id, user]))
    const liveLogins = new Set<string>()
    for (const ids of inBatches(loginIds))
      for (const id of await logins.findLiveIds(ids, now)) liveLogins.add(id)
    for (const watched of batch) {
      const reason = await this.#endOf(watched.access, usersById.get(watched.access.user.id), liveLogins, now)
      if (reason === undefined || !this.#isWatched(watched)) continue
      this.#remove(watched)
      watched.end(reason)
    }
  }

  /** Why an access has ended; undefined while it has not. */
  async #endOf(
    { user, loginId, personalTokenId, expiresAt = Number.POSITIVE_INFINITY, isAllowed }: Access,
    current: User | undefined,
    liveLogins: ReadonlySet<string>,
    now: number,
  ): Promise<AccessEnd | undefined> {
    if (current === undefined) return 'deleted'
    const isRevoked =
      current.suspendedAt !== undefined ||
      current.tokensValidFrom > user.tokensValidFrom ||
      (loginId !== undefined && !liveLogins.has(loginId)) ||
      now >= expiresAt
    if (isRevoked) return 'revoked'
    if (personalTokenId !== undefined) {
      const token = await this.#deps.personalTokens.findLive(personalTokenId, now)
      if (token === undefined) return 'revoked'
    }
    return isAllowed === undefined || (await isAllowed(current)) ? undefined : 'revoked'
  }

  #isWatched(watched: Watched): boolean {
    return this.#byUser.get(watched.access.user.id)?.has(watched) === true
  }
}

function isConditional({ access }: Watched): boolean {
  return access.isAllowed !== undefined
}
