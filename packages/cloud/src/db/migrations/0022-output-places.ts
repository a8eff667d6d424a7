import type { Kysely } from 'kysely'
import type { Migration } from './migration.ts'

export const outputPlaces: Migration = {
  summary: 'Creates the restream outputs of each app on all nodes.',
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('output_apps')
      .addColumn('package_name', 'text', (c) => c.primaryKey().notNull())
      .addColumn('reserved_at', 'bigint', (c) => c.notNull())
      .execute()
    await db.schema
      .createTable('output_places')
      .addColumn('id', 'text', (c) => c.primaryKey().notNull())
      .addColumn('package_name', 'text', (c) => c.notNull())
      .addColumn('renewed_at', 'bigint', (c) => c.notNull())
      .execute()
    await db.schema
      .createIndex('output_places_package')
      .on('output_places')
      .columns(['package_name', 'renewed_at'])
      .execute()
    await db.schema.createIndex('output_places_renewed').on('output_places').column('renewed_at').execute()
  },
}
