import { createHash, randomBytes } from 'node:crypto'
import { WEBVIEW_TOKEN_TTL_MS } from '@glasses-cloud/contract'
import type { LoginStore, User, UserStore } from '../../identity/index.ts'
import type { WebviewTokenStore } from './webview-token-store.ts'

export interface WebviewTokensDeps {
  readonly store: WebviewTokenStore
  readonly users: UserStore
  readonly logins: Pick<LoginStore, 'findLive'>
  /** Epoch ms. */
  readonly now: () => number
}

/**
 * Temporary tokens that identify the user of a web view to the server of one app: valid once, for one minute. Only
 * their hashes are stored.
 */
export class WebviewTokens {
  readonly #deps: WebviewTokensDeps

  constructor(deps: WebviewTokensDeps) {
    this.#deps = deps
  }

  /**
   * Issues a token.
   * @param loginId the login that it ends with
   * @returns 64 hexadecimal digits
   */
  async issue(user: User, app: { readonly id: string }, loginId: string | undefined): Promise<string> {
    const { store, now } = this.#deps
    const issuedAt = now()
    // Deletes expired tokens that were never exchanged.
    await store.deleteIssuedBefore(issuedAt - WEBVIEW_TOKEN_TTL_MS)
    const token = randomBytes(32).toString('hex')
    await store.add({ tokenHash: hashToken(token), userId: user.id, appId: app.id, issuedAt, loginId })
    return token
  }

  /**
   * Consumes a token of an app and returns its user; undefined if the token is unknown, expired or revoked.
   */
  async exchange(token: string, app: { readonly id: string }): Promise<User | undefined> {
    const { store, users, logins, now } = this.#deps
    const taken = await store.consume(hashToken(token), app.id)
    if (taken === undefined || now() >= taken.issuedAt + WEBVIEW_TOKEN_TTL_MS) return undefined
    if (taken.loginId !== undefined && !(await logins.findLive(taken.loginId, now()))) return undefined
    const user = await users.findById(taken.userId)
    // Logging out everywhere revokes these, too.
    const isValid = user?.suspendedAt === undefined && taken.issuedAt >= (user?.tokensValidFrom ?? 0)
    return isValid ? user : undefined
  }
}

const hashToken = (token: string) => createHash('sha256').update(token).digest('hex')
