import type { Kysely } from 'kysely'
import type { Migration } from './migration.ts'

export const deviceLogins: Migration = {
  summary: 'Marks the logins of approved devices.',
  async up(db: Kysely<unknown>) {
    await db.schema
      .alterTable('logins')
      .addColumn('is_device', 'integer', (c) => c.notNull().defaultTo(0))
      .execute()
  },
}
