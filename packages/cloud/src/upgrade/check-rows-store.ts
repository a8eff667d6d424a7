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

/** A backup that succeeded. */
export interface LastBackup {
  /** Epoch ms. */
  readonly at: number
  readonly place: string
}

/** Returns the newest backup that the cloud recorded; none if the database is older than the record. */
export async function findLastBackup(db: Database): Promise<LastBackup | undefined> {
  const row = await db
    .selectFrom('backup_state')
    .select(['succeeded_at', 'place'])
    .where('succeeded_at', 'is not', null)
    .orderBy('succeeded_at', 'desc')
    .executeTakeFirst()
    .catch(() => undefined)
  return row?.succeeded_at == null
    ? undefined
    : { at: row.succeeded_at, place: row.place ?? 'an unknown place' }
}
