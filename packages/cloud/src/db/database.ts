import { join } from 'node:path'
import { type Kysely, sql } from 'kysely'
import type { ChangeFeed } from './change-feed.ts'
import { migrate } from './migrate.ts'
import type { StoreLog } from './postgres.ts'
import type { PostgresChangeFeed } from './postgres-change-feed.ts'
import type { Schema } from './schema.ts'
import { openSqlite } from './sqlite.ts'

/** The open database; `destroy()` closes it, once the queries under way have ended. */
export type Database = Kysely<Schema>

/** Where the rows are. */
export interface DatabaseOptions {
  /** PostgreSQL; absent, a SQLite file in `dataDir` holds the rows. */
  readonly databaseUrl?: string | undefined
  readonly dataDir: string
  readonly log?: StoreLog | undefined
}

/** The SQLite file in the data folder. */
export const databaseFile = 'glasses-cloud.db'

/**
 * Opens the database and brings its tables up to date.
 * @throws Error with a sentence for the operator: unreachable, unreadable, or written by a newer version
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  return options.databaseUrl === undefined
    ? migrated(await openSqlite(join(options.dataDir, databaseFile)))
    : openMigratedPostgres(options.databaseUrl, options.log)
}

/** A database with the feed of its changes. Close the feed first. */
export interface WatchedDatabase {
  readonly db: Database
  readonly changes: ChangeFeed
}

/**
 * Opens the database like `openDatabase`, and a feed of changed rows beside it.
 * @throws like `openDatabase`
 */
export async function openWatchedDatabase(options: DatabaseOptions): Promise<WatchedDatabase> {
  const { databaseUrl, dataDir, log } = options
  if (databaseUrl === undefined) {
    const db = await openDatabase(options)
    const { SqliteChangeFeed } = await import('./sqlite-change-feed.ts')
    return { db, changes: new SqliteChangeFeed(join(dataDir, databaseFile)) }
  }
  let feed: PostgresChangeFeed | undefined
  const db = await openMigratedPostgres(databaseUrl, log, () => feed?.recordWrite())
  const { PostgresChangeFeed } = await import('./postgres-change-feed.ts')
  try {
    feed = await PostgresChangeFeed.open({ databaseUrl, db, log })
    return { db, changes: feed }
  } catch (error) {
    await db.destroy()
    throw error
  }
}

/** Asks the database for a sign of life. Rejects when there is none. */
export async function pingDatabase(db: Database): Promise<void> {
  await sql`select 1`.execute(db)
}

async function migrated(db: Database): Promise<Database> {
  try {
    await migrate(db)
    return db
  } catch (error) {
    await db.destroy()
    throw error
  }
}

async function openMigratedPostgres(
  databaseUrl: string,
  log: StoreLog | undefined,
  onWrite?: () => void,
): Promise<Database> {
  // A cloud on SQLite starts without the driver of PostgreSQL.
  const { everydayLimits, migrationLimits, openPostgres } = await import('./postgres.ts')
  const migrating = await reached(openPostgres(databaseUrl, migrationLimits, log), databaseUrl)
  await (await migrated(migrating)).destroy()
  return openPostgres(databaseUrl, everydayLimits, log, onWrite)
}

/** The sentence names host and database alone: the URL holds a password. */
async function reached(db: Database, databaseUrl: string): Promise<Database> {
  try {
    await pingDatabase(db)
    return db
  } catch (cause) {
    await db.destroy()
    const { code, message } = cause as { code?: string; message: string }
    const url = URL.parse(databaseUrl)
    const place = url ? ` at ${url.host}${url.pathname}` : ''
    throw new Error(
      `PostgreSQL${place} cannot be used (${message || code}). Set DATABASE_URL to postgres://user:password@host:port/database, or leave it out to use SQLite.`,
      { cause },
    )
  }
}
