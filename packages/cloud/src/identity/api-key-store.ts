import type { Database } from '../db/index.ts'
import { lastUseOf, type Use } from './last-use-store.ts'

/** Live API keys per app: two, so that a key can be rotated without interruption (decision I5). */
const MAX_API_KEYS = 2

/** A live API key; the key itself is not stored. */
export interface ApiKey {
  readonly keyId: string
  /** Hex SHA-256 of the whole key. */
  readonly hash: string
  readonly appId: string
  readonly packageName: string
  /** Epoch milliseconds. */
  readonly createdAt: number
  /** Undefined if it was never used. */
  readonly lastUse: Use | undefined
}

/** Stores the API keys of apps. */
export class ApiKeyStore {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  /**
   * Adds a key to an app and deletes all but the newest of its other keys.
   * @param hash hex SHA-256 of the whole key
   * @throws Error if the app does not exist; a unique violation if the key id exists
   */
  async add(appId: string, keyId: string, hash: string, now: number): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
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
        .values({ key_id: keyId, app_id: appId, key_hash: hash, created_at: now })
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

  /** @returns whether the key existed */
  async remove(keyId: string): Promise<boolean> {
    const { numDeletedRows } = await this.#db
      .deleteFrom('api_keys')
      .where('key_id', '=', keyId)
      .executeTakeFirstOrThrow()
    return numDeletedRows > 0n
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
      appId: row.app_id,
      packageName: row.package_name,
      createdAt: row.created_at,
      lastUse: lastUseOf(row),
    }))
  }
}
