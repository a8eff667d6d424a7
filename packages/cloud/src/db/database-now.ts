import { PostgresAdapter, type RawBuilder, sql } from 'kysely'
import type { Database } from './database.ts'

/** Whether transactions lock the rows that they read for it. Those of SQLite lock the whole database when they begin. */
export function locksRows(db: Database): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter
}

/** The clock of the database in epoch milliseconds, which all nodes share; for the expiry of leases. */
export function databaseNow(db: Database): RawBuilder<number> {
  return locksRows(db)
    ? sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`
    : sql<number>`cast(unixepoch('subsec') * 1000 as integer)`
}
