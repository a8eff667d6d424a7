import type { Kysely } from 'kysely'
import type { Migration } from './migration.ts'

/**
 * Of sign-ins: codes that were used, sessions that end with the browser, logins with a scope, which login a temporary
 * token of a web view belongs to, and the browsers where a user signed in before.
 */
export const signIn: Migration = {
  summary: 'Adds used codes, scopes of logins and known browsers.',
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('two_factors').addColumn('last_used_step', 'bigint').execute()
    await db.schema
      .alterTable('logins')
      .addColumn('ends_with_browser', 'integer', (c) => c.notNull().defaultTo(0))
      .execute()
    await db.schema.alterTable('logins').addColumn('scope', 'text').execute()
    await db.schema.alterTable('webview_tokens').addColumn('login_id', 'text').execute()
    await db.schema
      .createTable('known_browsers')
      .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
      .addColumn('browser_hash', 'text', (c) => c.notNull())
      .addColumn('expires_at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('known_browsers_key', ['browser_hash', 'user_id'])
      .execute()
    await db.schema.createIndex('known_browsers_user').on('known_browsers').column('user_id').execute()
    await db.schema.createIndex('known_browsers_expiry').on('known_browsers').column('expires_at').execute()
  },
}
