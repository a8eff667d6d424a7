import type { Kysely } from 'kysely'
import type { Migration } from './migration.ts'

export const liveStreams: Migration = {
  summary: 'Creates the managed stream of each user.',
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('live_streams')
      .addColumn('user_id', 'text', (c) =>
        c.primaryKey().notNull().references('users.id').onDelete('cascade'),
      )
      .addColumn('stream_id', 'text', (c) => c.notNull())
      .addColumn('started_at', 'bigint', (c) => c.notNull())
      .execute()
    await db.schema.createIndex('live_streams_stream').on('live_streams').column('stream_id').execute()
  },
}
