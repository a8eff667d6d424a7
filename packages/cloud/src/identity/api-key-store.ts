import { type ApiKeyRow, type Database, inTransaction } from '../db/index.ts'
import { lastUseOf, type Use } from './last-use-store.ts'
import { hashSecret, seal, secretId, unseal } from './secrets.ts'

/** Live API keys per app: two, so that a key can be rotated without interruption (decision I5). */
const MAX_API_KEYS = 2

const PURPOSE = 'api key'

/** A live API key; the key itself is not stored. */
export interface ApiKey {
  readonly keyId: string
  /** Hex SHA-256 of the signing key. */
  readonly hash: string
  /** Whether the cloud can sign with the key: not if it was sealed with a secret that is no longer accepted, or is corrupt. */
  readonly isSigning: boolean
  readonly appId: string
  readonly packageName: string
  /** Epoch milliseconds. */
  readonly createdAt: number
  /** Undefined if it was never used. */
  readonly lastUse: Use | undefined
}

/**
 * Stores the API keys of apps. Of a key it stores a hash, which recognizes it, and its signing key, which signs calls to
 * the app server. The signing key is sealed with a key derived from `AUTH_SECRET`, so that read access to the database
 * is not enough to sign.
 */
export class ApiKeyStore {
  readonly #db: Database
  /** The accepted values of `AUTH_SECRET` by their id. */
  readonly #secrets: ReadonlyMap<string, string>
  readonly #secret: string
  readonly #secretId: string
  readonly #accepted: readonly [string, ...string[]]
  readonly #unreadable: (keyId: string) => void

  /**
   * @param secrets the accepted values of `AUTH_SECRET`, the current one first
   * @param unreadable reports a sealed key that is corrupt
   */
  constructor(
    db: Database,
    secrets: readonly [string, ...string[]],
    unreadable: (keyId: string) => void = () => {},
  ) {
    this.#db = db
    this.#accepted = secrets
    this.#unreadable = unreadable
    this.#secret = secrets[0]
    this.#secretId = secretId(this.#secret, PURPOSE)
    this.#secrets = new Map(secrets.map((secret) => [secretId(secret, PURPOSE), secret]))
  }

  /** Returns the store whose queries run in a transaction. */
  within(trx: Database): ApiKeyStore {
    return new ApiKeyStore(trx, this.#accepted, this.#unreadable)
  }

  /**
   * Adds a key to an app and deletes all but the newest of its other keys.
   * @param signingKey hex SHA-256 of the whole key
   * @throws Error if the app does not exist; a unique violation if the key id exists
   */
  async add(appId: string, keyId: string, signingKey: string, now: number): Promise<void> {
    await inTransaction(this.#db, async (trx) => {
      // The no-op update locks the app's row, which serializes additions to one app.
      const { numUpdatedRows } = await trx
        .updateTable('apps')
        .set({ id: appId })
        .where('id', '=', appId)
        .executeTakeFirstOrThrow()
      if (numUpdatedRows === 0n) throw new Error('The app of the API key does not exist')
      const others = await trx
        .selectFrom('api_keys')
        .select('key_id')
        .where('app_id', '=', appId)
        .orderBy('created_at', 'desc')
        .orderBy('key_id')
        .execute()
      const old = others.slice(MAX_API_KEYS - 1).map((key) => key.key_id)
      if (old.length > 0) await trx.deleteFrom('api_keys').where('key_id', 'in', old).execute()
      await trx
        .insertInto('api_keys')
        .values({ key_id: keyId, app_id: appId, created_at: now, ...this.#sealed(keyId, signingKey) })
        .execute()
    })
  }

  async findByKeyId(keyId: string): Promise<ApiKey | undefined> {
    const [key] = await this.#select('api_keys.key_id', keyId)
    return key
  }

  /** Lists the live keys of an app, newest first. */
  async list(appId: string): Promise<ApiKey[]> {
    return this.#select('api_keys.app_id', appId)
  }

  /** Returns the signing keys of an app that can be read, newest first: each is the hex SHA-256 of a live API key. */
  async signingKeys(appId: string): Promise<string[]> {
    const rows = await this.#db
      .selectFrom('api_keys')
      .select(['key_id', 'signing_key', 'secret_id'])
      .where('app_id', '=', appId)
      .orderBy('created_at', 'desc')
      .execute()
    return rows.flatMap((row) => this.#unsealed(row) ?? [])
  }

  /** @returns whether the key existed */
  async remove(keyId: string): Promise<boolean> {
    const { numDeletedRows } = await this.#db
      .deleteFrom('api_keys')
      .where('key_id', '=', keyId)
      .executeTakeFirstOrThrow()
    return numDeletedRows > 0n
  }

  /** Seals the signing key of a live API key that was verified, with the current secret. */
  async reseal(keyId: string, signingKey: string): Promise<void> {
    await this.#db
      .updateTable('api_keys')
      .set(this.#sealed(keyId, signingKey))
      .where('key_id', '=', keyId)
      .execute()
  }

  /**
   * Seals the signing keys that were sealed with the previous `AUTH_SECRET` with the current one. Several processes may do
   * so at the same time, and one that is interrupted loses nothing.
   */
  async sealAll(): Promise<void> {
    const rows = await this.#db
      .selectFrom('api_keys')
      .select(['key_id', 'signing_key', 'secret_id'])
      .where('secret_id', '!=', this.#secretId)
      .execute()
    for (const row of rows) {
      const signingKey = this.#unsealed(row)
      if (signingKey === undefined) continue
      await this.#db
        .updateTable('api_keys')
        .set(this.#sealed(row.key_id, signingKey))
        .where('key_id', '=', row.key_id)
        .where('secret_id', '=', row.secret_id)
        .execute()
    }
  }

  #sealed(keyId: string, signingKey: string) {
    return {
      key_hash: hashSecret(signingKey),
      signing_key: seal(signingKey, this.#secret, purposeOf(keyId)),
      secret_id: this.#secretId,
    }
  }

  #unsealed(row: Pick<ApiKeyRow, 'key_id' | 'signing_key' | 'secret_id'>) {
    const secret = this.#secrets.get(row.secret_id)
    if (secret === undefined) return undefined
    try {
      return unseal(row.signing_key, [secret], purposeOf(row.key_id))
    } catch {
      this.#unreadable(row.key_id)
      return undefined
    }
  }

  async #select(column: 'api_keys.key_id' | 'api_keys.app_id', value: string): Promise<ApiKey[]> {
    const rows = await this.#db
      .selectFrom('api_keys')
      .innerJoin('apps', 'apps.id', 'api_keys.app_id')
      .selectAll('api_keys')
      .select('apps.package_name')
      .where(column, '=', value)
      .orderBy('api_keys.created_at', 'desc')
      .execute()
    return rows.map((row) => ({
      keyId: row.key_id,
      hash: row.key_hash,
      isSigning: this.#unsealed(row) !== undefined,
      appId: row.app_id,
      packageName: row.package_name,
      createdAt: row.created_at,
      lastUse: lastUseOf(row),
    }))
  }
}

/** Each key has a purpose of its own, so that a sealed signing key cannot be moved to another one. */
function purposeOf(keyId: string): string {
  return `${PURPOSE} ${keyId}`
}
