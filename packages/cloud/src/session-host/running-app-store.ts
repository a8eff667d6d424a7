import type { Database } from '../db/index.ts'

/** An app a wearer wants running. */
export interface RunningApp {
  readonly packageName: string
  /** Epoch milliseconds. */
  readonly since: number
}

/** Which apps each wearer wants running, so that a restarted cloud starts them again. */
export class RunningAppStore {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  /**
   * Notes that a wearer wants an app running, since a time (epoch ms) that replaces an earlier one.
   * @throws Error when there is no such app; a foreign key violation when there is no such user
   */
  async setRunning(userId: string, packageName: string, since: number): Promise<void> {
    const { numInsertedOrUpdatedRows } = await this.#db
      .insertInto('running_apps')
      .columns(['user_id', 'app_id', 'since'])
      .expression((e) =>
        e
          .selectFrom('apps')
          .select((s) => [
            s.val(userId).as('user_id'),
            'apps.id',
            s.cast<number>(s.val(since), 'bigint').as('since'),
          ])
          .where('apps.package_name', '=', packageName),
      )
      .onConflict((conflict) => conflict.columns(['user_id', 'app_id']).doUpdateSet({ since }))
      .executeTakeFirstOrThrow()
    if (numInsertedOrUpdatedRows !== 1n) throw new Error(`there is no app ${packageName} that could run`)
  }

  /**
   * Notes that a wearer does not want an app running.
   * @returns whether it was wanted until now
   */
  async clearRunning(userId: string, packageName: string): Promise<boolean> {
    const { numDeletedRows } = await this.#db
      .deleteFrom('running_apps')
      .where('user_id', '=', userId)
      .where('app_id', 'in', (e) =>
        e.selectFrom('apps').select('apps.id').where('apps.package_name', '=', packageName),
      )
      .executeTakeFirstOrThrow()
    return numDeletedRows > 0n
  }

  /** What a wearer wants running, in the order it was started. */
  async runningOf(userId: string): Promise<RunningApp[]> {
    const rows = await this.#db
      .selectFrom('running_apps')
      .innerJoin('apps', 'apps.id', 'running_apps.app_id')
      .select(['apps.package_name', 'running_apps.since'])
      .where('running_apps.user_id', '=', userId)
      .orderBy('running_apps.since')
      .orderBy('apps.package_name')
      .execute()
    return rows.map((row) => ({ packageName: row.package_name, since: row.since }))
  }
}
