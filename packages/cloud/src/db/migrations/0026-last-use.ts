import type { Kysely } from 'kysely'
import type { Migration } from './migration.ts'

export const lastUse: Migration = {
  summary: 'Adds the last use of API keys, personal tokens and logins.',
  async up(db: Kysely<unknown>) {
    for (const table of ['api_keys', 'logins'])
      await db.schema.alterTable(table).addColumn('last_used_at', 'bigint').execute()
    for (const table of ['api_keys', 'logins', 'personal_tokens'])
      await db.schema.alterTable(table).addColumn('last_used_address', 'text').execute()
  },
}
