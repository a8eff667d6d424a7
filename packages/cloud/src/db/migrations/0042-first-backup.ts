import type { Kysely } from 'kysely'
import type { Migration } from './migration.ts'

export const firstBackup: Migration = {
  summary: 'Adds to the state of backups since when they are made.',
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('backup_state').addColumn('first_tried_at', 'bigint').execute()
  },
}
