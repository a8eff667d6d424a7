import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Characters that were spoken on a day (days since 1970-01-01), by hash of the caller's address and, as '', in all. */
export const speechUsage: Migration = {
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
