import { sql } from 'kysely'
import type { Database } from '../db/index.ts'

/** Returns what a migrated copy on SQLite lacks, as sentences: rows of a table, or rows that others refer to. */
export async function findLosses(
  db: Database,
  expectedRows: Readonly<Record<string, number>>,
): Promise<string[]> {
  const losses: string[] = []
  for (const [table, expected] of Object.entries(expectedRows)) {
    const { rows } = await sql<{ n: number }>`select count(*) as n from ${sql.table(table)}`.execute(db)
    if (rows[0]?.n !== expected) losses.push(`${table} has ${rows[0]?.n} rows instead of ${expected}.`)
  }
  const broken = await sql<{ table: string }>`pragma foreign_key_check`.execute(db)
  for (const table of new Set(broken.rows.map(({ table }) => table)))
    losses.push(`Rows of ${table} refer to rows that do not exist.`)
  return losses
}
