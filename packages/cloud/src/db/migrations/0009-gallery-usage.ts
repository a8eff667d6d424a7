import { type Kysely, sql } from 'kysely'
import type { Migration } from './migration.ts'

/** The minimum charge of a photo when this migration was written. */
const MIN_CHARGE_BYTES = 16 * 1024

export const galleryUsage: Migration = {
  summary: 'Adds up how much of the gallery quota each user has used.',
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('gallery_usage')
      .addColumn('user_id', 'text', (c) =>
        c.primaryKey().notNull().references('users.id').onDelete('cascade'),
      )
      .addColumn('photos', 'bigint', (c) => c.notNull())
      .addColumn('bytes', 'bigint', (c) => c.notNull())
      .execute()
    await sql`insert into gallery_usage (user_id, photos, bytes)
      select user_id, count(*), sum(case when size < ${sql.lit(MIN_CHARGE_BYTES)} then ${sql.lit(MIN_CHARGE_BYTES)} else size end)
      from gallery_photos group by user_id`.execute(db)
  },
}
