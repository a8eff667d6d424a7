import type { Kysely } from 'kysely'
import { logChanges } from './0007-change-log.ts'
import type { Migration } from './migration.ts'

export const developerApi: Migration = {
  summary: 'Creates screenshots and reviews of apps and a log of revoked API keys.',
  async up(db: Kysely<unknown>) {
    await db.schema
      .alterTable('apps')
      .addColumn('screenshots', 'text', (c) => c.notNull().defaultTo('[]'))
      .execute()
    await db.schema
      .createTable('app_reviews')
      .addColumn('app_id', 'text', (c) => c.primaryKey().notNull().references('apps.id').onDelete('cascade'))
      .addColumn('submitted_at', 'bigint', (c) => c.notNull())
      .addColumn('decided_at', 'bigint')
      .addColumn('notes', 'text', (c) => c.notNull())
      .execute()
    await logChanges(db, { table: 'api_keys', topic: 'api_keys', keyColumn: 'key_id', events: ['delete'] })
  },
}
