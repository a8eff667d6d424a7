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
import { recent } from './lru-cache.ts'
import type { Schema } from './schema.ts'

/** How long a statement waits for another process that writes, in ms. */
const BUSY_TIMEOUT_MS = 5000

/** Statements kept prepared; the cloud knows fewer, lists of varying length make more. */
const MAX_STATEMENTS = 256

/**
 * Opens a SQLite file, private to its owner. A commit is on the disk when it returns (`synchronous=FULL`), and
 * another process may read and write beside this one (WAL).
 * A process opens a file once: two of its connections would wait for each other until one of them gives up.
 * @param file path of the database; its folder is made if absent
 * @throws Error with a sentence for the operator when the file cannot be opened
 */
export async function openSqlite(file: string): Promise<Kysely<Schema>> {
  try {
    makePrivate(file)
    const connection = new DatabaseSync(file, {
      timeout: BUSY_TIMEOUT_MS,
      enableForeignKeyConstraints: true,
    })
    await useWriteAheadLog(connection)
    connection.exec('pragma synchronous = full')
    return new Kysely<Schema>({ dialect: new NodeSqliteDialect(new NodeSqliteDatabase(connection)) })
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    const advice = isBroken(cause)
      ? 'Put a backup in its place, or let DATA_DIR name another folder.'
      : 'Let DATA_DIR name a folder this process may write to.'
    throw new Error(`The database file ${file} cannot be opened: ${reason}. ${advice}`, { cause })
  }
}

/** SQLite gives its side files (-wal, -shm) the mode of the main one, so that it must be private from the start. */
function makePrivate(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  closeSync(openSync(file, 'a', 0o600))
  chmodSync(file, 0o600)
}

/** Changing the journal of a new file does not wait its turn as statements do: it has to be tried again. */
async function useWriteAheadLog(connection: DatabaseSync): Promise<void> {
  const deadline = Date.now() + BUSY_TIMEOUT_MS
  for (;;) {
    try {
      connection.exec('pragma journal_mode = wal')
      return
    } catch (error) {
      if (!isBusy(error) || Date.now() > deadline) {
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
const isBusy = (error: unknown) => codeOf(error) === SQLITE_BUSY
const isBroken = (error: unknown) => [SQLITE_CORRUPT, SQLITE_NOTADB].includes(codeOf(error))

/** The primary code of an error of SQLite; 0 for any other. */
function codeOf(error: unknown): number {
  return error instanceof Error ? ((error as { errcode?: number }).errcode ?? 0) % 256 : 0
}

/** `node:sqlite` in the form Kysely asks for, with the most recently used statements kept prepared. */
class NodeSqliteDatabase implements SqliteDatabase {
  readonly #connection: DatabaseSync
  readonly prepare = recent(MAX_STATEMENTS, (sql) => this.#prepare(sql))

  constructor(connection: DatabaseSync) {
    this.#connection = connection
  }

  close(): void {
    this.#connection.close()
  }

  #prepare(sql: string): SqliteStatement {
    const statement = this.#connection.prepare(sql)
    return {
      reader: statement.columns().length > 0,
      all: (parameters) => statement.all(...(parameters as SQLInputValue[])),
      run: (parameters) => statement.run(...(parameters as SQLInputValue[])),
      // A statement of its own: iterations that overlap would restart each other.
      iterate: (parameters) => this.#connection.prepare(sql).iterate(...(parameters as SQLInputValue[])),
    }
  }
}

class NodeSqliteDialect extends SqliteDialect {
  readonly #database: SqliteDatabase

  constructor(database: SqliteDatabase) {
    super({ database })
    this.#database = database
  }

  override createDriver(): Driver {
    return new ImmediateSqliteDriver({ database: this.#database })
  }

  override createAdapter(): SqliteAdapter {
    return new TransactionalSqliteAdapter()
  }
}

/**
 * A transaction takes the write lock as it begins. One that began by reading could not wait for it later: SQLite
 * refuses a writer whose snapshot is old, and the command line and the server work on one file at the same time.
 */
class ImmediateSqliteDriver extends SqliteDriver {
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'))
  }
}

/** SQLite can change tables in a transaction; with the lock above, that makes migrations exclusive and atomic. */
class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}
