import { type Kysely, PostgresAdapter, type RawBuilder, sql } from 'kysely'

/**
 * Column type of text that lists are ordered by. SQLite compares text bytewise; the default collation of PostgreSQL
 * depends on the machine and on library versions.
 */
export function byteOrdered(db: Kysely<unknown>): RawBuilder<unknown> {
  return db.getExecutor().adapter instanceof PostgresAdapter ? sql`text collate "C"` : sql`text`
}
