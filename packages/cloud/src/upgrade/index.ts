import { existsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { compareVersions } from '../config/index.ts'
import {
  DATABASE_FILE,
  type Database,
  type DatabaseOptions,
  type DatabaseVersion,
  oldestVersionAfter,
  openSqlite,
  openUnlimitedPostgres,
  pendingMigrations,
  readDatabaseState,
  requireCompatible,
  THIS_PROGRAM,
} from '../db/index.ts'
import { findLastBackup, type LastBackup } from './check-rows-store.ts'
import { type Rehearsal, rehearseMigrations } from './rehearse-migrations-store.ts'

export { findLosses } from './check-rows-store.ts'

/** A migration that the next start of this version applies. */
export interface PlannedMigration {
  readonly name: string
  /** What it does, as a sentence. */
  readonly summary: string
}

/** What the next start of this version does to the database. */
export interface UpgradePlan {
  /** Undefined for a new database. */
  readonly database: DatabaseVersion | undefined
  /** The version of this program. */
  readonly version: string
  readonly migrations: readonly PlannedMigration[]
  /** The oldest version that may use the database afterwards. */
  readonly oldestVersion: string
  /** Whether nodes of the version that wrote the database work during and after the upgrade. */
  readonly isRollingPossible: boolean
  /** The newest good backup that the cloud recorded. */
  readonly lastBackup: LastBackup | undefined
  /** Undefined without migrations. */
  readonly rehearsal: Rehearsal | undefined
  /** Free bytes on the disk of the SQLite file; undefined on PostgreSQL, whose server does not tell. */
  readonly freeBytes: number | undefined
}

/**
 * Opens a database without migrating it.
 * @throws Error with a message for the operator if there is none
 */
export async function withExistingDatabase<Result>(
  { databaseUrl, dataDir }: DatabaseOptions,
  work: (db: Database) => Promise<Result>,
): Promise<Result> {
  const file = join(dataDir, DATABASE_FILE)
  if (databaseUrl === undefined && !existsSync(file))
    throw new Error(`There is no database in ${dataDir}. Set DATA_DIR or DATABASE_URL as for the cloud.`)
  const db = await (databaseUrl === undefined ? openSqlite(file) : openUnlimitedPostgres(databaseUrl))
  try {
    return await work(db)
  } finally {
    await db.destroy()
  }
}

/**
 * Returns what the next start of this version does to a database, measured on a copy of the data.
 * @throws Error with a message for the operator if this version cannot use the database
 */
export function checkUpgrade(options: DatabaseOptions): Promise<UpgradePlan> {
  return withExistingDatabase(options, async (db) => {
    const state = await readDatabaseState(db)
    requireCompatible(state, THIS_PROGRAM)
    const names = pendingMigrations(state, THIS_PROGRAM)
    const oldestVersion = oldestVersionAfter(state, THIS_PROGRAM)
    return {
      database: state.version,
      version: THIS_PROGRAM.version,
      migrations: planned(names),
      oldestVersion,
      isRollingPossible:
        state.version !== undefined && compareVersions(oldestVersion, state.version.version) <= 0,
      lastBackup: await findLastBackup(db),
      freeBytes: options.databaseUrl === undefined ? await freeBytes(options.dataDir) : undefined,
      rehearsal: names.length === 0 ? undefined : await rehearseMigrations(options, db, state, THIS_PROGRAM),
    }
  })
}

async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

/** Describes migrations of this version by their names. */
export function planned(names: readonly string[]): PlannedMigration[] {
  return names.map((name) => ({ name, summary: THIS_PROGRAM.migrations[name]?.summary ?? '' }))
}
