import type { Kysely } from 'kysely'
import type { Migration } from './migration.ts'

/**
 * Certificates that the cloud orders, the accounts at the authorities, answers to their challenges, and the cloud's own
 * authority. Private keys are sealed.
 */
export const tls: Migration = {
  summary: 'Creates certificates, their authorities and the answers to challenges.',
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('tls_certificates')
      .addColumn('id', 'text', (c) => c.primaryKey().notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('attempts', 'integer', (c) => c.notNull())
      .addColumn('lease_owner', 'text')
      .addColumn('lease_until', 'bigint')
      .addColumn('next_attempt_at', 'bigint', (c) => c.notNull())
      .addColumn('failures', 'integer', (c) => c.notNull())
      .addColumn('failure', 'text')
      .addColumn('certificate', 'text')
      .addColumn('sealed_key', 'text')
      .execute()
    await db.schema
      .createTable('tls_accounts')
      .addColumn('id', 'text', (c) => c.primaryKey().notNull())
      .addColumn('sealed_key', 'text', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .execute()
    await db.schema
      .createTable('tls_challenges')
      .addColumn('token', 'text', (c) => c.primaryKey().notNull())
      .addColumn('host', 'text', (c) => c.notNull())
      .addColumn('type', 'text', (c) => c.notNull())
      .addColumn('key_authorization', 'text', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .execute()
    await db.schema.createIndex('tls_challenges_host').on('tls_challenges').column('host').execute()
    await db.schema
      .createTable('tls_authorities')
      .addColumn('secret_id', 'text', (c) => c.primaryKey().notNull())
      .addColumn('certificate', 'text', (c) => c.notNull())
      .addColumn('sealed_key', 'text', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .execute()
  },
}
