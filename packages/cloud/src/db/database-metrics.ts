import type { KyselyConfig } from 'kysely'
import type { Metrics } from '../http/metrics.ts'

/** The connections of a pool, and the queries that wait for one. */
interface PoolState {
  readonly busy: number
  readonly idle: number
  readonly waiting: number
}

/** Learns how the database performs. */
export interface DatabaseObserver {
  /** Called after each query, with its duration in milliseconds, and with its error if it failed. */
  queried(ms: number, error?: unknown): void
  /** Called when a query gets no connection to the server. */
  connectFailed(): void
  /** Called when a pool is opened. @param state reads its connections */
  openedPool(state: () => PoolState): void
}

/** Returns the option of Kysely that reports each query to an observer. */
export function observeQueries(observer: DatabaseObserver | undefined): Pick<KyselyConfig, 'log'> {
  if (!observer) return {}
  return {
    log: (event) =>
      observer.queried(event.queryDurationMillis, event.level === 'error' ? event.error : undefined),
  }
}

const KINDS = ['constraint', 'busy', 'timeout', 'lost', 'other'] as const

const SQLITE_BUSY = 5
const SQLITE_CONSTRAINT = 19

/** States of connections that were lost, refused or ended by the server. */
const LOST_STATES = /^(?:08...|57P0[123]|53300|ECONNRESET|EPIPE|ETIMEDOUT)$/

/** Measures the queries and the connections of the database. */
export function databaseMetrics(metrics: Metrics): DatabaseObserver {
  const duration = metrics.histogram(
    'database_query_duration_seconds',
    'Time of the queries of this node, failed ones included',
    [],
    [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10],
  )
  const errors = metrics.counter(
    'database_query_errors_total',
    'Failed queries; a violated constraint is part of normal operation',
    ['kind'],
    KINDS.map((kind) => ({ kind })),
  )
  let pool: (() => PoolState) | undefined
  metrics.gauges('database_pool_connections', 'Connections of the pool; none with SQLite', ['state'], () => {
    if (pool === undefined) return []
    const { busy, idle } = pool()
    return [
      [{ state: 'busy' }, busy],
      [{ state: 'idle' }, idle],
    ]
  })
  metrics.gauge('database_pool_waiting', 'Queries that wait for a connection', () => pool?.().waiting ?? 0)
  return {
    queried(ms, error) {
      duration.observe(ms / 1_000)
      if (error !== undefined) errors.inc({ kind: kindOf(error) })
    },
    connectFailed: () => errors.inc({ kind: 'lost' }),
    openedPool(state) {
      pool = state
    },
  }
}

function kindOf(error: unknown): (typeof KINDS)[number] {
  const { code, errcode, message } = (error ?? {}) as { code?: unknown; errcode?: unknown; message?: unknown }
  if (typeof errcode === 'number') {
    if (errcode % 256 === SQLITE_CONSTRAINT) return 'constraint'
    return errcode % 256 === SQLITE_BUSY ? 'busy' : 'other'
  }
  const state = typeof code === 'string' ? code : ''
  if (state.startsWith('23')) return 'constraint'
  // 57014: canceled, by the timeout of statements. 55P03: a lock was not available. 40...: retried by the caller.
  if (state === '57014' || message === 'Query read timeout') return 'timeout'
  if (state === '55P03' || state.startsWith('40')) return 'busy'
  return LOST_STATES.test(state) || (error as Error)?.name === 'ConnectionLostError' ? 'lost' : 'other'
}
