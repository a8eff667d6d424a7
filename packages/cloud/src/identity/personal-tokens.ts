import { randomBytes } from 'node:crypto'
import { isRevoked } from './login-tokens.ts'
import type { PersonalToken, PersonalTokenScope, PersonalTokenStore } from './personal-token-store.ts'
import { hashSecret, matchesHash } from './secrets.ts'
import type { User, UserStore } from './user-store.ts'

const PERSONAL_TOKEN_PATTERN = /^gcp_([0-9a-f]{16})_[A-Za-z0-9_-]{43}$/

/** What a new personal token is created with. */
export interface NewPersonalToken {
  readonly userId: string
  readonly name: string
  readonly scopes: readonly PersonalTokenScope[]
  /** Epoch milliseconds. */
  readonly expiresAt: number
}

/** The id, the user and the scopes of a verified personal token. */
export interface PersonalTokenOwner {
  readonly tokenId: string
  readonly user: User
  readonly scopes: readonly PersonalTokenScope[]
}

export interface PersonalTokensDeps {
  readonly store: PersonalTokenStore
  readonly users: UserStore
  readonly now: () => number
}

/** Issues and verifies personal access tokens, for the command line and CI. */
export class PersonalTokens {
  readonly #deps: PersonalTokensDeps

  constructor(deps: PersonalTokensDeps) {
    this.#deps = deps
  }

  /**
   * Creates a token of the form `gcp_<id>_<secret>`; the secret has 256 random bits.
   * @returns the token, which is not stored; undefined if the user has too many
   */
  async create(values: NewPersonalToken): Promise<(PersonalToken & { readonly token: string }) | undefined> {
    const id = randomBytes(8).toString('hex')
    const token = `gcp_${id}_${randomBytes(32).toString('base64url')}`
    const stored = { ...values, id, hash: hashSecret(token), createdAt: this.#deps.now() }
    return (await this.#deps.store.add(stored)) ? { ...stored, lastUse: undefined, token } : undefined
  }

  /** Returns whether a bearer token has the form of a personal token, valid or not. */
  isPersonalToken(token: string): boolean {
    return token.startsWith('gcp_')
  }

  /** @returns undefined if the token is invalid or expired, or its user is suspended */
  async verify(token: string): Promise<PersonalTokenOwner | undefined> {
    const { store, users, now } = this.#deps
    const id = PERSONAL_TOKEN_PATTERN.exec(token)?.[1]
    const stored = id === undefined ? undefined : await store.findLive(id, now())
    if (stored === undefined || !matchesHash(token, stored.hash)) return undefined
    const user = await users.findById(stored.userId)
    if (user === undefined || user.suspendedAt !== undefined) return undefined
    if (isRevoked(stored, user)) return undefined
    return { tokenId: stored.id, user, scopes: stored.scopes }
  }

  list(userId: string): Promise<PersonalToken[]> {
    return this.#deps.store.list(userId)
  }

  /** @returns whether the token existed and belonged to the user */
  remove(userId: string, id: string): Promise<boolean> {
    return this.#deps.store.remove(userId, id)
  }
}
