import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { DATABASE_FILE, type Database, openUnlimitedPostgres, withBase } from '../db/index.ts'
import type { BackupHeader, CellValue, TableShape } from './format.ts'
import { describeTables } from './table-shapes-store.ts'

/**
 * Reads rows in batches of bounded size, in any order.
 * @param from a table, or a join, in SQL
 * @param columns in SQL, in the order of the values
 */
export type ReadRows = (from: string, columns: readonly string[]) => AsyncIterable<CellValue[][]>

/** One consistent state of the database, whatever is written meanwhile. */
export interface Snapshot {
  readonly database: 'sqlite' | 'postgresql'
  /** Names of the applied migrations, in order. */
  readonly migrations: readonly string[]
  readonly databaseVersion: BackupHeader['databaseVersion']
  /** The tables that are backed up, each after those that it refers to. */
  readonly tables: readonly TableShape[]
  readonly rows: ReadRows
}

/** Where the database is. */
export interface SnapshotOptions {
  /** PostgreSQL; undefined: the SQLite file in `dataDir`. */
  readonly databaseUrl: string | undefined
  readonly dataDir: string
}

/** Selects tables by name, in a database with these migrations. */
type SelectTables = (migrations: readonly string[]) => (table: string) => boolean

/**
 * Runs work on a snapshot, which exists as long as the work. Writers do not wait for it.
 * @param select the tables of the snapshot
 */
export function withSnapshot<Result>(
  { databaseUrl, dataDir }: SnapshotOptions,
  select: SelectTables,
  work: (snapshot: Snapshot) => Promise<Result>,
): Promise<Result> {
  return databaseUrl === undefined
    ? withSqlite(join(dataDir, DATABASE_FILE), select, work)
    : withPostgres(databaseUrl, select, work)
}

/** Rows of one batch of a SQLite database. */
const SQLITE_BATCH = 200

/**
 * Reads in a transaction of a connection of its own, which only reads: in WAL mode it sees the state at its beginning
 * and delays no writer.
 */
async function withSqlite<Result>(
  file: string,
  select: SelectTables,
  work: (snapshot: Snapshot) => Promise<Result>,
): Promise<Result> {
  const connection = new DatabaseSync(file, { readOnly: true, timeout: 5_000 })
  try {
    connection.exec('begin')
    // The transaction begins with its first read.
    const query = async (text: string) => connection.prepare(text).all() as Record<string, unknown>[]
    return await work({
      ...(await describeDatabase('sqlite', query, select)),
      rows: (from, columns) => readSqliteRows(connection, from, columns),
    })
  } finally {
    connection.close()
  }
}

async function describeDatabase(
  database: Snapshot['database'],
  query: (text: string) => Promise<Record<string, unknown>[]>,
  select: SelectTables,
): Promise<Omit<Snapshot, 'rows'>> {
  const applied = await query('select name from schema_migrations order by name')
  const migrations = withBase(applied.map(({ name }) => String(name)))
  const all = await describeTables(database, query, () => true)
  const [written] = await query('select version, oldest_version from database_version')
  return {
    database,
    migrations,
    databaseVersion: { version: String(written?.version), oldestVersion: String(written?.oldest_version) },
    tables: all.filter(({ name }) => select(migrations)(name)),
  }
}

/** Reads rows of a SQLite database; see {@link ReadRows}. */
async function* readSqliteRows(connection: DatabaseSync, from: string, columns: readonly string[]) {
  const statement = connection.prepare(selectCells(from, columns))
  statement.setReturnArrays(true)
  let batch: CellValue[][] = []
  for (const row of statement.iterate() as Iterable<unknown>) {
    batch.push((row as unknown[]).map(toCell))
    if (batch.length < SQLITE_BATCH) continue
    yield batch
    batch = []
    await new Promise((resolve) => setImmediate(resolve))
  }
  if (batch.length > 0) yield batch
}

/** Names the values `c0`, `c1` and so on, since columns of a join may have the same name. */
const selectCells = (from: string, columns: readonly string[]) =>
  `select ${columns.map((column, index) => `${column} as c${index}`).join(', ')} from ${from}`

/** Quotes the name of a table or column. */
export const quoteName = (name: string) => `"${name}"`

const CURSOR = 'backup_rows'
const MIN_FETCH = 16
const MAX_FETCH = 1_000

/** Bytes of rows that a fetch should return. */
const FETCH_BYTES = 512 * 1024

/** Reads in one repeatable-read transaction with a cursor, so that the memory does not depend on the number of rows. */
async function withPostgres<Result>(
  databaseUrl: string,
  select: SelectTables,
  work: (snapshot: Snapshot) => Promise<Result>,
): Promise<Result> {
  const db = await openUnlimitedPostgres(databaseUrl)
  try {
    const transaction = db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only')
    return await transaction.execute(async (trx) => {
      // A slow destination must not end the snapshot.
      await sql`set local idle_in_transaction_session_timeout = 0`.execute(trx)
      const query = async (text: string) => (await sql.raw<Record<string, unknown>>(text).execute(trx)).rows
      return work({
        ...(await describeDatabase('postgresql', query, select)),
        rows: (from, columns) => fetchRows(trx, from, columns),
      })
    })
  } finally {
    await db.destroy()
  }
}

async function* fetchRows(trx: Database, from: string, columns: readonly string[]) {
  await sql.raw(`declare ${CURSOR} no scroll cursor for ${selectCells(from, columns)}`).execute(trx)
  for (let size = MIN_FETCH; ; ) {
    const { rows } = await sql
      .raw<Record<string, unknown>>(`fetch forward ${size} from ${CURSOR}`)
      .execute(trx)
    const batch = rows.map((row) => columns.map((_, index) => toCell(row[`c${index}`])))
    if (batch.length > 0) yield batch
    if (batch.length < size) break
    const bytes = batch.flat().reduce<number>((sum, cell) => sum + sizeOf(cell), 0)
    const fitting = Math.floor((FETCH_BYTES * size) / Math.max(bytes, 1))
    size = Math.max(MIN_FETCH, Math.min(MAX_FETCH, size * 2, fitting))
  }
  await sql.raw(`close ${CURSOR}`).execute(trx)
}

const sizeOf = (cell: CellValue) => (typeof cell === 'string' ? cell.length : 8)

function toCell(value: unknown): CellValue {
  if (value === null || typeof value === 'string' || typeof value === 'number') return value
  if (value instanceof Uint8Array) return { base64: Buffer.from(value).toString('base64') }
  throw new Error(`A column has values of the type ${typeof value}, which a backup cannot contain`)
}
