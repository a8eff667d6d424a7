import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  type PostgresAdapter,
  PostgresDialect,
  type PostgresDialectConfig,
  PostgresDriver,
  sql,
} from 'kysely'
import pg from 'pg'
import { VERSION } from '../config/index.ts'
import { type DatabaseObserver, observeQueries } from './database-metrics.ts'
import { TransactionLockAdapter } from './migration-lock.ts'
import { ResilientPool } from './postgres-pool.ts'
import type { Schema } from './schema.ts'

/** Kinds of queries that may write. `commit` is raw. */
const WRITES = new Set(['InsertQueryNode', 'UpdateQueryNode', 'DeleteQueryNode', 'MergeQueryNode', 'RawNode'])

/** PostgreSQL dialect that may report each query after which other connections may see new rows. */
class CloudPostgresDialect extends PostgresDialect {
  readonly #config: PostgresDialectConfig
  readonly #onWrite: (() => void) | undefined

  constructor(config: PostgresDialectConfig, onWrite: (() => void) | undefined) {
    super(config)
    this.#config = config
    this.#onWrite = onWrite
  }

  override createDriver(): Driver {
    return this.#onWrite ? new ObservedPostgresDriver(this.#config, this.#onWrite) : super.createDriver()
  }

  override createAdapter(): PostgresAdapter {
    return new TransactionLockAdapter()
  }
}

class ObservedPostgresDriver extends PostgresDriver {
  readonly #onWrite: () => void
  readonly #observed = new WeakSet<DatabaseConnection>()

  constructor(config: PostgresDialectConfig, onWrite: () => void) {
    super(config)
    this.#onWrite = onWrite
  }

  override async acquireConnection(
    ...args: Parameters<PostgresDriver['acquireConnection']>
  ): Promise<DatabaseConnection> {
    const connection = await super.acquireConnection(...args)
    if (!this.#observed.has(connection)) this.#observe(connection)
    return connection
  }

  #observe(connection: DatabaseConnection): void {
    this.#observed.add(connection)
    const execute = connection.executeQuery.bind(connection)
    connection.executeQuery = async <Row>(query: CompiledQuery, ...rest: unknown[]) => {
      const result = await execute<Row>(query, ...(rest as []))
      if (WRITES.has(query.query.kind)) this.#onWrite()
      return result
    }
  }
}

/** The part of the logger that the connection pool uses. */
export interface DatabaseLog {
  warn(fields: object, message: string): void
}

/** How PostgreSQL names the connections of this version: other versions look for them before they exclude it. */
const APPLICATION_NAME = `glasses-cloud ${VERSION}`

/** Limits of a connection pool. Timeouts of 0 are disabled. */
export interface PoolLimits {
  readonly connections: number
  /** Time after which the server aborts a statement. */
  readonly statementTimeoutMs: number
  /** Time after which a statement rejects even if the server does not respond. */
  readonly queryTimeoutMs: number
}

/**
 * Time after which the server ends a transaction whose client is silent, because its process is frozen or the network is
 * down. Until then others wait for its locks, such as a node that takes over a session.
 */
const IDLE_IN_TRANSACTION_MS = 5_000

/** Default limits of the pool that serves requests. */
export const DEFAULT_POOL_LIMITS: PoolLimits = {
  connections: 10,
  statementTimeoutMs: 30_000,
  queryTimeoutMs: 35_000,
}

/** Limits for migrations, which may take long and may wait for another process. */
export const MIGRATION_LIMITS: PoolLimits = { connections: 1, statementTimeoutMs: 0, queryTimeoutMs: 0 }

/** Further options of a pool. */
export interface PostgresOptions {
  /**
   * Whether each transaction may get another connection, as of PgBouncer in transaction mode. The limits of the server
   * then apply within transactions only, because a connection has no settings.
   */
  readonly isPooled?: boolean
  /** Called after each query that may have changed rows. */
  readonly onWrite?: (() => void) | undefined
  readonly observer?: DatabaseObserver | undefined
}

/**
 * Creates a connection pool for PostgreSQL. The first query opens the first connection.
 * @param databaseUrl `postgres://user:password@host:port/database`, with the options of the `pg` package
 */
export function openPostgres(
  databaseUrl: string,
  limits: PoolLimits,
  log?: DatabaseLog,
  { isPooled = false, onWrite, observer }: PostgresOptions = {},
): Kysely<Schema> {
  const { statementTimeoutMs } = limits
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    application_name: APPLICATION_NAME,
    max: limits.connections,
    connectionTimeoutMillis: 10_000,
    ...(!isPooled && {
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
      statement_timeout: statementTimeoutMs,
    }),
    ...(limits.queryTimeoutMs > 0 && { query_timeout: limits.queryTimeoutMs }),
    // Detects connections that were lost without a reset.
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    types,
  })
  // Without a listener, losing an idle connection would end the process. The pool replaces the connection.
  pool.on('error', (error) =>
    log?.warn({ code: (error as { code?: string }).code }, 'database connection lost'),
  )
  const settings = `set local idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_MS}; set local statement_timeout = ${statementTimeoutMs}`
  const config = {
    pool: new ResilientPool(pool, {
      connectFailed: () => observer?.connectFailed(),
      ...(isPooled && { transactionSettings: settings }),
    }),
  }
  const dialect = new CloudPostgresDialect(config, onWrite)
  observer?.openedPool(() => ({
    busy: pool.totalCount - pool.idleCount,
    idle: pool.idleCount,
    waiting: pool.waitingCount,
  }))
  return new Kysely<Schema>({ dialect, ...observeQueries(observer) })
}

/**
 * Returns whether the connections of a pool have the settings that it asked for when they were opened.
 * @throws Error if the server is not available, or {@link isSettingRejected}
 */
export async function keepsSettings(db: Kysely<Schema>): Promise<boolean> {
  const { rows } = await sql<{ value: string }>`
    select current_setting('idle_in_transaction_session_timeout') as value`.execute(db)
  return rows[0]?.value === `${IDLE_IN_TRANSACTION_MS / 1_000}s`
}

/** Whether a pooler has refused a connection because it asked for a setting. */
export function isSettingRejected(error: unknown): boolean {
  return error instanceof Error && /unsupported startup parameter/.test(error.message)
}

const INT8 = 20

/** Parses `int8` as number, which is exact for epoch milliseconds; `pg` returns strings by default. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === INT8 ? Number : pg.types.getTypeParser(oid, format as 'text'),
}
