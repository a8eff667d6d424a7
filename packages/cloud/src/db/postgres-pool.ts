import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely'
import type pg from 'pg'

/** Attempts to connect, and for a statement that can be repeated: after a restart of the server, several connections may be lost. */
const MAX_ATTEMPTS = 3

/** Statements that change nothing by themselves and can be repeated outside a transaction. */
const REPEATABLE = /^\s*(?:begin|start transaction|select)\b/i
const TRANSACTION_START = /^\s*(?:begin|start transaction)\b/i
const TRANSACTION_END = /^\s*(?:commit|rollback)\s*;?\s*$/i

/** A statement failed because its connection was lost; whether the statement took effect is unknown. */
class ConnectionLostError extends Error {
  readonly code: string | undefined

  constructor(cause: unknown) {
    super('The connection to PostgreSQL was lost', { cause })
    this.name = 'ConnectionLostError'
    this.code = codeOf(cause)
  }
}

interface ResilientPoolOptions {
  /** Called when a query gets no connection. */
  connectFailed?(error: unknown): void
  /** Statements that follow the start of each transaction. */
  readonly transactionSettings?: string
}

/**
 * A connection pool that survives lost connections. A statement whose connection was lost is repeated on another one
 * if that is safe, and otherwise rejects with a {@link ConnectionLostError}. A connection that was lost, or that is
 * still busy after a timeout, is not returned to the pool.
 */
export class ResilientPool implements PostgresPool {
  readonly #pool: pg.Pool
  readonly #options: ResilientPoolOptions

  constructor(pool: pg.Pool, options: ResilientPoolOptions = {}) {
    this.#pool = pool
    this.#options = options
    // Without a listener, losing a connection that is in use would end the process. The statement reports the error.
    pool.on('connect', (client) => client.on('error', () => {}))
  }

  get options(): object {
    return this.#pool.options
  }

  async connect(): Promise<PostgresPoolClient> {
    const client = await takeConnection(this.#pool).catch((error: unknown) => {
      this.#options.connectFailed?.(error)
      throw error
    })
    return new ResilientClient(this.#pool, client, this.#options.transactionSettings)
  }

  async end(): Promise<void> {
    await this.#pool.end()
  }
}

class ResilientClient implements PostgresPoolClient {
  readonly #pool: pg.Pool
  readonly #transactionSettings: string | undefined
  #client: pg.PoolClient | undefined
  #isInTransaction = false
  #isBroken = false

  constructor(pool: pg.Pool, client: pg.PoolClient, transactionSettings: string | undefined) {
    this.#pool = pool
    this.#client = client
    this.#transactionSettings = transactionSettings
  }

  query<Row>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<Row>>
  query<Row>(cursor: PostgresCursor<Row>): PostgresCursor<Row>
  query<Row>(
    statement: string | PostgresCursor<Row>,
    parameters: readonly unknown[] = [],
  ): Promise<PostgresQueryResult<Row>> | PostgresCursor<Row> {
    if (typeof statement !== 'string') throw new Error('Cursors are not supported')
    return this.#query(statement, parameters) as Promise<PostgresQueryResult<Row>>
  }

  async #query(sql: string, parameters: readonly unknown[]): Promise<unknown> {
    // The server has rolled back the transaction of a lost connection.
    if (this.#isBroken && TRANSACTION_END.test(sql)) return this.#endBrokenTransaction(sql)
    const isStart = TRANSACTION_START.test(sql)
    const text = isStart && this.#transactionSettings ? `${sql}; ${this.#transactionSettings}` : sql
    for (let attempt = 1; ; attempt += 1) {
      try {
        const result = await this.#connected().query(text, [...parameters])
        if (isStart) this.#isInTransaction = true
        else if (TRANSACTION_END.test(sql)) this.#isInTransaction = false
        return result
      } catch (error) {
        if (isQueryTimeout(error)) this.#isBroken = true
        if (!isConnectionLost(error)) throw error
        this.#isBroken = true
        const isRepeatable = REPEATABLE.test(sql) || codeOf(error) === READ_ONLY_STATE
        if (this.#isInTransaction || !isRepeatable || attempt === MAX_ATTEMPTS)
          throw new ConnectionLostError(error)
        await this.#reconnect()
      }
    }
  }

  release(destroy = false): void {
    this.#client?.release(destroy || this.#isBroken)
    this.#client = undefined
  }

  #connected(): pg.PoolClient {
    if (this.#client === undefined) throw new Error('The connection was already released')
    return this.#client
  }

  #endBrokenTransaction(sql: string) {
    this.#isInTransaction = false
    if (/commit/i.test(sql)) throw new ConnectionLostError(undefined)
    return { command: 'ROLLBACK', rowCount: 0, rows: [] }
  }

  async #reconnect(): Promise<void> {
    this.release()
    this.#client = await takeConnection(this.#pool)
    this.#isBroken = false
  }
}

/** Takes a connection of the pool. One that is lost while it is opened is opened again: nothing was sent over it. */
async function takeConnection(pool: pg.Pool): Promise<pg.PoolClient> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await pool.connect()
    } catch (error) {
      if (!isConnectionLost(error) || isConnectTimeout(error) || attempt === MAX_ATTEMPTS) throw error
    }
  }
}

/**
 * SQL states of connection exceptions, of the shutdown of the server or of the session by an administrator, and of a server
 * that rejects writes, because another one has taken its place.
 */
const LOST_STATES = /^(?:08...|57P0[123]|25006)$/
const READ_ONLY_STATE = '25006'
const LOST_CODES = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT'])
const LOST_MESSAGES = /^Connection terminated|not queryable$/

function isConnectionLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = codeOf(error) ?? ''
  return LOST_STATES.test(code) || LOST_CODES.has(code) || LOST_MESSAGES.test(error.message)
}

/** A server that does not respond would take as long again. */
function isConnectTimeout(error: unknown): boolean {
  return error instanceof Error && /timeout/.test(error.message)
}

function isQueryTimeout(error: unknown): boolean {
  return error instanceof Error && error.message === 'Query read timeout'
}

function codeOf(error: unknown): string | undefined {
  const { code } = (error ?? {}) as { code?: unknown }
  return typeof code === 'string' ? code : undefined
}
