import { CompiledQuery, PostgresAdapter, sql, type Transaction } from 'kysely'
import { createMigrator, type Database, knownMigrations, type Schema } from '../db/index.ts'
import {
  BackupError,
  type BackupHeader,
  type BackupManifest,
  type CellValue,
  type TableShape,
} from './format.ts'
import { quoteName } from './snapshot-store.ts'
import { describeTables } from './table-shapes-store.ts'
import { isWrittenByTriggers, KEPT_TABLES } from './tables.ts'

/** Rows of one statement on PostgreSQL. */
const MAX_ROWS = 1_000

/** Parameters of one statement on SQLite, which accepts 32,766. */
const MAX_PARAMETERS = 8_000

/**
 * Loads the rows of a backup into a database, within one transaction: all or none. What the database contained before
 * is removed, so it must be checked to be empty.
 */
export class RowLoader {
  readonly #trx: Transaction<Schema>
  readonly #emptied = new Set<string>()
  /** Types of the columns of each table in this database; what the backup says is not used in statements. */
  readonly #types = new Map<string, ReadonlyMap<string, string>>()

  constructor(trx: Transaction<Schema>) {
    this.#trx = trx
  }

  /**
   * Creates the schema that the rows have.
   * @throws BackupError if this version does not know it
   */
  async createSchema({ migrations, programVersion, tables }: BackupHeader): Promise<void> {
    const known = Object.keys(knownMigrations).sort()
    const unknown = migrations.find((name) => !known.includes(name))
    if (unknown !== undefined)
      throw new BackupError(
        `The backup was made by a newer version (${programVersion}, with the migration ${unknown}). Install that version, or a later one, to restore it.`,
      )
    const last = migrations.at(-1) ?? ''
    if (known.filter((name) => name <= last).join() !== [...migrations].sort().join())
      throw new BackupError('The backup lacks migrations that this version has; it is of another program.')
    await this.#dropAll()
    const { error } = await createMigrator(this.#trx).migrateTo(last)
    if (error !== undefined) throw error
    await this.#checkShapes(tables)
  }

  /** Inserts rows of a table. @throws BackupError if the database does not accept them */
  async insert({ name, columns }: TableShape, rows: readonly CellValue[][]): Promise<void> {
    if (isWrittenByTriggers(name) && !this.#emptied.has(name)) {
      this.#emptied.add(name)
      await sql`delete from ${sql.table(name)}`.execute(this.#trx)
    }
    const types = columns.map((column) => this.#typeOf(name, column.name))
    const into = `insert into ${quoteName(name)} (${columns.map((column) => quoteName(column.name)).join()})`
    const isPg = isPostgres(this.#trx)
    const size = isPg ? MAX_ROWS : Math.max(1, Math.floor(MAX_PARAMETERS / columns.length))
    for (let start = 0; start < rows.length; start += size) {
      const batch = rows.slice(start, start + size)
      const query = isPg ? insertOnPostgres(into, types, batch) : insertOnSqlite(into, batch)
      await this.#trx.executeQuery(query).catch((cause: unknown) => {
        const reason = cause instanceof Error ? cause.message : String(cause)
        throw new BackupError(`The database does not accept the rows of ${name} in the backup: ${reason}.`, {
          cause,
        })
      })
    }
  }

  /** Checks the number of rows of each table, and applies later migrations. */
  async finish({ rows }: BackupManifest, deletedFiles: number): Promise<void> {
    for (const { name } of await this.describe())
      if (isWrittenByTriggers(name) && !this.#emptied.has(name))
        await sql`delete from ${sql.table(name)}`.execute(this.#trx)
    for (const [name, expected] of Object.entries(rows)) {
      const found = await sql<{ n: number | string }>`select count(*) as n from ${sql.table(name)}`.execute(
        this.#trx,
      )
      // Rows of deleted files are not restored.
      const missing = expected - Number(found.rows[0]?.n)
      if (missing < 0 || missing > deletedFiles)
        throw new BackupError(`The backup has ${expected} rows of ${name}, but not all could be restored.`)
    }
    const { error } = await createMigrator(this.#trx).migrateToLatest()
    if (error !== undefined) throw error
  }

  #typeOf(table: string, column: string): string {
    const type = this.#types.get(table)?.get(column)
    if (type === undefined) throw new Error(`${table}.${column} was not checked`)
    return type
  }

  async #checkShapes(tables: readonly TableShape[]): Promise<void> {
    const found = new Map((await this.describe()).map((table) => [table.name, table]))
    for (const table of found.values())
      this.#types.set(table.name, new Map(table.columns.map((column) => [column.name, column.type])))
    for (const { name, columns } of tables) {
      const own = new Set(found.get(name)?.columns.map((column) => column.name))
      const foreign = columns.find((column) => !own.has(column.name))
      if (!KEPT_TABLES.has(name) || found.get(name) === undefined)
        throw new BackupError(`The backup has rows of a table ${name}, which this program does not back up.`)
      if (foreign !== undefined || own.size !== columns.length)
        throw new BackupError(
          `The backup has other columns of the table ${name} than this program${foreign ? ` (${foreign.name})` : ''}.`,
        )
    }
  }

  /** Returns the tables of the database. */
  describe(): Promise<TableShape[]> {
    return describeTables(
      isPostgres(this.#trx) ? 'postgresql' : 'sqlite',
      async (text) => (await sql.raw<Record<string, unknown>>(text).execute(this.#trx)).rows,
      () => true,
    )
  }

  /** Removes all tables, with their triggers and functions. */
  async #dropAll(): Promise<void> {
    const trx = this.#trx
    for (const { name } of (await this.describe()).reverse()) {
      if (name.startsWith('sqlite_')) continue
      await sql`drop table ${sql.table(name)} ${isPostgres(trx) ? sql`cascade` : sql``}`.execute(trx)
    }
    if (!isPostgres(trx)) return
    const functions = await sql<{ name: string }>`select p.oid::regprocedure::text as name from pg_proc p
      where p.pronamespace = current_schema()::regnamespace
      and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')`.execute(trx)
    for (const { name } of functions.rows) await sql`drop function ${sql.raw(name)} cascade`.execute(trx)
  }
}

type Rows = readonly (readonly CellValue[])[]

/** Inserts rows that are one JSON parameter, which takes less than half the processor time of one parameter per cell. */
function insertOnPostgres(into: string, types: readonly string[], rows: Rows): CompiledQuery {
  const cells = types.map((type, index) =>
    type === 'bytea' ? `decode(cells -> ${index} ->> 'base64', 'base64')` : `(cells ->> ${index})::${type}`,
  )
  return CompiledQuery.raw(
    `${into} select ${cells.join()} from jsonb_array_elements($1::jsonb) as part(cells)`,
    [JSON.stringify(rows)],
  )
}

/** Inserts rows whose cells are parameters: SQLite does not read every number in JSON exactly. */
function insertOnSqlite(into: string, rows: Rows): CompiledQuery {
  const values = rows.map((row) => `(${row.map(() => '?').join()})`)
  return CompiledQuery.raw(`${into} values ${values.join()}`, rows.flat().map(toValue))
}

function toValue(cell: CellValue): string | number | null | Buffer {
  return typeof cell === 'object' && cell !== null ? Buffer.from(cell.base64, 'base64') : cell
}

/** Whether it is PostgreSQL. */
export function isPostgres(db: Database): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter
}
