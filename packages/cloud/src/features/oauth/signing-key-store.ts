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
   * Saves a key unless another process saved one first, and deletes the keys of other secrets, which are unusable.
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
      await trx.deleteFrom('oauth_keys').where('secret_id', '!=', secretId).execute()
    })
    return (await this.find(secretId)) ?? key
  }
}
