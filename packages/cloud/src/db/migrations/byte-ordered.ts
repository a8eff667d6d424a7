import { type Kysely, PostgresAdapter, type RawBuilder, sql } from 'kysely'

/**
 * Column type of a text that lists are ordered by. SQLite compares text byte by byte; PostgreSQL would follow the
 * language of its server, which differs from machine to machine and changes with its libraries.
 */
export function byteOrdered(db: Kysely<unknown>): RawBuilder<unknown> {
  return db.getExecutor().adapter instanceof PostgresAdapter ? sql`text collate "C"` : sql`text`
}
