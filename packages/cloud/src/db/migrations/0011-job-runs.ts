import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** When each periodic job last ran, so that neither a restart nor another node runs it early. */
export const jobRuns: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('job_runs')
      .addColumn('name', 'text', (c) => c.primaryKey().notNull())
      .addColumn('ran_at', 'bigint', (c) => c.notNull())
      .execute()
  },
}
