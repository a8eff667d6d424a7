import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Search runs in memory, so that the lower-case copies of names and descriptions are not needed. */
export const dropSearchColumns: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('apps').dropColumn('name_lower').execute()
    await db.schema.alterTable('apps').dropColumn('description_lower').execute()
  },
}
