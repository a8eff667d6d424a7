import type { Kysely } from 'kysely'
import type { Migration } from './migration.ts'

export const databaseVersion: Migration = {
  summary: 'Creates the version that wrote the database, and the oldest one that may use it.',
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('database_version')
      .addColumn('id', 'integer', (c) => c.primaryKey().notNull())
      .addColumn('version', 'text', (c) => c.notNull())
      .addColumn('oldest_version', 'text', (c) => c.notNull())
      .addColumn('written_at', 'bigint', (c) => c.notNull())
      .execute()
  },
}
