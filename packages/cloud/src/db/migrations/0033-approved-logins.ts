import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** When the user who approved a device had signed in, which the login of the device inherits. */
export const approvedLogins: Migration = {
  async up(db: Kysely<unknown>) {
    for (const table of ['device_codes', 'logins'])
      await db.schema.alterTable(table).addColumn('signed_in_at', 'bigint').execute()
  },
}
