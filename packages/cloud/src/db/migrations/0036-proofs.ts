import type { Kysely } from 'kysely'
import type { Migration } from './migration.ts'

/**
 * What a credential proves: whether a login is the session of a browser, and a second token of invitations, which the person
 * who invites receives and which proves no address.
 */
export const proofs: Migration = {
  summary: 'Adds browser sessions to logins, and links to invitations.',
  async up(db: Kysely<unknown>) {
    await db.schema
      .alterTable('logins')
      .addColumn('is_browser', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
    await db.schema.alterTable('organization_invitations').addColumn('link_hash', 'text').execute()
    await db.schema
      .createIndex('organization_invitations_link')
      .on('organization_invitations')
      .column('link_hash')
      .execute()
  },
}
