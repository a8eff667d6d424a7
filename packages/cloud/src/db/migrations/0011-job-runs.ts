import type { Kysely } from 'kysely'
import type { Migration } from './migration.ts'

export const jobRuns: Migration = {
  summary: 'Creates the times at which periodic jobs last ran.',
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('job_runs')
      .addColumn('name', 'text', (c) => c.primaryKey().notNull())
      .addColumn('ran_at', 'bigint', (c) => c.notNull())
      .execute()
  },
}
