import { type Kysely, PostgresAdapter, sql } from 'kysely'

/** A column as a program that writes rows sees it. */
interface Column {
  readonly type: string
  readonly isNullable: boolean
  readonly hasDefault: boolean
}

/** A table: its columns by name, and constraints as texts with the columns that they name. */
interface Table {
  readonly columns: ReadonlyMap<string, Column>
  /** Columns of each unique index and each foreign key, by a text that describes it. */
  readonly constraints: ReadonlyMap<string, readonly string[]>
}

/** The tables of a database by name. */
export type TableShapes = ReadonlyMap<string, Table>

/** Types that accept every value of the type before, as `before > after`. */
const WIDENINGS = ['int4 > int8', 'integer > bigint', 'varchar > text', 'int4 > numeric', 'int8 > numeric']

/** Reads the tables of the default schema. */
export async function readTableShapes(db: Kysely<never>): Promise<TableShapes> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
  const tables = await db.introspection.getTables()
  const constraints = await (isPostgres ? readPostgresConstraints(db) : readSqliteConstraints(db))
  return new Map(
    tables
      .filter(({ schema }) => !isPostgres || schema === 'public')
      .map(({ name, columns }) => [
        name,
        {
          columns: new Map(
            columns.map(({ name, dataType, isNullable, hasDefaultValue }) => [
              name,
              { type: dataType.toLowerCase(), isNullable, hasDefault: hasDefaultValue },
            ]),
          ),
          constraints: new Map(
            constraints
              .filter(({ table }) => table === name)
              .map(({ kind, columns }) => [`${kind} ${columns.join(', ')}`, columns]),
          ),
        },
      ]),
  )
}

/** Returns what a program that knows the schema before would stumble over in the schema after, as sentences. */
export function breakingChanges(before: TableShapes, after: TableShapes): string[] {
  return [...before].flatMap(([name, table]) => {
    const changed = after.get(name)
    return changed === undefined
      ? [`drops or renames the table ${name}`]
      : breakingTable(name, table, changed)
  })
}

function breakingTable(name: string, before: Table, after: Table): string[] {
  const existing = [...before.columns].flatMap(([column, was]) => {
    const is = after.columns.get(column)
    if (is === undefined) return [`drops or renames ${name}.${column}`]
    return [
      ...(was.type === is.type || WIDENINGS.includes(`${was.type} > ${is.type}`)
        ? []
        : [`changes the type of ${name}.${column} from ${was.type} to ${is.type}`]),
      ...(was.isNullable && !is.isNullable ? [`requires a value in ${name}.${column}`] : []),
      ...(was.hasDefault && !is.hasDefault ? [`drops the default of ${name}.${column}`] : []),
    ]
  })
  const added = [...after.columns].flatMap(([column, is]) =>
    before.columns.has(column) || is.isNullable || is.hasDefault
      ? []
      : [`adds the required column ${name}.${column} without a default`],
  )
  // An earlier program leaves a new column null, which neither is unique nor refers to anything.
  const constraints = [...after.constraints].flatMap(([text, columns]) =>
    before.constraints.has(text) || columns.some((column) => isNewAndNull(column, before, after))
      ? []
      : [`adds to ${name}: ${text}`],
  )
  return [...existing, ...added, ...constraints]
}

function isNewAndNull(column: string, before: Table, after: Table): boolean {
  const is = after.columns.get(column)
  return !before.columns.has(column) && is !== undefined && is.isNullable && !is.hasDefault
}

interface Constraint {
  readonly table: string
  readonly kind: string
  readonly columns: readonly string[]
}

async function readSqliteConstraints(db: Kysely<never>): Promise<Constraint[]> {
  const unique = sql<{ name: string; columns: string }>`select m.name, (
      select group_concat(coalesce(c.name, '(expression)')) from pragma_index_info(i.name) c) as columns
    from sqlite_master m, pragma_index_list(m.name) i where m.type = 'table' and i."unique" = 1`
  const references = sql<{ name: string; columns: string }>`select m.name, group_concat(f."from") as columns
    from sqlite_master m, pragma_foreign_key_list(m.name) f where m.type = 'table' group by m.name, f.id`
  const read = async (query: typeof unique, kind: string) =>
    (await query.execute(db)).rows.map(({ name, columns }) => ({
      table: name,
      kind,
      columns: columns.split(',').sort(),
    }))
  return [...(await read(unique, 'unique')), ...(await read(references, 'reference'))]
}

async function readPostgresConstraints(db: Kysely<never>): Promise<Constraint[]> {
  const { rows } = await sql<Constraint>`
    select i.indrelid::regclass::text as "table", 'unique' as kind, array(
      select a.attname::text from pg_attribute a where a.attrelid = i.indrelid and a.attnum = any(i.indkey) order by 1
    ) as columns
    from pg_index i join pg_class c on c.oid = i.indrelid
    where i.indisunique and c.relnamespace = 'public'::regnamespace
    union all
    select k.conrelid::regclass::text, case k.contype when 'f' then 'reference' else 'check' end, array(
      select a.attname::text from pg_attribute a where a.attrelid = k.conrelid and a.attnum = any(k.conkey) order by 1
    )
    from pg_constraint k where k.contype in ('f', 'c', 'x') and k.connamespace = 'public'::regnamespace`.execute(
    db,
  )
  return rows
}
