import type { CryptoKey, JWK } from 'jose'
import { fromJson, toJson } from '../../db/index.ts'
import { seal, secretId, unseal } from '../../identity/index.ts'
import type { SigningKeyStore, StoredKey } from './signing-key-store.ts'

/** The one algorithm of these tokens (decision I6). */
export const algorithm = 'RS256'

const purpose = 'oauth signing key'

/** A key to sign with. */
export interface SigningKey {
  readonly kid: string
  readonly privateKey: CryptoKey
  /** As it is published, with `kid`, `alg` and `use`. */
  readonly publicJwk: JWK
}

/**
 * The cloud's signing key, made at first use and kept in the database, so that every node has the same one. Who
 * reads the database alone cannot sign: the private part is encrypted with a key derived from `AUTH_SECRET`.
 */
export class SigningKeys {
  readonly #store: SigningKeyStore
  readonly #secret: string
  readonly #now: () => number
  #current: Promise<SigningKey> | undefined

  constructor(store: SigningKeyStore, secret: string, now: () => number) {
    this.#store = store
    this.#secret = secret
    this.#now = now
  }

  /** The library is loaded at first use: most starts of the cloud never need it. @throws when the database fails, or the kept key is damaged */
  current(): Promise<SigningKey> {
    this.#current ??= this.#load().catch((error: unknown) => {
      // The next call tries again.
      this.#current = undefined
      throw error
    })
    return this.#current
  }

  async #load(): Promise<SigningKey> {
    const { importPKCS8 } = await import('jose')
    const id = secretId(this.#secret, purpose)
    const stored = (await this.#store.find(id)) ?? (await this.#store.keep(await this.#made(id), this.#now()))
    const pem = unseal(stored.sealedPrivateKey, this.#secret, purpose)
    return {
      kid: stored.kid,
      privateKey: await importPKCS8(pem, algorithm),
      publicJwk: fromJson<JWK>(stored.publicJwk),
    }
  }

  async #made(id: string): Promise<StoredKey> {
    const { calculateJwkThumbprint, exportJWK, exportPKCS8, generateKeyPair } = await import('jose')
    const { publicKey, privateKey } = await generateKeyPair(algorithm, { extractable: true })
    const jwk = await exportJWK(publicKey)
    const kid = await calculateJwkThumbprint(jwk)
    return {
      secretId: id,
      kid,
      publicJwk: toJson({ ...jwk, kid, alg: algorithm, use: 'sig' }),
      sealedPrivateKey: seal(await exportPKCS8(privateKey), this.#secret, purpose),
    }
  }
}
