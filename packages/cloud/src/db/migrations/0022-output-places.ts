import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The restream outputs of each app on all nodes. A row of `output_apps` is locked while places of its app are reserved. */
export const outputPlaces: Migration = {
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
