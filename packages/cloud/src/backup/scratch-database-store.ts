import { sql } from 'kysely'
import type { Database } from '../db/index.ts'
import type { CellValue } from './format.ts'

const BATCH = 500

/** Makes writes to a temporary SQLite database fast: it need not survive a crash. */
export async function relaxDurability(db: Database): Promise<void> {
  await sql`pragma journal_mode = off`.execute(db)
  await sql`pragma synchronous = off`.execute(db)
}

/** Reads rows of a SQLite database that nobody writes; see `ReadRows`. */
export async function* readDatabase(
  db: Database,
  from: string,
  columns: readonly string[],
): AsyncGenerator<CellValue[][]> {
  const list = columns.map((column, index) => `${column} as c${index}`).join(', ')
  for (let offset = 0; ; offset += BATCH) {
    const { rows } = await sql
      .raw<Record<string, CellValue>>(`select ${list} from ${from} limit ${BATCH} offset ${offset}`)
      .execute(db)
    if (rows.length > 0) yield rows.map((row) => columns.map((_, index) => row[`c${index}`] ?? null))
    if (rows.length < BATCH) return
  }
}
