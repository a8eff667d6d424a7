import type { AuthenticationCache, VerifiedToken } from './authentication-cache.ts'
import { normalizeEmail } from './email.ts'
import { hashEmail } from './email-hash.ts'
import type { TokenClaims, TokenScope, Tokens } from './tokens.ts'
import type { User, UserStore } from './user-store.ts'

/** Why a token is rejected, for logs and counters. Clients receive `Unauthorized` in all cases. */
export type TokenRejection = 'invalid' | 'expired' | 'scope' | 'revoked' | 'deleted'

/** The user of a token, or the reason for its rejection. */
export type Authentication =
  | { readonly ok: true; readonly user: User; readonly scope: TokenScope }
  | { readonly ok: false; readonly reason: TokenRejection }

/** The user of an identity that another issuer verified, or the reason for the rejection. */
export type ForeignAuthentication =
  | { readonly ok: true; readonly user: User }
  | { readonly ok: false; readonly reason: TokenRejection }

export interface AuthenticatorDeps {
  readonly tokens: Tokens
  readonly users: UserStore
  /** Key of the hashed e-mail addresses of deleted users. */
  readonly secret: string
  readonly now: () => number
  /** Without it every token is verified and every user read. */
  readonly cache?: AuthenticationCache
}

/** Authenticates users by token, for REST and sockets (decisions I2 and I3). */
export class Authenticator {
  readonly #deps: AuthenticatorDeps

  constructor(deps: AuthenticatorDeps) {
    this.#deps = deps
  }

  /**
   * Authenticates a token.
   * @param options.scopes accepted scopes: `['core']` for most endpoints, `['core', 'glasses']` for what a glasses token
   *   opens
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

  /** Authenticates an identity that another issuer verified, creating the user if necessary. */
  async authenticateIdentity(
    identity: Pick<TokenClaims, 'email' | 'issuedAt'>,
  ): Promise<ForeignAuthentication> {
    const found = await this.#findForeignUser(identity)
    if (typeof found === 'string') return { ok: false, reason: found }
    if (issuedBefore(identity, found.tokensValidFrom)) return { ok: false, reason: 'revoked' }
    return { ok: true, user: found }
  }

  /** Finds the user that app-facing interfaces identify by e-mail address as `userId` (decision I1). */
  async findUserByEmail(userId: string): Promise<User | undefined> {
    const email = normalizeEmail(userId)
    return email === undefined ? undefined : this.#deps.users.findByEmail(email)
  }

  async #findOwnUser(claims: TokenClaims): Promise<User | TokenRejection> {
    return (await this.#deps.users.findById(claims.sub)) ?? 'deleted'
  }

  /** Finds or creates a user by e-mail address, since other issuers have their own user ids. */
  async #findForeignUser(claims: Pick<TokenClaims, 'email' | 'issuedAt'>): Promise<User | TokenRejection> {
    const { users, secret, now } = this.#deps
    const email = normalizeEmail(claims.email)
    if (email === undefined) return 'invalid'
    // In this order, so that a concurrent deletion is seen: either the user still exists, or the deletion is recorded.
    const existing = await users.findByEmail(email)
    const deletedAt = await users.deletedAt(hashEmail(email, secret))
    if (deletedAt !== undefined && (claims.issuedAt ?? 0) <= deletedAt) return 'deleted'
    return existing ?? users.findOrCreate(email, now())
  }
}

/** A token without `iat` counts as issued before any logout. */
function issuedBefore(claims: Pick<TokenClaims, 'issuedAt'>, validFrom: number): boolean {
  return (claims.issuedAt ?? 0) < validFrom
}
