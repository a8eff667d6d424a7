import type { Database } from '../db/index.ts'

/** Stores when each periodic job last ran on any node. */
export class JobRunStore {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  /**
   * Claims the run of a job that is due; of concurrent callers, one claims it.
   * @param everyMs time that must have passed since the last claimed run
   * @param now epoch ms
   * @returns false if the job is not due
   */
  async claim(name: string, everyMs: number, now: number): Promise<boolean> {
    const { numInsertedOrUpdatedRows } = await this.#db
      .insertInto('job_runs')
      .values({ name, ran_at: now })
      .onConflict((conflict) =>
        conflict
          .column('name')
          .doUpdateSet({ ran_at: now })
          .where('job_runs.ran_at', '<=', now - everyMs),
      )
      .executeTakeFirstOrThrow()
    return numInsertedOrUpdatedRows === 1n
  }

  /** Makes a job due again, because its run failed or was aborted. */
  async release(name: string): Promise<void> {
    await this.#db.deleteFrom('job_runs').where('name', '=', name).execute()
  }
}
