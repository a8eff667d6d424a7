import type { Kysely } from 'kysely'
import type { Migration } from './migration.ts'

export const incidents: Migration = {
  summary: 'Creates incidents with their logs and attachments.',
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('incidents')
      .addColumn('id', 'text', (c) => c.primaryKey().notNull())
      .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
      .addColumn('content', 'text', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .execute()
    await db.schema.createIndex('incidents_user').on('incidents').columns(['user_id', 'created_at']).execute()

    await db.schema
      .createTable('incident_logs')
      .addColumn('id', 'text', (c) => c.primaryKey().notNull())
      .addColumn('incident_id', 'text', (c) => c.notNull().references('incidents.id').onDelete('cascade'))
      .addColumn('source', 'text', (c) => c.notNull())
      .addColumn('entries', 'text', (c) => c.notNull())
      .addColumn('bytes', 'integer', (c) => c.notNull())
      .addColumn('position', 'integer', (c) => c.notNull())
      .execute()
    await db.schema
      .createIndex('incident_logs_incident')
      .on('incident_logs')
      .columns(['incident_id', 'position'])
      .execute()

    await db.schema
      .createTable('incident_files')
      .addColumn('id', 'text', (c) => c.primaryKey().notNull())
      .addColumn('incident_id', 'text', (c) => c.notNull().references('incidents.id').onDelete('cascade'))
      .addColumn('filename', 'text', (c) => c.notNull())
      .addColumn('mime_type', 'text', (c) => c.notNull())
      .addColumn('size', 'integer', (c) => c.notNull())
      .addColumn('position', 'integer', (c) => c.notNull())
      .execute()
    await db.schema
      .createIndex('incident_files_incident')
      .on('incident_files')
      .columns(['incident_id', 'position'])
      .execute()
  },
}
