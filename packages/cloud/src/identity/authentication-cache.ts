import type { ChangedKeys, ChangeFeed } from '../db/index.ts'
import type { TokenScope } from './tokens.ts'
import type { User } from './user-store.ts'

/** Tokens remembered at a time; the least recently used are forgotten first. */
const MAX_TOKENS = 5_000

/** A verified token. */
export interface VerifiedToken {
  readonly user: User
  readonly scope: TokenScope
  /** The login that the token belongs to. */
  readonly loginId: string | undefined
  /** Epoch ms from which the token is rejected; infinite for one without `exp`. */
  readonly expiresAt: number
}

/**
 * Verified tokens with their users. An entry is removed when the row of its user changes, in this process or any
 * other: a revoked token is rejected by the next request.
 */
export class AuthenticationCache {
  readonly #changes: ChangeFeed
  readonly #tokens = new Map<string, VerifiedToken>()
  readonly #tokensByUser = new Map<string, Set<string>>()
  /** Grows with every change of users. */
  #generation = 0

  constructor(changes: ChangeFeed) {
    this.#changes = changes
    changes.on('users', (keys) => this.#invalidate(keys))
  }

  /**
   * Applies all changes committed so far. Call it before `find`, and before reading what `add` is to remember.
   * @returns the generation for `add`
   */
  async catchUp(): Promise<number> {
    const pending = this.#changes.catchUp()
    if (pending !== undefined) await pending
    return this.#generation
  }

  /** The token's entry, if it has not expired. */
  find(token: string, now: number): VerifiedToken | undefined {
    const entry = this.#tokens.get(token)
    if (entry === undefined) return undefined
    this.#tokens.delete(token)
    if (now >= entry.expiresAt) {
      this.#forget(token, entry.user.id)
      return undefined
    }
    // A map keeps the order of insertion: the first key is the least recently used.
    this.#tokens.set(token, entry)
    return entry
  }

  /** Remembers a token, unless users changed since the generation was returned: the entry might be outdated. */
  add(token: string, entry: VerifiedToken, generation: number): void {
    if (generation !== this.#generation) return
    this.#tokens.set(token, entry)
    const tokens = this.#tokensByUser.get(entry.user.id)
    if (tokens) tokens.add(token)
    else this.#tokensByUser.set(entry.user.id, new Set([token]))
    if (this.#tokens.size > MAX_TOKENS) this.#removeOldest()
  }

  #removeOldest(): void {
    for (const [token, { user }] of this.#tokens) {
      this.#tokens.delete(token)
      this.#forget(token, user.id)
      return
    }
  }

  #forget(token: string, userId: string): void {
    const tokens = this.#tokensByUser.get(userId)
    tokens?.delete(token)
    if (tokens?.size === 0) this.#tokensByUser.delete(userId)
  }

  #invalidate(keys: ChangedKeys): void {
    this.#generation += 1
    if (keys === 'all') {
      this.#tokens.clear()
      this.#tokensByUser.clear()
      return
    }
    for (const userId of keys) {
      for (const token of this.#tokensByUser.get(userId) ?? []) this.#tokens.delete(token)
      this.#tokensByUser.delete(userId)
    }
  }
}
