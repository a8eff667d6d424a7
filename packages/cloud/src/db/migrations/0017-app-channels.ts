import type { Kysely } from 'kysely'
import type { Migration } from './migration.ts'

export const appChannels: Migration = {
  summary: 'Creates the owners of app-to-app messages.',
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('app_channels')
      .addColumn('package_name', 'text', (c) => c.primaryKey().notNull())
      .addColumn('node_id', 'text', (c) => c.notNull())
      .execute()
    await db.schema.createIndex('app_channels_node_id').on('app_channels').column('node_id').execute()
  },
}
