import type { Kysely } from 'kysely'
import { logChanges } from './0007-change-log.ts'
import type { Migration } from './migration.ts'

/** Installed speech models, and those that are being installed. */
export const speechModels: Migration = {
  summary:
    'Creates the tables of speech models: those that are installed, and those that are being installed.',
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('speech_models')
      .addColumn('id', 'text', (c) => c.primaryKey().notNull())
      .addColumn('install_id', 'text', (c) => c.notNull())
      .addColumn('manifest', 'text', (c) => c.notNull())
      .addColumn('installed_at', 'bigint', (c) => c.notNull())
      .execute()
    await logChanges(db, {
      table: 'speech_models',
      topic: 'speech_models',
      keyColumn: 'id',
      events: ['insert', 'delete'],
    })
    await db.schema
      .createTable('speech_model_installs')
      .addColumn('id', 'text', (c) => c.primaryKey().notNull())
      .addColumn('install_id', 'text', (c) => c.notNull())
      .addColumn('manifest', 'text', (c) => c.notNull())
      .addColumn('source', 'text', (c) => c.notNull())
      .addColumn('status', 'text', (c) => c.notNull())
      .addColumn('failure', 'text')
      .addColumn('stored_files', 'integer', (c) => c.notNull())
      .addColumn('received_bytes', 'bigint', (c) => c.notNull())
      .addColumn('attempts', 'integer', (c) => c.notNull())
      .addColumn('lease_owner', 'text')
      .addColumn('lease_until', 'bigint')
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .execute()
  },
}
