import { PostgresAdapter, type RawBuilder, sql, type Transaction } from 'kysely'
import type { Database } from './database.ts'
import type { Schema } from './schema.ts'

/** A page of a list; without limits, the whole list. */
export interface Page {
  /** Maximum number of entries. */
  readonly limit?: number | undefined
  /** Key of the last entry of the previous page: the package name of an app, the e-mail address of a user. */
  readonly after?: string | undefined
}

/** Few sizes, so that statements with lists of values do not fill the cache of prepared statements. */
const BATCH_SIZES = [256, 64, 16, 4, 1] as const

/**
 * Splits the items of a statement with a list of values: databases limit the number of its parameters, and each length
 * of the list is a statement of its own. Yields batches of 256, 64, 16, 4 and 1 items.
 */
export function* inBatches<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  let start = 0
  for (const size of BATCH_SIZES) {
    for (; items.length - start >= size; start += size) yield items.slice(start, start + size)
  }
}

/** Parses a JSON column. The type is not checked: only {@link toJson} writes such columns. */
export function fromJson<T>(text: string): T {
  return JSON.parse(text)
}

/** Serializes a value for a JSON column; `undefined` becomes null, as in arrays. */
export function toJson(value: unknown): string {
  return JSON.stringify(value) ?? 'null'
}

/**
 * Returns whether a query failed with a unique violation, on either database.
 * @param error the error that a query threw
 */
export function isUniqueViolation(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, errcode } = error as { code?: unknown; errcode?: unknown }
  return code === POSTGRES_UNIQUE_VIOLATION || (code === 'ERR_SQLITE_ERROR' && SQLITE_UNIQUE.has(errcode))
}

const POSTGRES_UNIQUE_VIOLATION = '23505'

/** SQLITE_CONSTRAINT_UNIQUE and SQLITE_CONSTRAINT_PRIMARYKEY. */
const SQLITE_UNIQUE = new Set<unknown>([2067, 1555])

/** Runs work in a transaction: in `db` itself if it is one, otherwise in one of its own. */
export function inTransaction<Result>(
  db: Database,
  work: (trx: Transaction<Schema>) => Promise<Result>,
): Promise<Result> {
  return db.isTransaction ? work(db as Transaction<Schema>) : db.transaction().execute(work)
}

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
