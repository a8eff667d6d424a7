import type { Kysely } from 'kysely'
import type { Migration } from './migration.ts'

/**
 * Space that uploads and recordings under way have reserved, the users of inputs at streaming providers, and recordings
 * that remain at a provider. The last two refer to users without a cascade: the row of a user cannot be deleted before
 * what they name.
 */
export const diskUse: Migration = {
  summary: 'Creates reserved space and recordings that remain at a provider.',
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('space_reservations')
      .addColumn('id', 'text', (c) => c.primaryKey().notNull())
      .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
      .addColumn('kind', 'text', (c) => c.notNull())
      .addColumn('bytes', 'bigint', (c) => c.notNull())
      .addColumn('holder', 'text', (c) => c.notNull())
      .addColumn('expires_at', 'bigint', (c) => c.notNull())
      .execute()
    await db.schema
      .createIndex('space_reservations_user')
      .on('space_reservations')
      .column('user_id')
      .execute()
    await db.schema
      .createIndex('space_reservations_holder')
      .on('space_reservations')
      .column('holder')
      .execute()
    await db.schema
      .createTable('provider_recordings')
      .addColumn('provider', 'text', (c) => c.notNull())
      .addColumn('recording_id', 'text', (c) => c.notNull())
      .addColumn('user_id', 'text', (c) => c.notNull().references('users.id'))
      .addColumn('url', 'text')
      .addColumn('recorded_at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('provider_recordings_key', ['provider', 'recording_id'])
      .execute()
    await db.schema
      .createIndex('provider_recordings_user')
      .on('provider_recordings')
      .column('user_id')
      .execute()
    await db.schema
      .alterTable('stream_inputs')
      .addColumn('user_id', 'text', (c) => c.references('users.id'))
      .execute()
    await db.schema.createIndex('stream_inputs_user').on('stream_inputs').column('user_id').execute()
  },
}
