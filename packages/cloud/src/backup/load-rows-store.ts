import { CompiledQuery, PostgresAdapter, sql, type Transaction } from 'kysely'
import { compareVersions } from '../config/index.ts'
import {
  BASE,
  createMigrator,
  type Database,
  knownMigrations,
  type Schema,
  THIS_PROGRAM,
  withBase,
} from '../db/index.ts'
import {
  BackupError,
  type BackupHeader,
  type BackupManifest,
  type CellValue,
  type TableShape,
} from './format.ts'
import { quoteName } from './snapshot-store.ts'
import { describeTables } from './table-shapes-store.ts'
import { decisionOf, isWrittenByTriggers } from './tables.ts'

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
  /** The tables that are restored. */
  readonly #targets = new Map<string, readonly TargetColumn[]>()
  readonly #leftOut: string[] = []

  constructor(trx: Transaction<Schema>) {
    this.#trx = trx
  }

  /** Tables and columns of a newer version, which this one does not restore. */
  get leftOut(): readonly string[] {
    return this.#leftOut
  }

  /**
   * Creates the schema that the rows have, as far as this version knows it.
   * @throws BackupError if this version cannot use it
   */
  async createSchema(received: BackupHeader): Promise<void> {
    const header = { ...received, migrations: [...withBase(received.migrations)] }
    const isNewer = requireUsable(header)
    await this.#dropAll()
    const migrations = Object.fromEntries(
      Object.entries(knownMigrations).filter(([name]) => header.migrations.includes(name)),
    )
    const { version } = THIS_PROGRAM
    const { error } = await createMigrator(this.#trx, { version, migrations }).migrateToLatest()
    if (error !== undefined) throw new BackupError(ANOTHER_PROGRAM, { cause: error })
    await this.#chooseTargets(header.tables, isNewer)
  }

  /** Inserts rows of a table. @throws BackupError if the database does not accept them */
  async insert({ name }: TableShape, received: readonly CellValue[][]): Promise<void> {
    const columns = this.#targets.get(name)
    if (columns === undefined) return
    if (isWrittenByTriggers(name) && !this.#emptied.has(name)) {
      this.#emptied.add(name)
      await sql`delete from ${sql.table(name)}`.execute(this.#trx)
    }
    const rows = received.map((row) => columns.map((column) => fittingCell(row, column, name)))
    const types = columns.map(({ type }) => type)
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
      if (!this.#targets.has(name)) continue
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

  /** @param isNewer whether the backup may have tables and columns that this version does not know */
  async #chooseTargets(tables: readonly TableShape[], isNewer: boolean): Promise<void> {
    const found = new Map((await this.describe()).map((table) => [table.name, table.columns]))
    for (const { name, columns } of tables) {
      const decision = decisionOf(name)
      // An earlier version did not know that the rows of this table are left out.
      if (isNewer && decision !== undefined && decision !== 'kept') continue
      const own = found.get(name)
      if (decision === undefined || own === undefined) {
        if (!isNewer)
          throw new BackupError(
            `The backup has rows of a table ${name}, which this program does not back up.`,
          )
        this.#leftOut.push(`the table ${name}`)
        continue
      }
      if (decision !== 'kept')
        throw new BackupError(`The backup has rows of a table ${name}, which this program does not back up.`)
      const names = columns.map((column) => column.name)
      const foreign = names.filter((column) => !own.some((each) => each.name === column))
      const isSame = new Set(names).size === names.length && names.length === own.length + foreign.length
      if (!isSame || (foreign.length > 0 && !isNewer))
        throw new BackupError(
          `The backup has other columns of the table ${name} than this program${foreign[0] ? ` (${foreign[0]})` : ''}.`,
        )
      this.#leftOut.push(...foreign.map((column) => `the column ${name}.${column}`))
      // What the backup says about types is not used in statements.
      this.#targets.set(
        name,
        own.map((column) => ({ ...column, index: names.indexOf(column.name) })),
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

const ANOTHER_PROGRAM = 'The backup lacks migrations that others need, so it is of another program.'

/** A column of this database, and where its value is in the rows of the backup. */
interface TargetColumn {
  readonly name: string
  readonly type: string
  readonly index: number
}

/**
 * @returns whether a newer version migrated the database that was backed up
 * @throws BackupError if only newer versions may use it
 */
function requireUsable({ databaseVersion, migrations, programVersion }: BackupHeader): boolean {
  const unknown = migrations.find((name) => !Object.hasOwn(knownMigrations, name))
  const isKnown = unknown === undefined
  const { version, oldestVersion } = databaseVersion
  if (!isKnown && compareVersions(oldestVersion, THIS_PROGRAM.version) > 0)
    throw new BackupError(
      `The backup was made of a database of version ${version}, which this version ${THIS_PROGRAM.version} cannot use (it has the migration ${unknown}). Install version ${version}, or a later one, to restore it.`,
    )
  if (!migrations.includes(BASE)) throw new BackupError(ANOTHER_PROGRAM)
  return !isKnown || compareVersions(programVersion, version) < 0
}

/** @throws BackupError if a value has another type than its column: SQLite would store it */
function fittingCell(
  row: readonly CellValue[],
  { index, name, type }: TargetColumn,
  table: string,
): CellValue {
  const cell = row[index] ?? null
  const isFitting = /int/.test(type) ? typeof cell === 'number' : type !== 'text' || typeof cell === 'string'
  if (cell === null || isFitting) return cell
  throw new BackupError(`The backup has a value of another type in the column ${table}.${name} (${type}).`)
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
