import type { AuthenticationCache, VerifiedToken } from './authentication-cache.ts'
import { normalizeEmail } from './email.ts'
import { hashEmail } from './email-hash.ts'
import type { TokenClaims, TokenScope, Tokens } from './tokens.ts'
import type { User, UserStore } from './user-store.ts'

/** Why a token opens nothing: a word for logs and counters. Clients are told `Unauthorized`, whatever it was. */
export type TokenRejection = 'invalid' | 'expired' | 'scope' | 'revoked' | 'deleted'

/** Whose token it is, or why it is refused. */
export type Authentication =
  | { readonly ok: true; readonly user: User; readonly scope: TokenScope }
  | { readonly ok: false; readonly reason: TokenRejection }

/** Who somebody is on the word of another issuer, or why nobody. */
export type ForeignAuthentication =
  | { readonly ok: true; readonly user: User }
  | { readonly ok: false; readonly reason: TokenRejection }

/** What the authenticator works with. */
export interface AuthenticatorDeps {
  readonly tokens: Tokens
  readonly users: UserStore
  /** Key of the hashes that deleted users leave behind. */
  readonly secret: string
  readonly now: () => number
  /** Without it every token is verified and every user read. */
  readonly cache?: AuthenticationCache
}

/** Finds the user behind a token, for REST and for the sockets (decisions I2 and I3). */
export class Authenticator {
  readonly #deps: AuthenticatorDeps

  constructor(parts: AuthenticatorDeps) {
    this.#deps = parts
  }

  /**
   * @param options.scopes what the token must open one of: `['core']` for nearly everything, `['core', 'glasses']`
   *   for the glasses' socket and the gallery
   */
  async authenticateToken(
    token: string,
    options: { readonly scopes: readonly TokenScope[] },
  ): Promise<Authentication> {
    const { cache, now } = this.#deps
    const generation = (await cache?.catchUp()) ?? 0
    const verified = cache?.find(token, now()) ?? (await this.#verify(token))
    if (typeof verified === 'string') return { ok: false, reason: verified }
    cache?.add(token, verified, generation)
    const { user, scope } = verified
    return options.scopes.includes(scope) ? { ok: true, user, scope } : { ok: false, reason: 'scope' }
  }

  async #verify(token: string): Promise<VerifiedToken | TokenRejection> {
    const reading = this.#deps.tokens.read(token)
    if (!reading.ok) return reading.reason
    const { claims } = reading
    const user = claims.isOwn ? await this.#findOwnUser(claims) : await this.#findForeignUser(claims)
    if (typeof user === 'string') return user
    if (issuedBefore(claims, user.tokensValidFrom)) return 'revoked'
    return { user, scope: claims.scope, expiresAt: claims.expiresAt }
  }

  /** The user of an e-mail that somebody else vouches for, who is made if there is none. */
  async authenticateIdentity(
    identity: Pick<TokenClaims, 'email' | 'issuedAt'>,
  ): Promise<ForeignAuthentication> {
    const found = await this.#findForeignUser(identity)
    if (typeof found === 'string') return { ok: false, reason: found }
    if (issuedBefore(identity, found.tokensValidFrom)) return { ok: false, reason: 'revoked' }
    return { ok: true, user: found }
  }

  /** The user whom app-facing interfaces call `userId`: by e-mail (decision I1). Nothing if the text is none of a user's. */
  async findUserByEmail(userId: string): Promise<User | undefined> {
    const email = normalizeEmail(userId)
    return email === undefined ? undefined : this.#deps.users.findByEmail(email)
  }

  async #findOwnUser(claims: TokenClaims): Promise<User | TokenRejection> {
    return (await this.#deps.users.findById(claims.sub)) ?? 'deleted'
  }

  /** The other issuer names its users by ids of its own, so its e-mail counts. */
  async #findForeignUser(claims: Pick<TokenClaims, 'email' | 'issuedAt'>): Promise<User | TokenRejection> {
    const { users, secret, now } = this.#deps
    const email = normalizeEmail(claims.email)
    if (email === undefined) return 'invalid'
    // In this order: a user whom a deletion removes in between is found, or else the mark it leaves is.
    const existing = await users.findByEmail(email)
    const deletedAt = await users.deletedAt(hashEmail(email, secret))
    if (deletedAt !== undefined && (claims.issuedAt ?? 0) <= deletedAt) return 'deleted'
    return existing ?? users.findOrCreate(email, now())
  }
}

/** A token that does not say when it was issued counts as older than any logout. */
function issuedBefore(claims: Pick<TokenClaims, 'issuedAt'>, validFrom: number): boolean {
  return (claims.issuedAt ?? 0) < validFrom
}
