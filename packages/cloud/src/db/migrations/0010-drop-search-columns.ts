import type { Kysely } from 'kysely'
import type { Migration } from './migration.ts'

export const dropSearchColumns: Migration = {
  summary: 'Drops the lower-case copies of names and descriptions of apps.',
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('apps').dropColumn('name_lower').execute()
    await db.schema.alterTable('apps').dropColumn('description_lower').execute()
  },
}
