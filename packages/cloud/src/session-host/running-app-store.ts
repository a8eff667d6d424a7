import type { Database } from '../db/index.ts'

/** An app that runs in a user session, or is restarted with it. */
export interface RunningApp {
  readonly packageName: string
  /** Epoch milliseconds. */
  readonly since: number
  /** The sessions in a row in which it could not be started. */
  readonly failedSessions: number
}

/** Stores the running apps of each user, so that they are restarted with the cloud. */
export class RunningAppStore {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  /**
   * Stores an app as running.
   * @param since epoch milliseconds; replaces an earlier time
   * @param db the transaction to write in, if any
   * @throws Error when the app does not exist; a foreign key violation when the user does not exist
   */
  async setRunning(userId: string, packageName: string, since: number, db = this.#db): Promise<void> {
    const { numInsertedOrUpdatedRows } = await db
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
      .onConflict((conflict) =>
        conflict.columns(['user_id', 'app_id']).doUpdateSet({ since, failed_sessions: 0 }),
      )
      .executeTakeFirstOrThrow()
    if (numInsertedOrUpdatedRows !== 1n) throw new Error(`App ${packageName} does not exist`)
  }

  /**
   * Removes an app from the running apps.
   * @param db the transaction to write in, if any
   * @returns whether the app was stored as running
   */
  async clearRunning(userId: string, packageName: string, db = this.#db): Promise<boolean> {
    const { numDeletedRows } = await db
      .deleteFrom('running_apps')
      .where('user_id', '=', userId)
      .where('app_id', 'in', appIdOf(db, packageName))
      .executeTakeFirstOrThrow()
    return numDeletedRows > 0n
  }

  /** Stores in how many sessions in a row an app could not be started. */
  async setFailedSessions(
    userId: string,
    packageName: string,
    failedSessions: number,
    db = this.#db,
  ): Promise<void> {
    await db
      .updateTable('running_apps')
      .set({ failed_sessions: failedSessions })
      .where('user_id', '=', userId)
      .where('app_id', 'in', appIdOf(db, packageName))
      .execute()
  }

  /** Lists the running apps of a user in the order they were started; those that could not be started last. */
  async runningOf(userId: string): Promise<RunningApp[]> {
    const rows = await this.#db
      .selectFrom('running_apps')
      .innerJoin('apps', 'apps.id', 'running_apps.app_id')
      .select(['apps.package_name', 'running_apps.since', 'running_apps.failed_sessions'])
      .where('running_apps.user_id', '=', userId)
      .orderBy('running_apps.failed_sessions')
      .orderBy('running_apps.since')
      .orderBy('apps.package_name')
      .execute()
    return rows.map((row) => ({
      packageName: row.package_name,
      since: row.since,
      failedSessions: row.failed_sessions,
    }))
  }
}

function appIdOf(db: Database, packageName: string) {
  return db.selectFrom('apps').select('apps.id').where('apps.package_name', '=', packageName)
}
