import type { Kysely } from 'kysely'
import type { Migration } from './migration.ts'

/**
 * The sealed signing keys of API keys. Migrations do not know `AUTH_SECRET`: the server seals the existing ones when it
 * starts (`ApiKeyStore.sealAll`).
 */
export const signingKeys: Migration = {
  summary: 'Adds the sealed signing keys of API keys.',
  async up(db: Kysely<unknown>) {
    for (const column of ['signing_key', 'secret_id'])
      await db.schema.alterTable('api_keys').addColumn(column, 'text').execute()
  },
}
