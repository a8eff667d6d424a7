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
    : (await openAndMigratePostgres(options.databaseUrl, options)).db
}

/** A database with the feed of its changes. Close the feed first. */
interface WatchedDatabase {
  readonly db: Database
  readonly changes: ChangeFeed
  /** Why a part of the server must do without a connection of its own, as a sentence for operators. */
  readonly problem: string | undefined
}

/** Where the server opens connections that last, beside those of `databaseUrl`. */
export interface WatchedDatabaseOptions extends DatabaseOptions {
  /** URL of PostgreSQL itself, if `databaseUrl` leads to a pooler. */
  readonly directUrl?: string | undefined
}

/**
 * Opens the database like `openDatabase`, and a feed of changed rows beside it.
 * @throws like `openDatabase`
 */
export async function openWatchedDatabase(options: WatchedDatabaseOptions): Promise<WatchedDatabase> {
  const { databaseUrl, dataDir, directUrl, log, observer } = options
  if (databaseUrl === undefined) {
    const { SqliteChangeFeed: Feed } = await import('./sqlite-change-feed.ts')
    const file = join(dataDir, DATABASE_FILE)
    let changes: SqliteChangeFeed | undefined
    const db = await migrateOrClose(await openSqlite(file, () => changes?.recordWrite(), observer))
    changes = new Feed(file)
    return { db, changes, problem: undefined }
  }
  let feed: PostgresChangeFeed | undefined
  const { db, isPooled } = await openAndMigratePostgres(databaseUrl, options, () => feed?.recordWrite())
  const { PostgresChangeFeed } = await import('./postgres-change-feed.ts')
  try {
    const isDirect = await isDirectAt(directUrl)
    const listenUrl = isDirect ? directUrl : isPooled ? undefined : databaseUrl
    feed = await PostgresChangeFeed.open({ listenUrl, db, log })
    return { db, changes: feed, problem: poolerProblem(isPooled, directUrl, isDirect) }
  } catch (error) {
    await db.destroy()
    throw error
  }
}

/** Returns what to do if `DATABASE_URL` leads to a pooler, for `doctor`; undefined if it does not, or all is set. */
export async function findPoolerProblem({
  databaseUrl,
  directUrl,
}: Pick<WatchedDatabaseOptions, 'databaseUrl' | 'directUrl'>): Promise<string | undefined> {
  if (databaseUrl === undefined) return undefined
  const isDirect = await isDirectAt(directUrl)
  return poolerProblem(await isPooledAt(databaseUrl), directUrl, isDirect)
}

function poolerProblem(
  isPooled: boolean,
  directUrl: string | undefined,
  isDirect: boolean,
): string | undefined {
  if (directUrl !== undefined && !isDirect)
    return 'DATABASE_DIRECT_URL leads to a connection pooler, too; set it to the address of PostgreSQL itself'
  if (!isPooled || isDirect) return undefined
  return 'DATABASE_URL leads to a connection pooler, such as PgBouncer: the cloud reads twice a second what other processes have changed, and several nodes do not work; set DATABASE_DIRECT_URL to the address of PostgreSQL itself'
}

async function isDirectAt(url: string | undefined): Promise<boolean> {
  return url !== undefined && !(await isPooledAt(url, 'DATABASE_DIRECT_URL'))
}

async function isPooledAt(url: string, setting?: string): Promise<boolean> {
  const { MIGRATION_LIMITS } = await import('./postgres.ts')
  const { db, isPooled } = await connect(url, MIGRATION_LIMITS, { setting })
  await db.destroy()
  return isPooled
}

/**
 * Opens a connection of its own for leases. A statement fails rather than to take longer than a lease lasts.
 * @param databaseUrl of PostgreSQL itself: a pooler does not end statements
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
  const { MIGRATION_LIMITS } = await import('./postgres.ts')
  return (await connect(databaseUrl, MIGRATION_LIMITS)).db
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
): Promise<Connected> {
  // With SQLite, the PostgreSQL driver is not loaded.
  const { DEFAULT_POOL_LIMITS, MIGRATION_LIMITS, openPostgres } = await import('./postgres.ts')
  const { db: migrating, isPooled } = await connect(databaseUrl, MIGRATION_LIMITS, { log })
  await (await migrateOrClose(migrating)).destroy()
  const options = { isPooled, onWrite, observer }
  return { db: openPostgres(databaseUrl, pool ?? DEFAULT_POOL_LIMITS, log, options), isPooled }
}

interface Connected {
  readonly db: Database
  /** Whether each transaction may get another connection. */
  readonly isPooled: boolean
}

interface ConnectOptions {
  readonly isPooled?: boolean
  readonly log?: DatabaseLog | undefined
  /** Setting with the URL, for the error. */
  readonly setting?: string | undefined
}

/**
 * Opens a pool and checks its connection, which may lead to a pooler that knows no settings of connections.
 * @throws Error that names host and database only, since the URL may contain a password
 */
async function connect(
  databaseUrl: string,
  limits: PoolLimits,
  { isPooled = false, log, setting }: ConnectOptions = {},
): Promise<Connected> {
  const { isSettingRejected, keepsSettings, openPostgres } = await import('./postgres.ts')
  const db = openPostgres(databaseUrl, limits, log, { isPooled })
  try {
    if (isPooled) await pingDatabase(db)
    if (isPooled || (await keepsSettings(db))) return { db, isPooled }
  } catch (cause) {
    if (!isSettingRejected(cause)) {
      await db.destroy()
      throw unavailable(databaseUrl, cause, setting)
    }
  }
  await db.destroy()
  return connect(databaseUrl, limits, { isPooled: true, log, setting })
}

function unavailable(databaseUrl: string, cause: unknown, setting = 'DATABASE_URL'): Error {
  const { code, message } = cause as { code?: string; message: string }
  const url = URL.parse(databaseUrl)
  const place = url ? ` at ${url.searchParams.get('host') ?? url.host}${url.pathname}` : ''
  const advice = `Set ${setting} to postgres://user:password@host:port/database, or remove it${setting === 'DATABASE_URL' ? ' to use SQLite' : ''}.`
  return new Error(`PostgreSQL${place} is not available (${message || code}). ${advice}`, { cause })
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
