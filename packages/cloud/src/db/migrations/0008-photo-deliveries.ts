import type { Kysely } from 'kysely'
import { byteOrdered } from './byte-ordered.ts'
import type { Migration } from './migration.ts'

export const photoDeliveries: Migration = {
  summary: 'Creates the queue of photos on their way to apps.',
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('photo_deliveries')
      .addColumn('id', byteOrdered(db), (c) => c.primaryKey().notNull())
      .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
      .addColumn('mime_type', 'text', (c) => c.notNull())
      .addColumn('size', 'bigint', (c) => c.notNull())
      .addColumn('package_name', 'text', (c) => c.notNull())
      .addColumn('request_id', 'text', (c) => c.notNull())
      .addColumn('sealed_token', 'text')
      .addColumn('attempts', 'integer', (c) => c.notNull())
      .addColumn('lease_owner', 'text', (c) => c.notNull())
      .addColumn('lease_until', 'bigint', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .execute()
    await db.schema
      .createIndex('photo_deliveries_lease')
      .on('photo_deliveries')
      .columns(['lease_until', 'id'])
      .execute()
    await db.schema
      .createIndex('photo_deliveries_user')
      .on('photo_deliveries')
      .columns(['user_id', 'id'])
      .execute()
  },
}
