import type { Kysely } from 'kysely'
import { byteOrdered } from './byte-ordered.ts'
import type { Migration } from './migration.ts'

export const simpleStorage: Migration = {
  summary: 'Creates the simple storage of apps.',
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('storage_documents')
      .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
      .addColumn('app_id', 'text', (c) => c.notNull().references('apps.id').onDelete('cascade'))
      .addColumn('updated_at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('storage_documents_pk', ['user_id', 'app_id'])
      .execute()
    await db.schema.createIndex('storage_documents_app').on('storage_documents').column('app_id').execute()

    await db.schema
      .createTable('storage_values')
      .addColumn('user_id', 'text', (c) => c.notNull())
      .addColumn('app_id', 'text', (c) => c.notNull())
      .addColumn('key', byteOrdered(db), (c) => c.notNull())
      .addColumn('value', 'text', (c) => c.notNull())
      .addColumn('bytes', 'bigint', (c) => c.notNull())
      .addColumn('updated_at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('storage_values_pk', ['user_id', 'app_id', 'key'])
      .addForeignKeyConstraint(
        'storage_values_document',
        ['user_id', 'app_id'],
        'storage_documents',
        ['user_id', 'app_id'],
        (c) => c.onDelete('cascade'),
      )
      .execute()
  },
}
