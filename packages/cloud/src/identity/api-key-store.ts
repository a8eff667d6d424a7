import type { Database } from '../db/index.ts'

/** How many API keys of one app live at a time: two, so that a key can be changed without a gap (decision I5). */
const MAX_API_KEYS = 2

/** A live API key. The key itself is nowhere: only its hash. */
export interface ApiKey {
  readonly keyId: string
  /** Hex SHA-256 of the whole key. */
  readonly hash: string
  readonly appId: string
  readonly packageName: string
  /** Epoch milliseconds. */
  readonly createdAt: number
}

/** API keys of apps. */
export class ApiKeyStore {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  /**
   * Adds a key to an app; beyond two, the oldest stops working.
   * @param hash hex SHA-256 of the whole key
   * @throws Error when there is no such app; a unique violation when the key id is taken
   */
  async add(appId: string, keyId: string, hash: string, now: number): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      // Writing the app's row, even to what it was, makes two additions to one app follow one another.
      const { numUpdatedRows } = await trx
        .updateTable('apps')
        .set({ id: appId })
        .where('id', '=', appId)
        .executeTakeFirstOrThrow()
      if (numUpdatedRows === 0n) throw new Error('an API key was added to an app that does not exist')
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

  /** The live keys of an app, the newest first. */
  async list(appId: string): Promise<ApiKey[]> {
    return this.#select('api_keys.app_id', appId)
  }

  /** @returns whether there was such a key */
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
    }))
  }
}
