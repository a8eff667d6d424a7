import type { Kysely } from 'kysely'
import type { Migration } from './migration.ts'

/**
 * Several nodes on one database: properties of the whole cloud, such as its id, the leases of its nodes, and the owner of each user session. The
 * epoch of a session increases with every change of its owner.
 */
export const nodes: Migration = {
  summary: 'Creates the id of the cloud, the leases of nodes and the owners of sessions.',
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('cloud')
      .addColumn('key', 'text', (c) => c.primaryKey().notNull())
      .addColumn('value', 'text', (c) => c.notNull())
      .execute()
    await db.schema
      .createTable('node_leases')
      .addColumn('holder', 'text', (c) => c.primaryKey().notNull())
      .addColumn('expires_at', 'bigint', (c) => c.notNull())
      .execute()
    await db.schema.alterTable('user_sessions').addColumn('owner', 'text').execute()
    await db.schema
      .alterTable('user_sessions')
      .addColumn('epoch', 'bigint', (c) => c.notNull().defaultTo(0))
      .execute()
    await db.schema.createIndex('user_sessions_owner').on('user_sessions').column('owner').execute()
  },
}
