import { mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import {
  DATABASE_FILE,
  type Database,
  isOfRunningProcess,
  openSqlite,
  openUnlimitedPostgres,
} from '../db/index.ts'
import { BackupError } from './format.ts'
import { isPostgres } from './load-rows-store.ts'
import type { SnapshotOptions } from './snapshot-store.ts'
import { describeTables } from './table-shapes-store.ts'
import { decisionOf, isInternal } from './tables.ts'

const STOP_FIRST = 'Stop it (all nodes) before you restore a backup.'

/**
 * Opens the database that a backup is restored into. No server may use it, and none can start until it is closed: on
 * SQLite by an exclusive lock, on PostgreSQL as the tables are replaced in one transaction.
 * @throws BackupError if a server uses it
 */
export async function openTarget({ databaseUrl, dataDir }: SnapshotOptions): Promise<Database> {
  if (databaseUrl !== undefined) {
    return openUnlimitedPostgres(databaseUrl)
  }
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const db = await openSqlite(join(dataDir, DATABASE_FILE))
  await sql`pragma locking_mode = exclusive`.execute(db)
  return db
}

/** Whether the database of a configuration exists; a PostgreSQL database always does. */
export async function targetExists({ databaseUrl, dataDir }: SnapshotOptions): Promise<boolean> {
  return (
    databaseUrl !== undefined ||
    (await stat(join(dataDir, DATABASE_FILE)).catch(() => undefined)) !== undefined
  )
}

/**
 * Checks in a transaction that the database may be replaced.
 * @param samplePackage an app that the cloud registers itself
 * @throws BackupError if it is in use or contains anything
 */
export async function requireEmpty(trx: Database, samplePackage: string): Promise<void> {
  if (isPostgres(trx)) await requireNoServer(trx)
  const query = async (text: string) => (await sql.raw<Record<string, unknown>>(text).execute(trx)).rows
  const tables = await describeTables(isPostgres(trx) ? 'postgresql' : 'sqlite', query, () => true)
  const names = new Set(tables.map(({ name }) => name))
  const foreign = [...names].find((name) => decisionOf(name) === undefined && !isInternal(name))
  if (foreign !== undefined)
    throw new BackupError(
      `The database has a table ${foreign}, which is not of this version of Glasses Cloud. Restore into a database of its own.`,
    )
  const counts: Record<string, number> = {}
  for (const name of ['users', 'organizations', 'apps'] as const) {
    if (!names.has(name)) continue
    const sample = name === 'apps' ? sql`where package_name <> ${samplePackage}` : sql``
    const { rows } = await sql<{
      n: number | string
    }>`select count(*) as n from ${sql.table(name)} ${sample}`.execute(trx)
    if (Number(rows[0]?.n) > 0) counts[name] = Number(rows[0]?.n)
  }
  const found = Object.entries(counts).map(([name, count]) => `${name}: ${count}`)
  if (found.length > 0)
    throw new BackupError(
      `This cloud is not empty (${found.join(', ')}). Restore into an empty one: another DATA_DIR, or an empty DATABASE_URL.`,
    )
}

/** Reports the locked file of a SQLite database as what it is. */
export function explainLock(error: unknown): unknown {
  const isLocked = error instanceof Error && /database is locked/.test(error.message)
  return isLocked ? new BackupError(`A server uses this database. ${STOP_FIRST}`, { cause: error }) : error
}

async function requireNoServer(trx: Database): Promise<void> {
  await sql`set local idle_in_transaction_session_timeout = 0`.execute(trx)
  const { rows } = await sql<{ n: string }>`select count(*) as n from pg_stat_activity
    where application_name like 'glasses-cloud%' and ${isOfRunningProcess}`.execute(trx)
  if (Number(rows[0]?.n) > 0) throw new BackupError(`A server is connected to this database. ${STOP_FIRST}`)
}
