import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { ObservedPostgresDialect } from './observed-postgres-dialect.ts'
import type { Schema } from './schema.ts'

/** What the store says to the log: PostgreSQL closed a connection nobody was using. */
export interface StoreLog {
  warn(fields: object, message: string): void
}

/** Bounds of a connection pool. */
interface PoolLimits {
  readonly connections: number
  /** 0 lets a statement run as long as it takes. */
  readonly statementTimeoutMs: number
}

/** For everyday queries: a statement that takes this long is a fault, not work. */
export const everydayLimits: PoolLimits = { connections: 10, statementTimeoutMs: 30_000 }

/** For migrations, which may rightly take long and wait for those of another process. */
export const migrationLimits: PoolLimits = { connections: 1, statementTimeoutMs: 0 }

/**
 * Opens PostgreSQL through a bounded pool. Nothing is connected before the first query.
 * @param databaseUrl `postgres://user:password@host:port/database`, with the options of the `pg` package
 * @param onWrite called after each query that may have changed rows
 */
export function openPostgres(
  databaseUrl: string,
  limits: PoolLimits,
  log?: StoreLog,
  onWrite?: () => void,
): Kysely<Schema> {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    application_name: 'glasses-cloud',
    max: limits.connections,
    connectionTimeoutMillis: 10_000,
    idle_in_transaction_session_timeout: 30_000,
    statement_timeout: limits.statementTimeoutMs,
    types,
  })
  // Without a listener, a connection lost while idle would end the process; the pool replaces it anyway.
  pool.on('error', (error) =>
    log?.warn({ code: (error as { code?: string }).code }, 'database connection lost'),
  )
  const dialect = onWrite ? new ObservedPostgresDialect({ pool }, onWrite) : new PostgresDialect({ pool })
  return new Kysely<Schema>({ dialect })
}

const INT8 = 20

/** Epoch milliseconds fit a number well; `pg` would hand them out as text. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === INT8 ? Number : pg.types.getTypeParser(oid, format as 'text'),
}
