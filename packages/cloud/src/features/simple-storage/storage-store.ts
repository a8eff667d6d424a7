import { SIMPLE_STORAGE_LIMITS } from '@glasses-cloud/contract'
import type { Transaction } from 'kysely'
import { type Database, fromJson, inBatches, type Schema, toJson } from '../../db/index.ts'

export type StoredTexts = Readonly<Record<string, string>>

/** An app would exceed the limits of what it may store for a user. */
export class StorageFullError extends Error {}

/**
 * Stores the texts of apps by user and key. Keys and values are stored as JSON, so that texts that PostgreSQL rejects
 * are preserved.
 */
export class StorageStore {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  /** Returns all texts of an app for a user; undefined if there is no document. */
  async all(userId: string, appId: string): Promise<StoredTexts | undefined> {
    const rows = await this.#db
      .selectFrom('storage_values')
      .select(['key', 'value'])
      .where('user_id', '=', userId)
      .where('app_id', '=', appId)
      .orderBy('key')
      .execute()
    if (rows.length === 0 && !(await this.has(userId, appId))) return undefined
    // `fromEntries` defines keys such as `__proto__` as own properties; an assignment would not.
    return Object.fromEntries(rows.map(({ key, value }) => [fromJson<string>(key), fromJson<string>(value)]))
  }

  /** Whether an app has a document for a user, even an empty one. */
  async has(userId: string, appId: string): Promise<boolean> {
    const row = await this.#db
      .selectFrom('storage_documents')
      .select('updated_at')
      .where('user_id', '=', userId)
      .where('app_id', '=', appId)
      .executeTakeFirst()
    return row !== undefined
  }

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
   * Merges texts into the document, all or none; concurrent merges are serialized.
   * @throws StorageFullError if the document would exceed the limits; nothing is changed then
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
    // Before anything is written: a rejected merge costs no more than these checks.
    if (exceedsLimits({ keys: rows.length, bytes: bytesOf(rows) })) throw new StorageFullError()
    await this.#db.transaction().execute(async (trx) => {
      // Locks the document, so that concurrent merges cannot exceed the limits together.
      await trx
        .insertInto('storage_documents')
        .values({ user_id: userId, app_id: appId, updated_at: now })
        .onConflict((conflict) => conflict.columns(['user_id', 'app_id']).doUpdateSet({ updated_at: now }))
        .execute()
      if (exceedsLimits(await usageAfter(trx, userId, appId, rows))) throw new StorageFullError()
      for (const batch of inBatches(rows))
        await trx
          .insertInto('storage_values')
          .values(batch)
          .onConflict((conflict) =>
            conflict.columns(['user_id', 'app_id', 'key']).doUpdateSet((e) => ({
              value: e.ref('excluded.value'),
              bytes: e.ref('excluded.bytes'),
              updated_at: now,
            })),
          )
          .execute()
    })
  }

  /** @returns false if the key does not exist */
  async remove(userId: string, appId: string, key: string): Promise<boolean> {
    const { numDeletedRows } = await this.#db
      .deleteFrom('storage_values')
      .where('user_id', '=', userId)
      .where('app_id', '=', appId)
      .where('key', '=', toJson(key))
      .executeTakeFirstOrThrow()
    return numDeletedRows > 0n
  }

  /** @returns false if there was no document */
  async clear(userId: string, appId: string): Promise<boolean> {
    const { numDeletedRows } = await this.#db
      .deleteFrom('storage_documents')
      .where('user_id', '=', userId)
      .where('app_id', '=', appId)
      .executeTakeFirstOrThrow()
    return numDeletedRows > 0n
  }

  /** Whether the app runs for the user on any node. */
  async isRunning(userId: string, appId: string): Promise<boolean> {
    const row = await this.#db
      .selectFrom('running_apps')
      .select('since')
      .where('user_id', '=', userId)
      .where('app_id', '=', appId)
      .executeTakeFirst()
    return row !== undefined
  }

  /**
   * Returns the texts of a user ordered by package name and key; `after` is the last one of the previous page.
   */
  async listByUser(userId: string, after: StoredText | undefined, limit: number): Promise<StoredText[]> {
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

/** A text with its app. */
export interface StoredText {
  readonly packageName: string
  readonly key: string
  readonly value: string
  /** Epoch ms. */
  readonly updatedAt: number
}

/** Usage of a document, compared with its limits. */
interface Usage {
  readonly keys: number
  readonly bytes: number
}

function exceedsLimits({ keys, bytes }: Usage): boolean {
  return keys > SIMPLE_STORAGE_LIMITS.keys || bytes > SIMPLE_STORAGE_LIMITS.bytes
}

function bytesOf(rows: readonly { readonly bytes: number }[]): number {
  return rows.reduce((sum, { bytes }) => sum + bytes, 0)
}

/** Returns the usage of a document after a merge. */
async function usageAfter(
  trx: Transaction<Schema>,
  userId: string,
  appId: string,
  rows: readonly { readonly key: string; readonly bytes: number }[],
): Promise<Usage> {
  const values = trx.selectFrom('storage_values').where('user_id', '=', userId).where('app_id', '=', appId)
  const stored = await values
    .select((e) => [e.fn.countAll<number>().as('keys'), e.fn.sum<number | null>('bytes').as('bytes')])
    .executeTakeFirstOrThrow()
  // PostgreSQL returns sums as strings.
  let usage = { keys: Number(stored.keys) + rows.length, bytes: Number(stored.bytes) + bytesOf(rows) }
  // The texts that the merge replaces count only if there would not be enough room for both.
  if (!exceedsLimits(usage)) return usage
  for (const batch of inBatches(rows.map(({ key }) => key))) {
    const replaced = await values.select('bytes').where('key', 'in', batch).execute()
    usage = { keys: usage.keys - replaced.length, bytes: usage.bytes - bytesOf(replaced) }
  }
  return usage
}
