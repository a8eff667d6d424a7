import { createHmac, randomBytes } from 'node:crypto'
import type { LoginStore } from './login-store.ts'
import type { PersonalTokenStore } from './personal-token-store.ts'
import { hashSecret } from './secrets.ts'
import { DEFAULT_TOKEN_LIFETIME_MS, type Tokens } from './tokens.ts'
import type { User, UserStore } from './user-store.ts'

/** Replacements of a refresh token after which an earlier one is still recognized. */
const MAX_SUCCESSORS = 500

const REFRESH_TOKEN_PATTERN = /^gcr_([0-9a-f-]{36})_[A-Za-z0-9_-]{43}$/

/** The tokens of a login. */
export interface IssuedTokens {
  readonly coreToken: string
  readonly refreshToken: string
  /** Lifetime of the core token in seconds. */
  readonly expiresIn: number
}

/** New tokens, or why a refresh token was rejected; `reused` ended its login. */
export type RefreshOutcome =
  | ({ readonly ok: true; readonly loginId: string } & IssuedTokens)
  | { readonly ok: false; readonly reason: 'invalid' | 'revoked' | 'reused' }

export interface LoginTokensDeps {
  readonly logins: LoginStore
  readonly users: UserStore
  readonly tokens: Tokens
  /** The accepted values of `AUTH_SECRET`, the current one first. */
  readonly secrets: readonly [string, ...string[]]
  readonly now: () => number
}

/**
 * Issues the core and refresh tokens of logins. A refresh token is used once; its successor is derived from it. Until that
 * is used, the response may have been lost, so a client that repeats its request receives the same successor. A token whose
 * successor was used is in the wrong hands on one side, so it ends the login: it is recognized by its successors, one of
 * which is the current token. A forged token has no such successor and is only rejected.
 */
export class LoginTokens {
  readonly #deps: LoginTokensDeps

  constructor(deps: LoginTokensDeps) {
    this.#deps = deps
  }

  /** Issues tokens for a login; its earlier refresh token becomes invalid. */
  async issue(user: User, loginId: string): Promise<IssuedTokens> {
    const refreshToken = `gcr_${loginId}_${randomBytes(32).toString('base64url')}`
    const { logins, now } = this.#deps
    await logins.setRefreshToken(loginId, hashSecret(refreshToken), now())
    return this.#issued(user, loginId, refreshToken)
  }

  /** Exchanges a refresh token for new tokens. */
  async refresh(refreshToken: string): Promise<RefreshOutcome> {
    const { logins, users, now } = this.#deps
    const loginId = REFRESH_TOKEN_PATTERN.exec(refreshToken)?.[1]
    const state = loginId === undefined ? undefined : await logins.refreshState(loginId, now())
    if (loginId === undefined || state?.currentHash === undefined) return { ok: false, reason: 'invalid' }
    const user = await users.findById(state.login.userId)
    if (user === undefined || user.suspendedAt !== undefined || isRevoked(state.login, user))
      return { ok: false, reason: 'revoked' }

    const tokens = await this.exchange(user, loginId, refreshToken)
    if (tokens !== undefined) return { ok: true, loginId, ...tokens }
    const latest = await logins.refreshState(loginId, now())
    if (!this.#isUsed(refreshToken, loginId, latest?.currentHash)) return { ok: false, reason: 'invalid' }
    await logins.remove(user.id, loginId)
    return { ok: false, reason: 'reused' }
  }

  /**
   * Exchanges the current secret of a login, a refresh token or the one that it was created with; or, as long as its
   * successor is current, because that was not used, the one before.
   */
  async exchange(user: User, loginId: string, secret: string): Promise<IssuedTokens | undefined> {
    const { logins, now } = this.#deps
    const successors = this.#successors(secret, loginId)
    const [next] = successors
    const exchanges = [[secret, next] as const, ...successors.map((token) => [token, token] as const)]
    for (const [current, refreshToken] of exchanges)
      if (await logins.replaceRefreshToken(loginId, hashSecret(current), hashSecret(refreshToken), now()))
        return this.#issued(user, loginId, refreshToken)
    return undefined
  }

  #issued(user: User, loginId: string, refreshToken: string): IssuedTokens {
    const coreToken = this.#deps.tokens.issue(user, { loginId })
    return { coreToken, refreshToken, expiresIn: DEFAULT_TOKEN_LIFETIME_MS / 1000 }
  }

  /** Returns whether a token that followed another one is the current one. */
  #isUsed(refreshToken: string, loginId: string, currentHash: string | undefined): boolean {
    return this.#successors(refreshToken, loginId).some((first) => {
      let token = first
      for (let count = 0; count < MAX_SUCCESSORS; count += 1) {
        if (hashSecret(token) === currentHash) return true
        ;[token] = this.#successors(token, loginId)
      }
      return false
    })
  }

  /** Returns the successor of a token, and those that nodes with other secrets may have issued. */
  #successors(token: string, loginId: string): [string, ...string[]] {
    const [first, ...others] = this.#deps.secrets
    const successor = (secret: string) => {
      const mac = createHmac('sha256', secret).update(`refresh:${token}`).digest('base64url')
      return `gcr_${loginId}_${mac}`
    }
    return [successor(first), ...others.map(successor)]
  }
}

/** How far ahead of the clock a logout may be dated, see `Tokens.issue`. */
const LOGOUT_LEAD_MS = 2_000

/**
 * Returns whether what was created at a time is revoked by a later logout or deletion. Logging out deletes logins and
 * personal tokens, so that the seconds around it need not be told apart.
 */
export function isRevoked({ createdAt }: { readonly createdAt: number }, user: User): boolean {
  return createdAt + LOGOUT_LEAD_MS < user.tokensValidFrom
}

export interface LogOutDeps {
  readonly users: UserStore
  readonly logins: LoginStore
  readonly personalTokenStore: PersonalTokenStore
  readonly now: () => number
}

/**
 * Revokes every token of a user: logins, core, glasses, refresh and personal tokens. Their live session ends on the node
 * that hosts it, which notices the change.
 */
export async function logOutEverywhere(
  { users, logins, personalTokenStore, now }: LogOutDeps,
  user: User,
): Promise<void> {
  // `Tokens.issue` dates tokens ahead in the second after an earlier logout; these are revoked as well.
  const afterEarlier = Math.ceil(user.tokensValidFrom / 1000) * 1000 + 1
  await users.setTokensValidFrom(user.id, Math.max(now(), afterEarlier))
  await logins.removeAll(user.id)
  await personalTokenStore.removeAll(user.id)
}
