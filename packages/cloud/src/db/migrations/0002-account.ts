import type { Kysely } from 'kysely'
import type { Migration } from './migration.ts'

export const account: Migration = {
  summary: 'Creates privacy settings, data exports, account deletions and OAuth signing keys.',
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('privacy_settings')
      .addColumn('user_id', 'text', (c) =>
        c.primaryKey().notNull().references('users.id').onDelete('cascade'),
      )
      .addColumn('share_usage_data', 'integer', (c) => c.notNull())
      .addColumn('receive_notifications', 'integer', (c) => c.notNull())
      .addColumn('allow_data_collection', 'integer', (c) => c.notNull())
      .addColumn('updated_at', 'bigint', (c) => c.notNull())
      .execute()

    await db.schema
      .createTable('exports')
      .addColumn('id', 'text', (c) => c.primaryKey().notNull())
      .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
      .addColumn('format', 'text', (c) => c.notNull())
      .addColumn('status', 'text', (c) => c.notNull())
      .addColumn('attempts', 'integer', (c) => c.notNull())
      .addColumn('lease_owner', 'text')
      .addColumn('lease_until', 'bigint')
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('ended_at', 'bigint')
      .execute()
    await db.schema.createIndex('exports_user').on('exports').column('user_id').execute()
    await db.schema.createIndex('exports_ended').on('exports').columns(['ended_at', 'created_at']).execute()

    await db.schema
      .createTable('deletions')
      .addColumn('user_id', 'text', (c) =>
        c.primaryKey().notNull().references('users.id').onDelete('cascade'),
      )
      .addColumn('began_at', 'bigint', (c) => c.notNull())
      .execute()

    await db.schema
      .createTable('oauth_keys')
      .addColumn('secret_id', 'text', (c) => c.primaryKey().notNull())
      .addColumn('kid', 'text', (c) => c.notNull())
      .addColumn('public_jwk', 'text', (c) => c.notNull())
      .addColumn('sealed_private_key', 'text', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .execute()
  },
}
