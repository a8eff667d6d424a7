import { type Database, fromJson, inBatches, type Page, recordChange, toJson } from '../../db/index.ts'

/** Settings by key; each value is any JSON value. */
export type Settings = Readonly<Record<string, unknown>>

/** A setting with the time of its last change. */
export interface StoredSetting {
  readonly key: string
  readonly value: unknown
  /** Epoch ms. */
  readonly updatedAt: number
}

/** A user would exceed the maximum number of settings. */
export class TooManySettingsError extends Error {}

/** Stores the settings of users: of their glasses and phone, and of each app. */
export class SettingsStore {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  /** Returns all settings of a user. */
  async userSettings(userId: string): Promise<Settings> {
    const rows = await this.#db
      .selectFrom('user_settings')
      .select(['key', 'value'])
      .where('user_id', '=', userId)
      .orderBy('key')
      .execute()
    return toSettings(rows)
  }

  /** Tells every node through the database that a live session of a user must read these settings again. */
  async announceUserSettings(userId: string): Promise<void> {
    await recordChange(this.#db, 'user_settings', userId)
  }

  /** Returns a user's settings ordered by key; `after` in a page is a key. */
  async listUserSettings(userId: string, page: Page): Promise<StoredSetting[]> {
    let query = this.#db
      .selectFrom('user_settings')
      .select(['key', 'value', 'updated_at'])
      .where('user_id', '=', userId)
      .orderBy('key')
    if (page.after !== undefined) query = query.where('key', '>', page.after)
    if (page.limit !== undefined) query = query.limit(page.limit)
    return (await query.execute()).map(toStoredSetting)
  }

  /** Returns the apps in which a user has settings, ordered by package name. */
  async appsWithSettings(userId: string): Promise<{ readonly id: string; readonly packageName: string }[]> {
    const rows = await this.#db
      .selectFrom('apps')
      .select(['id', 'package_name'])
      .where('id', 'in', (e) => e.selectFrom('app_settings').select('app_id').where('user_id', '=', userId))
      .orderBy('package_name')
      .execute()
    return rows.map((row) => ({ id: row.id, packageName: row.package_name }))
  }

  /** Returns a user's settings in an app ordered by key; `after` in a page is a key. */
  async listAppSettings(userId: string, appId: string, page: Page): Promise<StoredSetting[]> {
    let query = this.#db
      .selectFrom('app_settings')
      .select(['key', 'value', 'updated_at'])
      .where('user_id', '=', userId)
      .where('app_id', '=', appId)
      .orderBy('key')
    if (page.after !== undefined) query = query.where('key', '>', page.after)
    if (page.limit !== undefined) query = query.limit(page.limit)
    return (await query.execute()).map(toStoredSetting)
  }

  /**
   * Merges settings into those of a user, all or none; null deletes one.
   * @param limit maximum number of settings of the user
   * @param db the transaction to write in; absent: one of its own
   * @throws TooManySettingsError if the user would exceed it; nothing is changed then
   */
  async mergeUserSettings(
    userId: string,
    settings: Settings,
    now: number,
    limit = Number.POSITIVE_INFINITY,
    db?: Database,
  ): Promise<void> {
    const entries = sortByKey(settings)
    const kept = entries.filter(([, value]) => value !== null)
    const removed = entries.filter(([, value]) => value === null).map(([key]) => key)
    // Before anything is read or written: a rejected merge costs no more than these checks.
    if (kept.length > limit) throw new TooManySettingsError()
    const merge = async (trx: Database) => {
      // Locks the user's row, so that concurrent merges cannot exceed the limit together.
      await trx.updateTable('users').set({ id: userId }).where('id', '=', userId).execute()
      const stored = await trx
        .selectFrom('user_settings')
        .select('key')
        .where('user_id', '=', userId)
        .execute()
      const keys = new Set(stored.map(({ key }) => key))
      const deleted = removed.filter((key) => keys.delete(key))
      for (const [key] of kept) keys.add(key)
      if (keys.size > limit) throw new TooManySettingsError()
      const rows = kept.map(([key, value]) => ({
        user_id: userId,
        key,
        value: toJson(value),
        updated_at: now,
      }))
      for (const batch of inBatches(rows))
        await trx
          .insertInto('user_settings')
          .values(batch)
          .onConflict((conflict) =>
            conflict
              .columns(['user_id', 'key'])
              .doUpdateSet((e) => ({ value: e.ref('excluded.value'), updated_at: now })),
          )
          .execute()
      for (const batch of inBatches(deleted))
        await trx
          .deleteFrom('user_settings')
          .where('user_id', '=', userId)
          .where('key', 'in', batch)
          .execute()
    }
    await (db ? merge(db) : this.#db.transaction().execute(merge))
  }

  /** Returns a user's settings in an app. */
  async appSettings(userId: string, appId: string): Promise<Settings> {
    const rows = await this.#db
      .selectFrom('app_settings')
      .select(['key', 'value'])
      .where('user_id', '=', userId)
      .where('app_id', '=', appId)
      .orderBy('key')
      .execute()
    return toSettings(rows)
  }

  /** Merges settings into those of a user in an app, all or none. Null is a value like any other. */
  async putAppSettings(userId: string, appId: string, settings: Settings, now: number): Promise<void> {
    const rows = sortByKey(settings).map(([key, value]) => ({
      user_id: userId,
      app_id: appId,
      key,
      value: toJson(value),
      updated_at: now,
    }))
    if (rows.length === 0) return
    await this.#db.transaction().execute(async (trx) => {
      for (const batch of inBatches(rows))
        await trx
          .insertInto('app_settings')
          .values(batch)
          .onConflict((conflict) =>
            conflict
              .columns(['user_id', 'app_id', 'key'])
              .doUpdateSet((e) => ({ value: e.ref('excluded.value'), updated_at: now })),
          )
          .execute()
    })
  }
}

/** One order for all writers avoids deadlocks. */
function sortByKey(settings: Settings): [key: string, value: unknown][] {
  return Object.entries(settings).sort(([a], [b]) => (a < b ? -1 : 1))
}

function toStoredSetting(row: { key: string; value: string; updated_at: number }): StoredSetting {
  return { key: row.key, value: fromJson(row.value), updatedAt: row.updated_at }
}

/** `fromEntries` defines keys such as `__proto__` as own properties; an assignment would not. */
function toSettings(rows: readonly { key: string; value: string }[]): Settings {
  return Object.fromEntries(rows.map(({ key, value }) => [key, fromJson(value)]))
}
