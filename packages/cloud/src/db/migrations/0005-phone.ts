import type { Kysely } from 'kysely'
import type { Migration } from './migration.ts'

export const phone: Migration = {
  summary: 'Creates web view tokens, phone reports and completed onboardings.',
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('webview_tokens')
      .addColumn('token_hash', 'text', (c) => c.primaryKey().notNull())
      .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
      .addColumn('app_id', 'text', (c) => c.notNull().references('apps.id').onDelete('cascade'))
      .addColumn('issued_at', 'bigint', (c) => c.notNull())
      .execute()
    await db.schema.createIndex('webview_tokens_issued').on('webview_tokens').column('issued_at').execute()
    await db.schema.createIndex('webview_tokens_user').on('webview_tokens').column('user_id').execute()
    await db.schema.createIndex('webview_tokens_app').on('webview_tokens').column('app_id').execute()

    await db.schema
      .createTable('phone_reports')
      .addColumn('id', 'text', (c) => c.primaryKey().notNull())
      .addColumn('user_id', 'text', (c) => c.references('users.id').onDelete('cascade'))
      .addColumn('kind', 'text', (c) => c.notNull())
      .addColumn('content', 'text', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .execute()
    await db.schema
      .createIndex('phone_reports_user')
      .on('phone_reports')
      .columns(['user_id', 'kind', 'created_at'])
      .execute()

    await db.schema
      .createTable('onboardings')
      .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
      .addColumn('app_id', 'text', (c) => c.notNull().references('apps.id').onDelete('cascade'))
      .addColumn('completed_at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('onboardings_pk', ['user_id', 'app_id'])
      .execute()
    await db.schema.createIndex('onboardings_app').on('onboardings').column('app_id').execute()
    await db.schema
      .alterTable('apps')
      .addColumn('onboarding_instructions', 'text', (c) => c.notNull().defaultTo(''))
      .execute()
  },
}
