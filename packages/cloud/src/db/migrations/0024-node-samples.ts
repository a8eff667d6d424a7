import type { Kysely } from 'kysely'
import type { Migration } from './migration.ts'

export const nodeSamples: Migration = {
  summary: 'Creates the measurements of nodes.',
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('node_samples')
      .addColumn('minute', 'bigint', (c) => c.notNull())
      .addColumn('node', 'text', (c) => c.notNull())
      .addColumn('sample', 'text', (c) => c.notNull())
      .addPrimaryKeyConstraint('node_samples_pk', ['minute', 'node'])
      .execute()
  },
}
