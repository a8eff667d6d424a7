import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  PostgresDialect,
  type PostgresDialectConfig,
  PostgresDriver,
} from 'kysely'
import pg from 'pg'
import { VERSION } from '../config/index.ts'
import { type DatabaseObserver, observeQueries } from './database-metrics.ts'
import { ResilientPool } from './postgres-pool.ts'
import type { Schema } from './schema.ts'

/** Kinds of queries that may write. `commit` is raw. */
const WRITES = new Set(['InsertQueryNode', 'UpdateQueryNode', 'DeleteQueryNode', 'MergeQueryNode', 'RawNode'])

/** PostgreSQL dialect that reports each query after which other connections may see new rows. */
class ObservedPostgresDialect extends PostgresDialect {
  readonly #config: PostgresDialectConfig
  readonly #onWrite: () => void

  constructor(config: PostgresDialectConfig, onWrite: () => void) {
    super(config)
    this.#config = config
    this.#onWrite = onWrite
  }

  override createDriver(): Driver {
    return new ObservedPostgresDriver(this.#config, this.#onWrite)
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

/** What learns of the queries of a pool. */
export interface PostgresListeners {
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
  { onWrite, observer }: PostgresListeners = {},
): Kysely<Schema> {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    application_name: APPLICATION_NAME,
    max: limits.connections,
    connectionTimeoutMillis: 10_000,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    statement_timeout: limits.statementTimeoutMs,
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
  const config = { pool: new ResilientPool(pool, () => observer?.connectFailed()) }
  const dialect = onWrite ? new ObservedPostgresDialect(config, onWrite) : new PostgresDialect(config)
  observer?.openedPool(() => ({
    busy: pool.totalCount - pool.idleCount,
    idle: pool.idleCount,
    waiting: pool.waitingCount,
  }))
  return new Kysely<Schema>({ dialect, ...observeQueries(observer) })
}

const INT8 = 20

/** Parses `int8` as number, which is exact for epoch milliseconds; `pg` returns strings by default. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === INT8 ? Number : pg.types.getTypeParser(oid, format as 'text'),
}
