import type { Kysely } from 'kysely'
import { byteOrdered } from './byte-ordered.ts'
import type { Migration } from './migration.ts'

export const auditLog: Migration = {
  summary: 'Creates the audit log.',
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('audit_log')
      .addColumn('id', byteOrdered(db), (c) => c.primaryKey().notNull())
      .addColumn('at', 'bigint', (c) => c.notNull())
      .addColumn('actor_id', 'text', (c) => c.notNull())
      .addColumn('action', 'text', (c) => c.notNull())
      .addColumn('target', 'text', (c) => c.notNull())
      .addColumn('details', 'text', (c) => c.notNull())
      .addColumn('address', 'text', (c) => c.notNull())
      .addColumn('outcome', 'text', (c) => c.notNull())
      .execute()
  },
}
