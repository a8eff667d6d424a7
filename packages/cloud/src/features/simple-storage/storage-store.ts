import { SIMPLE_STORAGE_LIMITS } from '@glasses-cloud/contract'
import type { Transaction } from 'kysely'
import { type Database, fromJson, type Schema, toJson } from '../../db/index.ts'

/** Texts by key. */
export type StoredTexts = Readonly<Record<string, string>>

/** An app would store more for a user than it may. */
export class StorageFull extends Error {}

/** Rows written at a time: databases limit how many values a statement may have. */
const ROWS = 500

/**
 * What apps store for their users: texts by key. Keys and values are written as JSON, so that each text comes back
 * as it was, those a database would not take included.
 */
export class StorageStore {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  /** Everything an app stores for a user; nothing if it never stored anything, or cleared it. */
  async all(userId: string, appId: string): Promise<StoredTexts | undefined> {
    const rows = await this.#db
      .selectFrom('storage_values')
      .select(['key', 'value'])
      .where('user_id', '=', userId)
      .where('app_id', '=', appId)
      .orderBy('key')
      .execute()
    if (rows.length === 0 && !(await this.has(userId, appId))) return undefined
    // `fromEntries` defines each key as it is, `__proto__` included, where an assignment would not.
    return Object.fromEntries(rows.map(({ key, value }) => [fromJson<string>(key), fromJson<string>(value)]))
  }

  /** Whether an app stores something for a user, if only an empty document. */
  async has(userId: string, appId: string): Promise<boolean> {
    const row = await this.#db
      .selectFrom('storage_documents')
      .select('updated_at')
      .where('user_id', '=', userId)
      .where('app_id', '=', appId)
      .executeTakeFirst()
    return row !== undefined
  }

  /** One text. */
  async get(userId: string, appId: string, key: string): Promise<string | undefined> {
    const row = await this.#db
      .selectFrom('storage_values')
      .select('value')
      .where('user_id', '=', userId)
      .where('app_id', '=', appId)
      .where('key', '=', toJson(key))
      .executeTakeFirst()
    return row && fromJson<string>(row.value)
  }

  /**
   * Merges texts into what an app stores for a user, all or none. Writers at the same time follow one another, so
   * that together they stay within the limits.
   * @throws StorageFull when it would be too much; nothing is changed then
   */
  async merge(userId: string, appId: string, texts: StoredTexts, now: number): Promise<void> {
    const rows = Object.entries(texts).map(([key, value]) => ({
      user_id: userId,
      app_id: appId,
      key: toJson(key),
      value: toJson(value),
      bytes: Buffer.byteLength(key) + Buffer.byteLength(value),
      updated_at: now,
    }))
    await this.#db.transaction().execute(async (trx) => {
      await trx
        .insertInto('storage_documents')
        .values({ user_id: userId, app_id: appId, updated_at: now })
        .onConflict((conflict) => conflict.columns(['user_id', 'app_id']).doUpdateSet({ updated_at: now }))
        .execute()
      for (let at = 0; at < rows.length; at += ROWS)
        await trx
          .insertInto('storage_values')
          .values(rows.slice(at, at + ROWS))
          .onConflict((conflict) =>
            conflict.columns(['user_id', 'app_id', 'key']).doUpdateSet((e) => ({
              value: e.ref('excluded.value'),
              bytes: e.ref('excluded.bytes'),
              updated_at: now,
            })),
          )
          .execute()
      await checkLimits(trx, userId, appId)
    })
  }

  /** @returns whether there was such a key */
  async remove(userId: string, appId: string, key: string): Promise<boolean> {
    const { numDeletedRows } = await this.#db
      .deleteFrom('storage_values')
      .where('user_id', '=', userId)
      .where('app_id', '=', appId)
      .where('key', '=', toJson(key))
      .executeTakeFirstOrThrow()
    return numDeletedRows > 0n
  }

  /** @returns whether there was anything */
  async clear(userId: string, appId: string): Promise<boolean> {
    const { numDeletedRows } = await this.#db
      .deleteFrom('storage_documents')
      .where('user_id', '=', userId)
      .where('app_id', '=', appId)
      .executeTakeFirstOrThrow()
    return numDeletedRows > 0n
  }

  /** Whether the wearer wants the app running, whoever hosts the session now. */
  async isRunning(userId: string, appId: string): Promise<boolean> {
    const row = await this.#db
      .selectFrom('running_apps')
      .select('since')
      .where('user_id', '=', userId)
      .where('app_id', '=', appId)
      .executeTakeFirst()
    return row !== undefined
  }

  /** What apps store for a user, in the order of apps and keys; `after` is the last one of the page before. */
  async page(userId: string, after: StoredFact | undefined, limit: number): Promise<StoredFact[]> {
    let query = this.#db
      .selectFrom('storage_values')
      .innerJoin('apps', 'apps.id', 'storage_values.app_id')
      .select(['apps.package_name', 'storage_values.key', 'storage_values.value'])
      .select('storage_values.updated_at')
      .where('storage_values.user_id', '=', userId)
      .orderBy('apps.package_name')
      .orderBy('storage_values.key')
      .limit(limit)
    if (after !== undefined)
      query = query.where((e) =>
        e.or([
          e('apps.package_name', '>', after.packageName),
          e.and([
            e('apps.package_name', '=', after.packageName),
            e('storage_values.key', '>', toJson(after.key)),
          ]),
        ]),
      )
    return (await query.execute()).map((row) => ({
      packageName: row.package_name,
      key: fromJson<string>(row.key),
      value: fromJson<string>(row.value),
      updatedAt: row.updated_at,
    }))
  }
}

/** One text an app stores for a user. */
export interface StoredFact {
  readonly packageName: string
  readonly key: string
  readonly value: string
  /** Epoch ms. */
  readonly updatedAt: number
}

async function checkLimits(trx: Transaction<Schema>, userId: string, appId: string): Promise<void> {
  const { keys, bytes } = await trx
    .selectFrom('storage_values')
    .select((e) => [e.fn.countAll<number>().as('keys'), e.fn.sum<number | null>('bytes').as('bytes')])
    .where('user_id', '=', userId)
    .where('app_id', '=', appId)
    .executeTakeFirstOrThrow()
  // Sums come as text from PostgreSQL.
  if (Number(keys) > SIMPLE_STORAGE_LIMITS.keys || Number(bytes) > SIMPLE_STORAGE_LIMITS.bytes)
    throw new StorageFull()
}
