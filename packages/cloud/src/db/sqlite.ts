import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDialect,
  SqliteDriver,
  type SqliteStatement,
} from 'kysely'
import { type DatabaseObserver, observeQueries } from './database-metrics.ts'
import { LruCache } from './row-cache.ts'
import type { Schema } from './schema.ts'

/** How long a statement waits for the write lock of another process. */
const BUSY_TIMEOUT_MS = 5000

/** Prepared statements in the cache. The code has fewer, but lists of values create a statement per length. */
const MAX_STATEMENTS = 256

/**
 * Opens a SQLite file, readable by its owner only. Commits are durable when they return (`synchronous=FULL`), and
 * other processes may read and write at the same time (WAL). Open a file only once per process: two connections of
 * one process block each other until one times out.
 * @param file path of the database; the folder is created if missing
 * @param onWrite called after each statement that may have written or committed rows
 * @param observer receives each query
 * @throws Error with a message for the operator if the file cannot be opened
 */
export async function openSqlite(
  file: string,
  onWrite: () => void = () => {},
  observer?: DatabaseObserver,
): Promise<Kysely<Schema>> {
  try {
    createPrivateFile(file)
    const connection = new DatabaseSync(file, {
      timeout: BUSY_TIMEOUT_MS,
      enableForeignKeyConstraints: true,
    })
    await enableWriteAheadLog(connection)
    connection.exec('pragma synchronous = full')
    const dialect = new NodeSqliteDialect(new NodeSqliteDatabase(connection, onWrite))
    return new Kysely<Schema>({ dialect, ...observeQueries(observer) })
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    const advice = isCorrupt(cause)
      ? 'Replace it with a backup, or set DATA_DIR to another folder.'
      : 'Set DATA_DIR to a folder that this process can write to.'
    throw new Error(`The database file ${file} cannot be opened: ${reason}. ${advice}`, { cause })
  }
}

/** Creates the file with mode 0600 before SQLite does, since the -wal and -shm files inherit its mode. */
export function createPrivateFile(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  closeSync(openSync(file, 'a', 0o600))
  chmodSync(file, 0o600)
}

/** Retries while the file is locked: changing the journal mode does not honor the busy timeout. */
async function enableWriteAheadLog(connection: DatabaseSync): Promise<void> {
  const deadline = performance.now() + BUSY_TIMEOUT_MS
  for (;;) {
    try {
      connection.exec('pragma journal_mode = wal')
      return
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) {
        connection.close()
        throw error
      }
      await delay(10)
    }
  }
}

const SQLITE_BUSY = 5
const SQLITE_CORRUPT = 11
const SQLITE_NOTADB = 26
/** Whether another connection has the lock that a statement needs. */
export const isBusy = (error: unknown) => codeOf(error) === SQLITE_BUSY
const isCorrupt = (error: unknown) => [SQLITE_CORRUPT, SQLITE_NOTADB].includes(codeOf(error))

/** Returns the primary result code of a SQLite error, 0 for other errors. */
function codeOf(error: unknown): number {
  return error instanceof Error ? ((error as { errcode?: number }).errcode ?? 0) % 256 : 0
}

/** A statement that only reads. */
const READ = /^\s*(select|pragma)\b/i

/** Adapts `node:sqlite` to Kysely, with a cache of prepared statements. */
class NodeSqliteDatabase implements SqliteDatabase {
  readonly #connection: DatabaseSync
  readonly #statements = new LruCache<SqliteStatement>(MAX_STATEMENTS)

  readonly #onWrite: () => void

  constructor(connection: DatabaseSync, onWrite: () => void) {
    this.#connection = connection
    this.#onWrite = onWrite
  }

  prepare(sql: string): SqliteStatement {
    return this.#statements.getOrCreate(sql, () => this.#prepare(sql))
  }

  close(): void {
    this.#connection.close()
  }

  get isInTransaction(): boolean {
    return this.#connection.isTransaction
  }

  #prepare(sql: string): SqliteStatement {
    const statement = this.#connection.prepare(sql)
    const onWrite = READ.test(sql) ? () => {} : this.#onWrite
    return {
      reader: statement.columns().length > 0,
      all: (parameters) => {
        const rows = statement.all(...(parameters as SQLInputValue[]))
        onWrite()
        return rows
      },
      run: (parameters) => {
        const result = statement.run(...(parameters as SQLInputValue[]))
        onWrite()
        return result
      },
      // Not cached: overlapping iterations of one statement would reset each other.
      iterate: (parameters) => this.#connection.prepare(sql).iterate(...(parameters as SQLInputValue[])),
    }
  }
}

class NodeSqliteDialect extends SqliteDialect {
  readonly #database: NodeSqliteDatabase

  constructor(database: NodeSqliteDatabase) {
    super({ database })
    this.#database = database
  }

  override createDriver(): Driver {
    return new ImmediateSqliteDriver(this.#database)
  }

  override createAdapter(): SqliteAdapter {
    return new TransactionalSqliteAdapter()
  }
}

/**
 * Acquires the write lock when a transaction begins. SQLite does not let a transaction that started with a read wait
 * for the lock later, and the command line and the server use one file at the same time.
 */
class ImmediateSqliteDriver extends SqliteDriver {
  readonly #database: NodeSqliteDatabase

  constructor(database: NodeSqliteDatabase) {
    super({ database })
    this.#database = database
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'))
  }

  /** Does nothing where SQLite has rolled back itself, as on a full disk: that error is the one to report. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#database.isInTransaction) await super.rollbackTransaction(connection)
  }
}

/** Runs migrations in one transaction; with the lock above this makes them atomic and exclusive. */
class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}
