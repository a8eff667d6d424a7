import { sql } from 'kysely'
import type { Database } from '../../src/db/index.ts'

/** A table whose rows refer to users. */
export interface UserTable {
  readonly name: string
  /** Whether its rows are deleted with the row of the user. */
  readonly cascades: boolean
}

/** Columns that refer to a user without a foreign key. */
const USER_COLUMN = /^(user_id|actor_id|email|user_email|developer_id)$/

/** Returns the tables of a SQLite database that refer to users: by foreign keys, directly or not, or by a column. */
export async function findUserTables(db: Database): Promise<UserTable[]> {
  const tables = await db.introspection.getTables()
  const { rows: keys } = await sql<{ from: string; to: string; onDelete: string }>`
    select m.name as "from", f."table" as "to", f.on_delete as "onDelete"
    from sqlite_master m, pragma_foreign_key_list(m.name) f where m.type = 'table'`.execute(db)
  const found = new Map<string, boolean>([['users', true]])
  const referring = () => keys.filter(({ from, to }) => found.has(to) && !found.has(from))
  for (let next = referring(); next.length > 0; next = referring())
    for (const { from, to, onDelete } of next)
      found.set(from, found.get(to) === true && onDelete === 'CASCADE')
  for (const { name, columns } of tables)
    if (!found.has(name) && columns.some((column) => USER_COLUMN.test(column.name))) found.set(name, false)
  return [...found].map(([name, cascades]) => ({ name, cascades })).sort((a, b) => (a.name < b.name ? -1 : 1))
}
