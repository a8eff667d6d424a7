import { type Kysely, sql } from 'kysely'
import { logChanges } from './0007-change-log.ts'
import type { Migration } from './migration.ts'

/**
 * When each user last used an app, installed or not. `installs.last_active_at`, where it was stored before, is no longer
 * read; it stays because nodes of the previous version write it during a rolling update.
 *
 * New users are logged, because the catalogue shows the names of developers.
 */
export const appActivity: Migration = {
  summary: 'Copies the last use of installed apps to a table of its own.',
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('app_activity')
      .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
      .addColumn('app_id', 'text', (c) => c.notNull().references('apps.id').onDelete('cascade'))
      .addColumn('last_active_at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('app_activity_key', ['user_id', 'app_id'])
      .execute()
    await db.schema.createIndex('app_activity_app').on('app_activity').column('app_id').execute()
    await sql`insert into app_activity (user_id, app_id, last_active_at)
      select user_id, app_id, last_active_at from installs where last_active_at is not null`.execute(db)
    await logChanges(db, {
      table: 'app_activity',
      topic: 'user_apps',
      keyColumn: 'user_id',
      events: ['insert', 'update', 'delete'],
    })
    await logChanges(db, { table: 'users', topic: 'users', keyColumn: 'id', events: ['insert'] })
  },
}
