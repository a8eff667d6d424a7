import { join } from 'node:path'
import { type Kysely, sql } from 'kysely'
import type { ChangeFeed } from './change-feed.ts'
import type { DatabaseObserver } from './database-metrics.ts'
import { migrate } from './migrate.ts'
import type { DatabaseLog, PoolLimits } from './postgres.ts'
import type { PostgresChangeFeed } from './postgres-change-feed.ts'
import type { Schema } from './schema.ts'
import { openSqlite } from './sqlite.ts'
import type { SqliteChangeFeed } from './sqlite-change-feed.ts'

/** The open database; `destroy()` closes it once pending queries have ended. */
export type Database = Kysely<Schema>

export interface DatabaseOptions {
  /** URL of a PostgreSQL database; absent, a SQLite file in `dataDir` is used. */
  readonly databaseUrl?: string | undefined
  readonly dataDir: string
  /** Limits of the connection pool on PostgreSQL. */
  readonly pool?: PoolLimits | undefined
  readonly log?: DatabaseLog | undefined
  readonly observer?: DatabaseObserver | undefined
}

/** Name of the SQLite file in the data folder. */
export const DATABASE_FILE = 'glasses-cloud.db'

/**
 * Opens the database and applies pending migrations.
 * @throws Error with a message for the operator if it is unreachable, unreadable or written by a newer version
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  return options.databaseUrl === undefined
    ? migrateOrClose(await openSqlite(join(options.dataDir, DATABASE_FILE)))
    : openAndMigratePostgres(options.databaseUrl, options)
}

/** A database with the feed of its changes. Close the feed first. */
interface WatchedDatabase {
  readonly db: Database
  readonly changes: ChangeFeed
}

/**
 * Opens the database like `openDatabase`, and a feed of changed rows beside it.
 * @throws like `openDatabase`
 */
export async function openWatchedDatabase(options: DatabaseOptions): Promise<WatchedDatabase> {
  const { databaseUrl, dataDir, log, observer } = options
  if (databaseUrl === undefined) {
    const { SqliteChangeFeed: Feed } = await import('./sqlite-change-feed.ts')
    const file = join(dataDir, DATABASE_FILE)
    let changes: SqliteChangeFeed | undefined
    const db = await migrateOrClose(await openSqlite(file, () => changes?.recordWrite(), observer))
    changes = new Feed(file)
    return { db, changes }
  }
  let feed: PostgresChangeFeed | undefined
  const db = await openAndMigratePostgres(databaseUrl, options, () => feed?.recordWrite())
  const { PostgresChangeFeed } = await import('./postgres-change-feed.ts')
  try {
    feed = await PostgresChangeFeed.open({ databaseUrl, db, log })
    return { db, changes: feed }
  } catch (error) {
    await db.destroy()
    throw error
  }
}

/**
 * Opens a connection of its own for leases. A statement fails rather than to take longer than a lease lasts.
 * @param leaseMs duration of the leases
 */
export async function openLeaseDatabase(
  databaseUrl: string,
  leaseMs: number,
  log?: DatabaseLog,
): Promise<Database> {
  const { openPostgres } = await import('./postgres.ts')
  const limits = { connections: 2, statementTimeoutMs: leaseMs, queryTimeoutMs: leaseMs }
  return openPostgres(databaseUrl, limits, log)
}

/**
 * Opens one connection to PostgreSQL without migrating, on which statements may take any time: for backups, which read
 * and replace whole databases.
 * @throws Error with a message for the operator if it is unreachable
 */
export async function openUnlimitedPostgres(databaseUrl: string): Promise<Database> {
  const { MIGRATION_LIMITS, openPostgres } = await import('./postgres.ts')
  return checkConnection(openPostgres(databaseUrl, MIGRATION_LIMITS), databaseUrl)
}

/** Runs a trivial query. @throws Error if the database does not respond */
export async function pingDatabase(db: Database): Promise<void> {
  await sql`select 1`.execute(db)
}

async function migrateOrClose(db: Database): Promise<Database> {
  try {
    await migrate(db)
    return db
  } catch (error) {
    await db.destroy()
    throw error
  }
}

async function openAndMigratePostgres(
  databaseUrl: string,
  { log, pool, observer }: DatabaseOptions,
  onWrite?: () => void,
): Promise<Database> {
  // With SQLite, the PostgreSQL driver is not loaded.
  const { DEFAULT_POOL_LIMITS, MIGRATION_LIMITS, openPostgres } = await import('./postgres.ts')
  const migrating = await checkConnection(openPostgres(databaseUrl, MIGRATION_LIMITS, log), databaseUrl)
  await (await migrateOrClose(migrating)).destroy()
  return openPostgres(databaseUrl, pool ?? DEFAULT_POOL_LIMITS, log, { onWrite, observer })
}

/** Checks the connection. The error names host and database only, since the URL may contain a password. */
async function checkConnection(db: Database, databaseUrl: string): Promise<Database> {
  try {
    await pingDatabase(db)
    return db
  } catch (cause) {
    await db.destroy()
    const { code, message } = cause as { code?: string; message: string }
    const url = URL.parse(databaseUrl)
    const place = url ? ` at ${url.searchParams.get('host') ?? url.host}${url.pathname}` : ''
    throw new Error(
      `PostgreSQL${place} is not available (${message || code}). Set DATABASE_URL to postgres://user:password@host:port/database, or remove it to use SQLite.`,
      { cause },
    )
  }
}

/** Checks that the database answers, for `GET /readyz` and `doctor`. */
export function databaseCheck(db: Database) {
  return {
    name: 'database',
    async run(): Promise<undefined> {
      await pingDatabase(db)
    },
  }
}
