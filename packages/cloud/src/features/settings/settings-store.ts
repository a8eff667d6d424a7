import { type Database, fromJson, type Page, toJson } from '../../db/index.ts'

/** Settings by key; each value is any JSON value. */
export type Settings = Readonly<Record<string, unknown>>

/** A setting with the time of its last change. */
export interface StoredSetting {
  readonly key: string
  readonly value: unknown
  /** Epoch ms. */
  readonly updatedAt: number
}

/** A user would have more settings than may be kept. */
export class TooManySettings extends Error {}

/** What users set: for their glasses and phone, and in each app. */
export class SettingsStore {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  /** Every setting a user made; empty for one who made none. */
  async userSettings(userId: string): Promise<Settings> {
    const rows = await this.#db
      .selectFrom('user_settings')
      .select(['key', 'value'])
      .where('user_id', '=', userId)
      .orderBy('key')
      .execute()
    return toSettings(rows)
  }

  /** A user's settings ordered by key; `after` in a page is a key. */
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

  /** The apps in which a user set something, ordered by package name. */
  async appsWithSettings(userId: string): Promise<{ readonly id: string; readonly packageName: string }[]> {
    const rows = await this.#db
      .selectFrom('apps')
      .select(['id', 'package_name'])
      .where('id', 'in', (e) => e.selectFrom('app_settings').select('app_id').where('user_id', '=', userId))
      .orderBy('package_name')
      .execute()
    return rows.map((row) => ({ id: row.id, packageName: row.package_name }))
  }

  /** A user's settings in an app ordered by key; `after` in a page is a key. */
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
   * Sets some settings of a user, all or none; the others stay. Null removes one.
   * @param limit how many the user may have
   * @throws TooManySettings when these would be more; nothing is changed then
   */
  async mergeUserSettings(
    userId: string,
    settings: Settings,
    now: number,
    limit = Number.POSITIVE_INFINITY,
  ): Promise<void> {
    const entries = sorted(settings)
    const kept = entries.filter(([, value]) => value !== null)
    const removed = entries.filter(([, value]) => value === null).map(([key]) => key)
    await this.#db.transaction().execute(async (trx) => {
      // Writing the user's row, even to what it was, makes two merges for one user follow one another.
      await trx.updateTable('users').set({ id: userId }).where('id', '=', userId).execute()
      if (kept.length > 0)
        await trx
          .insertInto('user_settings')
          .values(
            kept.map(([key, value]) => ({ user_id: userId, key, value: toJson(value), updated_at: now })),
          )
          .onConflict((conflict) =>
            conflict
              .columns(['user_id', 'key'])
              .doUpdateSet((e) => ({ value: e.ref('excluded.value'), updated_at: now })),
          )
          .execute()
      if (removed.length > 0)
        await trx
          .deleteFrom('user_settings')
          .where('user_id', '=', userId)
          .where('key', 'in', removed)
          .execute()
      const { count } = await trx
        .selectFrom('user_settings')
        .select((e) => e.fn.countAll<number>().as('count'))
        .where('user_id', '=', userId)
        .executeTakeFirstOrThrow()
      if (Number(count) > limit) throw new TooManySettings()
    })
  }

  /** What a user set in an app; empty before the first setting. */
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

  /** Sets some settings of a user in an app, all or none; the others stay. Null is a value like any other. */
  async putAppSettings(userId: string, appId: string, settings: Settings, now: number): Promise<void> {
    const rows = sorted(settings).map(([key, value]) => ({
      user_id: userId,
      app_id: appId,
      key,
      value: toJson(value),
      updated_at: now,
    }))
    if (rows.length === 0) return
    await this.#db
      .insertInto('app_settings')
      .values(rows)
      .onConflict((conflict) =>
        conflict
          .columns(['user_id', 'app_id', 'key'])
          .doUpdateSet((e) => ({ value: e.ref('excluded.value'), updated_at: now })),
      )
      .execute()
  }
}

/** In one order everywhere, so that two writers of the same keys wait for each other instead of locking up. */
function sorted(settings: Settings): [key: string, value: unknown][] {
  return Object.entries(settings).sort(([a], [b]) => (a < b ? -1 : 1))
}

function toStoredSetting(row: { key: string; value: string; updated_at: number }): StoredSetting {
  return { key: row.key, value: fromJson(row.value), updatedAt: row.updated_at }
}

/** `fromEntries` defines each key as it is, `__proto__` included, where an assignment would not. */
function toSettings(rows: readonly { key: string; value: string }[]): Settings {
  return Object.fromEntries(rows.map(({ key, value }) => [key, fromJson(value)]))
}
