import type { Database, Page } from '../../db/index.ts'

/** When a user last used an app. */
export interface NamedActivity {
  readonly packageName: string
  readonly name: string
  /** Epoch ms. */
  readonly lastActiveAt: number
}

/** Stores when each app last started or stopped for a user, whether the app is installed or not. */
export class AppActivityStore {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  /**
   * Records when an app last started or stopped for a user (epoch ms). An app that was deleted meanwhile is ignored.
   * @param db the transaction to write in, if any
   * @throws a foreign key violation if the user does not exist
   */
  async touchLastActive(userId: string, appId: string, at: number, db = this.#db): Promise<void> {
    await db
      .insertInto('app_activity')
      .columns(['user_id', 'app_id', 'last_active_at'])
      .expression((e) =>
        e
          .selectFrom('apps')
          .select((s) => [
            s.val(userId).as('user_id'),
            'apps.id',
            s.cast<number>(s.val(at), 'bigint').as('last_active_at'),
          ])
          .where('apps.id', '=', appId),
      )
      .onConflict((conflict) => conflict.columns(['user_id', 'app_id']).doUpdateSet({ last_active_at: at }))
      .execute()
  }

  /** Returns by app id when each app last started or stopped for a user (epoch ms). */
  async mapByAppId(userId: string): Promise<Map<string, number>> {
    const rows = await this.#db
      .selectFrom('app_activity')
      .select(['app_id', 'last_active_at'])
      .where('user_id', '=', userId)
      .execute()
    return new Map(rows.map((row) => [row.app_id, row.last_active_at]))
  }

  /** Returns the apps that a user used, ordered by package name; `after` in a page is a package name. */
  async listNamed(userId: string, page: Page): Promise<NamedActivity[]> {
    let query = this.#db
      .selectFrom('app_activity')
      .innerJoin('apps', 'apps.id', 'app_activity.app_id')
      .select(['apps.package_name', 'apps.name', 'app_activity.last_active_at'])
      .where('app_activity.user_id', '=', userId)
      .orderBy('apps.package_name')
    if (page.after !== undefined) query = query.where('apps.package_name', '>', page.after)
    if (page.limit !== undefined) query = query.limit(page.limit)
    const rows = await query.execute()
    return rows.map((row) => ({
      packageName: row.package_name,
      name: row.name,
      lastActiveAt: row.last_active_at,
    }))
  }
}
