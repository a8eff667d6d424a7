import type { Kysely } from 'kysely'
import type { Migration } from './migration.ts'

/** Which process makes a backup, and how the last ones ended. */
export const backupState: Migration = {
  summary: 'Creates the state of backups: which process makes one, and how the last ones ended.',
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('backup_state')
      .addColumn('name', 'text', (c) => c.primaryKey().notNull())
      .addColumn('lease_owner', 'text')
      .addColumn('lease_until', 'bigint')
      .addColumn('tried_at', 'bigint', (c) => c.notNull())
      .addColumn('succeeded_at', 'bigint')
      .addColumn('backup_id', 'text')
      .addColumn('place', 'text')
      .addColumn('bytes', 'bigint')
      .addColumn('failed_at', 'bigint')
      .addColumn('failure', 'text')
      .execute()
  },
}
