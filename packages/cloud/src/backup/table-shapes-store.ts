import type { TableShape } from './format.ts'
import { isWrittenByTriggers } from './tables.ts'

type Query = (text: string) => Promise<Record<string, unknown>[]>

const SQLITE_COLUMNS = `select m.name as "table", c.name as "column", lower(c.type) as type
  from sqlite_master m, pragma_table_info(m.name) c where m.type = 'table' order by m.name, c.cid`

const SQLITE_KEYS = `select m.name as "from", f."table" as "to"
  from sqlite_master m, pragma_foreign_key_list(m.name) f where m.type = 'table'`

const POSTGRES_COLUMNS = `select c.relname as "table", a.attname as "column", format_type(a.atttypid, null) as type
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace order by c.relname, a.attnum`

const POSTGRES_KEYS = `select f.relname as "from", t.relname as "to" from pg_constraint k
  join pg_class f on f.oid = k.conrelid join pg_class t on t.oid = k.confrelid
  where k.contype = 'f' and k.connamespace = current_schema()::regnamespace`

/**
 * Describes the tables of a database, each after those that it refers to; last those that triggers write.
 * @param isKept selects the tables by name
 */
export async function describeTables(
  database: 'sqlite' | 'postgresql',
  query: Query,
  isKept: (table: string) => boolean,
): Promise<TableShape[]> {
  const columns = await query(database === 'sqlite' ? SQLITE_COLUMNS : POSTGRES_COLUMNS)
  const keys = await query(database === 'sqlite' ? SQLITE_KEYS : POSTGRES_KEYS)
  const byTable = Map.groupBy(columns, ({ table }) => String(table))
  const names = [...byTable.keys()].filter(isKept).sort()
  const references = new Map(
    names.map((name) => {
      const targets = keys.filter(({ from, to }) => from === name && to !== name)
      return [name, targets.map(({ to }) => String(to)).filter(isKept)]
    }),
  )
  const sorted = sortByReferences(names, references)
  // No table refers to those that triggers write.
  const inOrder = [
    ...sorted.filter((name) => !isWrittenByTriggers(name)),
    ...sorted.filter(isWrittenByTriggers),
  ]
  return inOrder.map((name) => ({
    name,
    columns: (byTable.get(name) ?? []).map(({ column, type }) => ({
      name: String(column),
      type: String(type),
    })),
  }))
}

function sortByReferences(names: readonly string[], references: ReadonlyMap<string, readonly string[]>) {
  const sorted = new Set<string>()
  while (sorted.size < names.length) {
    const next = names.filter(
      (name) => !sorted.has(name) && references.get(name)?.every((to) => sorted.has(to)),
    )
    if (next.length === 0) throw new Error('Tables refer to each other in a circle')
    for (const name of next) sorted.add(name)
  }
  return [...sorted]
}
