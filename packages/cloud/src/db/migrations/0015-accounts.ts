import type { Kysely } from 'kysely'
import { logChanges } from './0007-change-log.ts'
import type { Migration } from './migration.ts'

export const accounts: Migration = {
  summary: 'Creates logins, ways to sign in, second factors, device sign-in and invitations to sign up.',
  async up(db: Kysely<unknown>) {
    await extendUsers(db)
    await createLogins(db)
    await createSignInMethods(db)
    await createSecondFactors(db)
    await createShortLived(db)
  },
}

async function extendUsers(db: Kysely<unknown>): Promise<void> {
  const users = db.schema.alterTable('users')
  await users.addColumn('email_verified', 'integer', (c) => c.notNull().defaultTo(0)).execute()
  await users.addColumn('image', 'text').execute()
  await users.addColumn('two_factor_enabled', 'integer', (c) => c.notNull().defaultTo(0)).execute()
}

async function createLogins(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('logins')
    .addColumn('id', 'text', (c) => c.primaryKey().notNull())
    .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('token_hash', 'text', (c) => c.notNull().unique())
    .addColumn('refresh_hash', 'text')
    .addColumn('refreshed_at', 'bigint')
    .addColumn('ip_address', 'text')
    .addColumn('user_agent', 'text')
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('updated_at', 'bigint', (c) => c.notNull())
    .addColumn('expires_at', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('logins_user').on('logins').column('user_id').execute()
  await db.schema.createIndex('logins_expiry').on('logins').column('expires_at').execute()
  // The end of a login invalidates the cached tokens of its user.
  await logChanges(db, { table: 'logins', topic: 'users', keyColumn: 'user_id', events: ['delete'] })
}

async function createSignInMethods(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('sign_in_methods')
    .addColumn('id', 'text', (c) => c.primaryKey().notNull())
    .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('provider_id', 'text', (c) => c.notNull())
    .addColumn('account_id', 'text', (c) => c.notNull())
    .addColumn('password', 'text')
    .addColumn('access_token', 'text')
    .addColumn('refresh_token', 'text')
    .addColumn('id_token', 'text')
    .addColumn('access_token_expires_at', 'bigint')
    .addColumn('refresh_token_expires_at', 'bigint')
    .addColumn('scope', 'text')
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('updated_at', 'bigint', (c) => c.notNull())
    .addUniqueConstraint('sign_in_methods_account', ['provider_id', 'account_id'])
    .execute()
  await db.schema.createIndex('sign_in_methods_user').on('sign_in_methods').column('user_id').execute()
}

async function createSecondFactors(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('two_factors')
    .addColumn('id', 'text', (c) => c.primaryKey().notNull())
    .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('secret', 'text', (c) => c.notNull())
    .addColumn('backup_codes', 'text', (c) => c.notNull())
    .addColumn('verified', 'integer', (c) => c.notNull())
    .addColumn('failed_verification_count', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('locked_until', 'bigint')
    .execute()
  await db.schema.createIndex('two_factors_user').on('two_factors').column('user_id').execute()
}

async function createShortLived(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('verifications')
    .addColumn('id', 'text', (c) => c.primaryKey().notNull())
    .addColumn('identifier', 'text', (c) => c.notNull())
    .addColumn('value', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('updated_at', 'bigint', (c) => c.notNull())
    .addColumn('expires_at', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('verifications_identifier').on('verifications').column('identifier').execute()
  await db.schema
    .createTable('device_codes')
    .addColumn('id', 'text', (c) => c.primaryKey().notNull())
    .addColumn('device_code', 'text', (c) => c.notNull().unique())
    .addColumn('user_code', 'text', (c) => c.notNull().unique())
    .addColumn('user_id', 'text', (c) => c.references('users.id').onDelete('cascade'))
    .addColumn('status', 'text', (c) => c.notNull())
    .addColumn('client_id', 'text')
    .addColumn('scope', 'text')
    .addColumn('polling_interval', 'integer')
    .addColumn('last_polled_at', 'bigint')
    .addColumn('expires_at', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema
    .createTable('guesses')
    .addColumn('key', 'text', (c) => c.primaryKey().notNull())
    .addColumn('attempts', 'integer', (c) => c.notNull())
    .addColumn('resets_at', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema
    .createTable('sign_up_invitations')
    .addColumn('id', 'text', (c) => c.primaryKey().notNull())
    .addColumn('token_hash', 'text', (c) => c.notNull().unique())
    .addColumn('invited_email', 'text')
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('expires_at', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema
    .createTable('set_up')
    .addColumn('step', 'text', (c) => c.primaryKey().notNull())
    .addColumn('completed_at', 'bigint', (c) => c.notNull())
    .execute()
}
