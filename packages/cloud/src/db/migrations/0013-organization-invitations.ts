import type { Kysely } from 'kysely'
import { byteOrdered } from './byte-ordered.ts'
import type { Migration } from './migration.ts'

export const organizationInvitations: Migration = {
  summary: 'Creates pending invitations to organizations.',
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('organization_invitations')
      .addColumn('id', 'text', (c) => c.primaryKey().notNull())
      .addColumn('organization_id', 'text', (c) =>
        c.notNull().references('organizations.id').onDelete('cascade'),
      )
      .addColumn('email', byteOrdered(db), (c) => c.notNull())
      .addColumn('role', 'text', (c) => c.notNull())
      .addColumn('token_hash', 'text', (c) => c.notNull().unique())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('expires_at', 'bigint', (c) => c.notNull())
      .addUniqueConstraint('organization_invitations_address', ['organization_id', 'email'])
      .execute()
    await db.schema
      .createIndex('organization_invitations_email')
      .on('organization_invitations')
      .column('email')
      .execute()
  },
}
