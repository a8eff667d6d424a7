import type { Kysely } from 'kysely'
import { byteOrdered } from './byte-ordered.ts'
import type { Migration } from './migration.ts'

export const appLog: Migration = {
  summary: 'Creates the log and the daily use of each app.',
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('app_log')
      .addColumn('id', byteOrdered(db), (c) => c.primaryKey().notNull())
      .addColumn('app_id', 'text', (c) => c.notNull().references('apps.id').onDelete('cascade'))
      .addColumn('at', 'bigint', (c) => c.notNull())
      .addColumn('entry', 'text', (c) => c.notNull())
      .execute()
    await db.schema.createIndex('app_log_app').on('app_log').columns(['app_id', 'id']).execute()
    await db.schema.createIndex('app_log_at').on('app_log').column('at').execute()

    await db.schema
      .createTable('app_usage')
      .addColumn('app_id', 'text', (c) => c.notNull().references('apps.id').onDelete('cascade'))
      .addColumn('day', 'integer', (c) => c.notNull())
      .addColumn('sessions', 'integer', (c) => c.notNull())
      .addColumn('errors', 'integer', (c) => c.notNull())
      .addPrimaryKeyConstraint('app_usage_pk', ['app_id', 'day'])
      .execute()

    await db.schema
      .createTable('app_daily_users')
      .addColumn('app_id', 'text', (c) => c.notNull().references('apps.id').onDelete('cascade'))
      .addColumn('day', 'integer', (c) => c.notNull())
      .addColumn('user_hash', 'text', (c) => c.notNull())
      .addPrimaryKeyConstraint('app_daily_users_pk', ['app_id', 'day', 'user_hash'])
      .execute()
  },
}
