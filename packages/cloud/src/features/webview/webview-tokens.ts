import { createHash, randomBytes } from 'node:crypto'
import { WEBVIEW_TOKEN_TTL_MS } from '@glasses-cloud/contract'
import type { User, UserStore } from '../../identity/index.ts'
import type { WebviewTokenStore } from './webview-token-store.ts'

/** What temporary tokens are made with. */
export interface WebviewTokensParts {
  readonly store: WebviewTokenStore
  readonly users: UserStore
  /** Epoch ms. */
  readonly now: () => number
}

/**
 * Temporary tokens that tell the server of one app who looks at its web view: good once, for a minute. Whoever reads
 * the database reads hashes.
 */
export class WebviewTokens {
  readonly #parts: WebviewTokensParts

  constructor(parts: WebviewTokensParts) {
    this.#parts = parts
  }

  /** @returns 64 hexadecimal digits */
  async issue(user: User, app: { readonly id: string }): Promise<string> {
    const { store, now } = this.#parts
    const issuedAt = now()
    // Those that nobody exchanged leave with the next one.
    await store.sweep(issuedAt - WEBVIEW_TOKEN_TTL_MS)
    const token = randomBytes(32).toString('hex')
    await store.add({ tokenHash: hashOf(token), userId: user.id, appId: app.id, issuedAt })
    return token
  }

  /** The user of a token, for the app it is bound to; a token is gone with it. Nothing if it is not good any more. */
  async exchange(token: string, app: { readonly id: string }): Promise<User | undefined> {
    const { store, users, now } = this.#parts
    const taken = await store.take(hashOf(token), app.id)
    if (taken === undefined || now() >= taken.issuedAt + WEBVIEW_TOKEN_TTL_MS) return undefined
    const user = await users.findById(taken.userId)
    // Who logged out everywhere meant these too.
    return user !== undefined && taken.issuedAt >= user.tokensValidFrom ? user : undefined
  }
}

const hashOf = (token: string) => createHash('sha256').update(token).digest('hex')
