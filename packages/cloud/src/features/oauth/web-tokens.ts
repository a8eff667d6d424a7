import { createHash } from 'node:crypto'
import type { JWK } from 'jose'
import type { ApiKeyStore } from '../../identity/index.ts'

import { algorithm, SigningKeys } from './signing-key.ts'
import type { SigningKeyStore } from './signing-key-store.ts'

/** How long a token for the web page of an app lives, in seconds. */
const lifeS = 10 * 60

/** What web tokens are made with. */
export interface WebTokensParts {
  readonly keys: SigningKeyStore
  readonly apiKeys: ApiKeyStore
  /** `AUTH_SECRET`. */
  readonly secret: string
  /** What the tokens name as their issuer. */
  readonly issuer: () => string
  /** Epoch ms. */
  readonly now: () => number
}

/** Issues the short-lived tokens with which a user signs in to the web page of an app (decision I6). */
export class WebTokens {
  readonly #parts: WebTokensParts
  readonly #keys: SigningKeys

  constructor(parts: WebTokensParts) {
    this.#parts = parts
    this.#keys = new SigningKeys(parts.keys, parts.secret, parts.now)
  }

  /** A token that tells one app who the user is, and opens nothing of the cloud itself. */
  async issue(email: string, app: { readonly id: string; readonly packageName: string }): Promise<string> {
    const { kid, privateKey } = await this.#keys.current()
    const issuedAt = Math.floor(this.#parts.now() / 1000)
    const frontendToken = await this.#frontendToken(email, app.id)
    const { SignJWT } = await import('jose')
    return new SignJWT(frontendToken === undefined ? {} : { frontendToken })
      .setProtectedHeader({ alg: algorithm, kid, typ: 'JWT' })
      .setIssuer(this.#parts.issuer())
      .setAudience(app.packageName)
      .setSubject(email)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + lifeS)
      .sign(privateKey)
  }

  /** What verifiers need, as `/.well-known/jwks.json` holds it. */
  async publicKeys(): Promise<{ readonly keys: readonly JWK[] }> {
    return { keys: [(await this.#keys.current()).publicJwk] }
  }

  /**
   * A hash of a text that whoever has the app's API key can check: hex SHA-256 of the text and the stored hash of the
   * key. Made with the newest key, for that is the one an app in the midst of changing keys will still have tomorrow.
   * @returns nothing if the app has no key
   */
  async keyHash(text: string, appId: string): Promise<string | undefined> {
    const [newest] = await this.#parts.apiKeys.list(appId)
    return newest && createHash('sha256').update(text).update(newest.hash).digest('hex')
  }

  /** What the app SDK checks with the app's own API key: `<email>:<hash>`. */
  async #frontendToken(email: string, appId: string): Promise<string | undefined> {
    const hash = await this.keyHash(email, appId)
    return hash === undefined ? undefined : `${email}:${hash}`
  }
}
