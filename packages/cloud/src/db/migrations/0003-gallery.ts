import type { Kysely } from 'kysely'
import { byteOrdered } from './byte-ordered.ts'
import type { Migration } from './migration.ts'

export const gallery: Migration = {
  summary: 'Creates the gallery of photos.',
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('gallery_photos')
      .addColumn('id', byteOrdered(db), (c) => c.primaryKey().notNull())
      .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
      .addColumn('mime_type', 'text', (c) => c.notNull())
      .addColumn('size', 'bigint', (c) => c.notNull())
      .addColumn('request_id', 'text', (c) => c.notNull())
      .addColumn('origin', 'text', (c) => c.notNull())
      .addColumn('package_name', 'text')
      .addColumn('uploaded_at', 'bigint', (c) => c.notNull())
      .execute()
    await db.schema
      .createIndex('gallery_photos_user')
      .on('gallery_photos')
      .columns(['user_id', 'id'])
      .execute()
  },
}
