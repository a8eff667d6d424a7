import type { CryptoKey, JWK } from 'jose'
import { fromJson, toJson } from '../../db/index.ts'
import { seal, secretId, unseal } from '../../identity/index.ts'
import type { SigningKeyStore, StoredKey } from './signing-key-store.ts'

/** See decision I6. */
export const SIGNING_ALGORITHM = 'RS256'

const PURPOSE = 'oauth signing key'

export interface SigningKey {
  readonly kid: string
  readonly privateKey: CryptoKey
  /** Public key as it is published, with `kid`, `alg` and `use`. */
  readonly publicJwk: JWK
}

/**
 * The signing key of the cloud, generated at first use and stored in the database, so that all nodes share it. The
 * private key is encrypted with a key derived from `AUTH_SECRET`, so that read access to the database is not enough to
 * sign.
 */
export class SigningKeys {
  readonly #store: SigningKeyStore
  readonly #secret: string
  readonly #previousSecrets: readonly string[]
  readonly #now: () => number
  #current: Promise<SigningKey> | undefined

  /** @param secrets the accepted values of `AUTH_SECRET`, the current one first */
  constructor(
    store: SigningKeyStore,
    [secret = '', ...previousSecrets]: readonly string[],
    now: () => number,
  ) {
    this.#store = store
    this.#secret = secret
    this.#previousSecrets = previousSecrets
    this.#now = now
  }

  /**
   * Loads `jose` at first use, because most clouds never need it.
   * @throws Error if the database fails or the stored key is corrupt
   */
  current(): Promise<SigningKey> {
    this.#current ??= this.#load().catch((error: unknown) => {
      // The next call retries.
      this.#current = undefined
      throw error
    })
    return this.#current
  }

  /** Returns the published keys: the current one, and those of nodes that still sign with another secret. */
  async publicJwks(): Promise<JWK[]> {
    const { publicJwk } = await this.current()
    const ids = this.#previousSecrets.map((secret) => secretId(secret, PURPOSE))
    const previous = await Promise.all(ids.map((id) => this.#store.find(id)))
    return [
      publicJwk,
      ...previous.flatMap((key) => (key === undefined ? [] : [fromJson<JWK>(key.publicJwk)])),
    ]
  }

  async #load(): Promise<SigningKey> {
    const { importPKCS8 } = await import('jose')
    const id = secretId(this.#secret, PURPOSE)
    const stored =
      (await this.#store.find(id)) ?? (await this.#store.saveIfAbsent(await this.#generate(id), this.#now()))
    const pem = unseal(stored.sealedPrivateKey, [this.#secret], PURPOSE)
    return {
      kid: stored.kid,
      privateKey: await importPKCS8(pem, SIGNING_ALGORITHM),
      publicJwk: fromJson<JWK>(stored.publicJwk),
    }
  }

  async #generate(id: string): Promise<StoredKey> {
    const { calculateJwkThumbprint, exportJWK, exportPKCS8, generateKeyPair } = await import('jose')
    const { publicKey, privateKey } = await generateKeyPair(SIGNING_ALGORITHM, { extractable: true })
    const jwk = await exportJWK(publicKey)
    const kid = await calculateJwkThumbprint(jwk)
    return {
      secretId: id,
      kid,
      publicJwk: toJson({ ...jwk, kid, alg: SIGNING_ALGORITHM, use: 'sig' }),
      sealedPrivateKey: seal(await exportPKCS8(privateKey), this.#secret, PURPOSE),
    }
  }
}
