import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Which node forwards the messages between the users of an app. */
export const appChannels: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('app_channels')
      .addColumn('package_name', 'text', (c) => c.primaryKey().notNull())
      .addColumn('node_id', 'text', (c) => c.notNull())
      .execute()
    await db.schema.createIndex('app_channels_node_id').on('app_channels').column('node_id').execute()
  },
}
