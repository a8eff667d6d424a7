import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Tells logins of approved devices from those where the user signed in. */
export const deviceLogins: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .alterTable('logins')
      .addColumn('is_device', 'integer', (c) => c.notNull().defaultTo(0))
      .execute()
  },
}
