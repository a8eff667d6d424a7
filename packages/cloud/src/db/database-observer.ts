import type { KyselyConfig } from 'kysely'

/** The connections of a pool, and the queries that wait for one. */
export interface PoolState {
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
