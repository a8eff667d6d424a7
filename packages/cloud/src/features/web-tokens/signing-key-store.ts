import type { Database } from '../../db/index.ts'

/** A signing key as it is stored. */
export interface StoredKey {
  /** Fingerprint of the secret that encrypts the private key. */
  readonly secretId: string
  readonly kid: string
  /** JSON. */
  readonly publicJwk: string
  readonly sealedPrivateKey: string
}

/** Age from which the key of another secret is deleted. */
const UNUSED_KEY_MS = 30 * 24 * 60 * 60 * 1000

/** Stores the key that signs tokens for web pages of apps, one for each secret. */
export class SigningKeyStore {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  async find(secretId: string): Promise<StoredKey | undefined> {
    const row = await this.#db
      .selectFrom('oauth_keys')
      .selectAll()
      .where('secret_id', '=', secretId)
      .executeTakeFirst()
    return (
      row && {
        secretId: row.secret_id,
        kid: row.kid,
        publicJwk: row.public_jwk,
        sealedPrivateKey: row.sealed_private_key,
      }
    )
  }

  /**
   * Saves a key unless another process saved one first, and deletes the keys of other secrets after a month: until then,
   * other nodes may still use them.
   * @returns the stored key
   */
  async saveIfAbsent(key: StoredKey, now: number): Promise<StoredKey> {
    const { secretId } = key
    await this.#db.transaction().execute(async (trx) => {
      await trx
        .insertInto('oauth_keys')
        .values({
          secret_id: secretId,
          kid: key.kid,
          public_jwk: key.publicJwk,
          sealed_private_key: key.sealedPrivateKey,
          created_at: now,
        })
        .onConflict((conflict) => conflict.column('secret_id').doNothing())
        .execute()
      await trx
        .deleteFrom('oauth_keys')
        .where('secret_id', '!=', secretId)
        .where('created_at', '<', now - UNUSED_KEY_MS)
        .execute()
    })
    return (await this.find(secretId)) ?? key
  }
}
