import type { Kysely } from 'kysely'
import type { Migration } from './migration.ts'

export const speechUsage: Migration = {
  summary: 'Creates the daily counts of spoken characters.',
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('speech_usage')
      .addColumn('day', 'integer', (c) => c.notNull())
      .addColumn('caller', 'text', (c) => c.notNull())
      .addColumn('characters', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('speech_usage_key', ['day', 'caller'])
      .execute()
  },
}
