import type { AuthenticationCache, VerifiedToken } from './authentication-cache.ts'
import { hashEmail, normalizeEmail, readEmailInUrl } from './email.ts'
import type { LoginStore } from './login-store.ts'
import { isRevoked } from './login-tokens.ts'
import type { TokenClaims, TokenScope, Tokens } from './tokens.ts'
import type { NewHolder, User, UserStore } from './user-store.ts'

/** Gives addresses to the people who have proven to own them. */
export interface AccountClaims {
  /**
   * Replaces the account of an unconfirmed address with a new, confirmed one. Everything that the earlier holder made or
   * may use is deleted first. A claim is stored: if the process ends before it is complete, another completes it.
   * @returns the new account; undefined if the user does not exist, or the address was confirmed
   * @throws Error if a step of the deletion fails; the claim is then retried in the background
   */
  claim(userId: string, holder?: NewHolder): Promise<User | undefined>
}

/** The claims for what exists before the feature that carries them out. Connected before the cloud serves. */
export class LateAccountClaims implements AccountClaims {
  #claims: AccountClaims | undefined

  connect(claims: AccountClaims): void {
    this.#claims = claims
  }

  claim(userId: string, holder?: NewHolder): Promise<User | undefined> {
    if (this.#claims === undefined) throw new Error('The claims are not connected yet')
    return this.#claims.claim(userId, holder)
  }
}

/** Why a token is rejected, for logs and counters. Clients receive `Unauthorized` in all cases. */
export type TokenRejection = 'invalid' | 'expired' | 'scope' | 'revoked' | 'deleted' | 'suspended'

/** The user of a token, or the reason for its rejection. */
export type Authentication =
  | {
      readonly ok: true
      readonly user: User
      readonly scope: TokenScope
      /** The login that the credential belongs to. */
      readonly loginId: string | undefined
      /** Epoch ms from which the credential is rejected; infinite for a token without `exp`. */
      readonly expiresAt: number
    }
  | { readonly ok: false; readonly reason: TokenRejection }

/** The user of an identity that another issuer verified, or the reason for the rejection. */
export type ForeignAuthentication =
  | { readonly ok: true; readonly user: User }
  | { readonly ok: false; readonly reason: TokenRejection }

export interface AuthenticatorDeps {
  readonly tokens: Tokens
  readonly users: UserStore
  readonly logins: LoginStore
  readonly claims: AccountClaims
  /** Keys of the hashed e-mail addresses of deleted users. */
  readonly secrets: readonly string[]
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
    const { user, scope, loginId, expiresAt } = verified
    return options.scopes.includes(scope)
      ? { ok: true, user, scope, loginId, expiresAt }
      : { ok: false, reason: 'scope' }
  }

  /** Authenticates the session token of a login, which browsers send in a cookie. */
  async authenticateSession(token: string): Promise<Authentication> {
    const { logins, users, now } = this.#deps
    const login = await logins.findBySessionToken(token, now())
    if (login === undefined) return { ok: false, reason: 'invalid' }
    const user = await users.findById(login.userId)
    if (user === undefined) return { ok: false, reason: 'deleted' }
    if (user.suspendedAt !== undefined) return { ok: false, reason: 'suspended' }
    if (isRevoked(login, user)) return { ok: false, reason: 'revoked' }
    return { ok: true, user, scope: 'core', loginId: login.id, expiresAt: login.expiresAt }
  }

  async #verify(token: string): Promise<VerifiedToken | TokenRejection> {
    const reading = this.#deps.tokens.read(token)
    if (!reading.ok) return reading.reason
    const { claims } = reading
    const user = claims.isOwn ? await this.#findOwnUser(claims) : await this.#findForeignUser(claims)
    if (typeof user === 'string') return user
    if (user.suspendedAt !== undefined) return 'suspended'
    if (issuedBefore(claims, user.tokensValidFrom)) return 'revoked'
    const { scope, expiresAt } = claims
    if (!claims.isOwn || claims.loginId === undefined) return { user, scope, expiresAt, loginId: undefined }
    const login = await this.#deps.logins.findLive(claims.loginId, this.#deps.now())
    if (login?.userId !== user.id) return 'revoked'
    return { user, scope, loginId: login.id, expiresAt: Math.min(expiresAt, login.expiresAt) }
  }

  /** Authenticates an identity that another issuer verified, creating the user if necessary. */
  async authenticateIdentity(
    identity: Pick<TokenClaims, 'email' | 'issuedAt'>,
  ): Promise<ForeignAuthentication> {
    const found = await this.#findForeignUser(identity)
    if (typeof found === 'string') return { ok: false, reason: found }
    if (found.suspendedAt !== undefined) return { ok: false, reason: 'suspended' }
    if (issuedBefore(identity, found.tokensValidFrom)) return { ok: false, reason: 'revoked' }
    return { ok: true, user: found }
  }

  /**
   * Finds the user that app-facing interfaces identify by e-mail address as `userId` (decision I1). Suspended users are
   * not found.
   */
  async findUserByEmail(userId: string): Promise<User | undefined> {
    const email = readEmailInUrl(userId)
    const user = email === undefined ? undefined : await this.#deps.users.findByEmail(email)
    return user?.suspendedAt === undefined ? user : undefined
  }

  async #findOwnUser(claims: TokenClaims): Promise<User | TokenRejection> {
    return (await this.#deps.users.findById(claims.sub)) ?? 'deleted'
  }

  /** Finds or creates a user by e-mail address, since other issuers have their own user ids. */
  async #findForeignUser(claims: Pick<TokenClaims, 'email' | 'issuedAt'>): Promise<User | TokenRejection> {
    const { users, now } = this.#deps
    const email = normalizeEmail(claims.email)
    if (email === undefined) return 'invalid'
    // In this order, so that a concurrent deletion is seen: either the user still exists, or the deletion is recorded.
    const existing = await users.findByEmail(email)
    const deletedAt = await this.#deletedAt(email)
    if (deletedAt !== undefined && (claims.issuedAt ?? 0) <= deletedAt) return 'deleted'
    // The issuer has verified the address, while anybody may have signed up with it here.
    if (existing?.isEmailVerified === false) await this.#deps.claims.claim(existing.id)
    return existing?.isEmailVerified === true ? existing : users.findOrCreate(email, now())
  }

  async #deletedAt(email: string): Promise<number | undefined> {
    const { users, secrets } = this.#deps
    const deletions = await Promise.all(secrets.map((secret) => users.deletedAt(hashEmail(email, secret))))
    return deletions.reduce((latest, at) => (at === undefined || (latest ?? 0) > at ? latest : at), undefined)
  }
}

/** Returns whether a token was issued before a logout. One without `iat` counts as issued before any. */
export function issuedBefore(claims: Pick<TokenClaims, 'issuedAt'>, validFrom: number): boolean {
  return (claims.issuedAt ?? 0) < validFrom
}
