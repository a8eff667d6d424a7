import type { Kysely } from 'kysely'
import type { Migration } from './migration.ts'

export const passkeys: Migration = {
  summary: 'Creates passkeys and used challenges.',
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('passkeys')
      .addColumn('id', 'text', (c) => c.primaryKey().notNull())
      .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
      .addColumn('credential_id', 'text', (c) => c.notNull().unique())
      .addColumn('public_key', 'text', (c) => c.notNull())
      .addColumn('counter', 'bigint', (c) => c.notNull())
      .addColumn('transports', 'text', (c) => c.notNull())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('last_used_at', 'bigint')
      .execute()
    await db.schema.createIndex('passkeys_user').on('passkeys').column('user_id').execute()
    await db.schema
      .createTable('used_challenges')
      .addColumn('challenge_hash', 'text', (c) => c.primaryKey().notNull())
      .addColumn('expires_at', 'bigint', (c) => c.notNull())
      .execute()
    await db.schema.createIndex('used_challenges_expiry').on('used_challenges').column('expires_at').execute()
  },
}
