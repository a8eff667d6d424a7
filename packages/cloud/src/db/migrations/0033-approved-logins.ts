import type { Kysely } from 'kysely'
import type { Migration } from './migration.ts'

export const approvedLogins: Migration = {
  summary: 'Adds the sign-in time that the login of a device inherits.',
  async up(db: Kysely<unknown>) {
    for (const table of ['device_codes', 'logins'])
      await db.schema.alterTable(table).addColumn('signed_in_at', 'bigint').execute()
  },
}
