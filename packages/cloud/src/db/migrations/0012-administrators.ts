import type { Kysely } from 'kysely'
import { dropChangeTrigger, logChanges } from './0007-change-log.ts'
import type { Migration } from './migration.ts'

const users = { table: 'users', topic: 'users', keyColumn: 'id' } as const

export const administrators: Migration = {
  summary: 'Adds administrators, suspended users and personal access tokens.',
  async up(db: Kysely<unknown>) {
    await db.schema
      .alterTable('users')
      .addColumn('is_administrator', 'integer', (c) => c.notNull().defaultTo(0))
      .execute()
    await db.schema.alterTable('users').addColumn('suspended_at', 'bigint').execute()
    await dropChangeTrigger(db, users, 'update')
    await logChanges(db, {
      ...users,
      events: ['update'],
      columns: ['email', 'name', 'profile', 'tokens_valid_from', 'is_administrator', 'suspended_at'],
    })
    await db.schema
      .createTable('personal_tokens')
      .addColumn('id', 'text', (c) => c.primaryKey().notNull())
      .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('scopes', 'text', (c) => c.notNull())
      .addColumn('token_hash', 'text', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('expires_at', 'bigint', (c) => c.notNull())
      .addColumn('last_used_at', 'bigint')
      .execute()
    await db.schema.createIndex('personal_tokens_user').on('personal_tokens').column('user_id').execute()
  },
}
