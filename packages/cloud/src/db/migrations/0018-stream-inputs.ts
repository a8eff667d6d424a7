import type { Kysely } from 'kysely'
import type { Migration } from './migration.ts'

/**
 * Inputs at streaming providers, so that those of a process that died can be deleted, and so that every node finds the
 * node that receives a stream.
 */
export const streamInputs: Migration = {
  summary: 'Creates the inputs at streaming providers.',
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('stream_inputs')
      .addColumn('name', 'text', (c) => c.primaryKey().notNull())
      .addColumn('provider', 'text', (c) => c.notNull())
      .addColumn('input_id', 'text')
      .addColumn('holder', 'text', (c) => c.notNull())
      .addColumn('node_url', 'text', (c) => c.notNull())
      .addColumn('renewed_at', 'bigint', (c) => c.notNull())
      .execute()
    await db.schema.createIndex('stream_inputs_input').on('stream_inputs').column('input_id').execute()
    await db.schema.createIndex('stream_inputs_renewed').on('stream_inputs').column('renewed_at').execute()
  },
}
