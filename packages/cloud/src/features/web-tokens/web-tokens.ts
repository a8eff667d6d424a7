import { createHash } from 'node:crypto'
import type { JWK } from 'jose'
import type { ApiKeyStore } from '../../identity/index.ts'
import { SIGNING_ALGORITHM, SigningKeys } from './signing-key.ts'
import type { SigningKeyStore } from './signing-key-store.ts'

const LIFETIME_S = 10 * 60

export interface WebTokensDeps {
  readonly keys: SigningKeyStore
  readonly apiKeys: ApiKeyStore
  /** The accepted values of `AUTH_SECRET`, the current one first. */
  readonly secrets: readonly string[]
  /** Issuer of the tokens. */
  readonly issuer: () => string
  /** Epoch ms. */
  readonly now: () => number
}

/** Issues the short-lived tokens that sign a user in to the web page of an app (decision I6). */
export class WebTokens {
  readonly #deps: WebTokensDeps
  readonly #keys: SigningKeys

  constructor(deps: WebTokensDeps) {
    this.#deps = deps
    this.#keys = new SigningKeys(deps.keys, deps.secrets, deps.now)
  }

  /** Issues a token that identifies the user to one app and grants no access to the cloud. */
  async issue(email: string, app: { readonly id: string; readonly packageName: string }): Promise<string> {
    const { kid, privateKey } = await this.#keys.current()
    const issuedAt = Math.floor(this.#deps.now() / 1000)
    const frontendToken = await this.#frontendToken(email, app.id)
    const { SignJWT } = await import('jose')
    return new SignJWT(frontendToken === undefined ? {} : { frontendToken })
      .setProtectedHeader({ alg: SIGNING_ALGORITHM, kid, typ: 'JWT' })
      .setIssuer(this.#deps.issuer())
      .setAudience(app.packageName)
      .setSubject(email)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + LIFETIME_S)
      .sign(privateKey)
  }

  /** Returns the content of `/.well-known/jwks.json`. */
  async publicKeys(): Promise<{ readonly keys: readonly JWK[] }> {
    return { keys: await this.#keys.publicJwks() }
  }

  /**
   * Hashes a text so that the app can verify it with its API key: hex SHA-256 of the text and the signing key of
   * the newest key, which an app that rotates its keys will have longest.
   * @returns undefined if the app has no key
   */
  async hashWithKey(text: string, appId: string): Promise<string | undefined> {
    const [newest] = await this.#deps.apiKeys.signingKeys(appId)
    return newest && createHash('sha256').update(text).update(newest).digest('hex')
  }

  /** Returns `<email>:<hash>`, which the app SDK verifies with the app's API key. */
  async #frontendToken(email: string, appId: string): Promise<string | undefined> {
    const hash = await this.hashWithKey(email, appId)
    return hash === undefined ? undefined : `${email}:${hash}`
  }
}
