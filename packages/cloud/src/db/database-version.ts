import type { Kysely, Transaction } from 'kysely'
import { compareVersions, firstOfMajor } from '../config/index.ts'
import { BASE, formerOf, requireBase, withBase } from './former-migrations.ts'
import type { Migration } from './migrations/migration.ts'
import type { Schema } from './schema.ts'

/** Which version of the program wrote a database. */
export interface DatabaseVersion {
  /** The newest version that opened the database. */
  readonly version: string
  /** The oldest version that may use it. */
  readonly oldestVersion: string
  /** Epoch ms at which `version` opened it first. */
  readonly writtenAt: number
}

/** What a database says about the versions that used it. */
export interface DatabaseState {
  /** Names of the applied migrations, newest first; empty for a new database. */
  readonly applied: readonly string[]
  /** Names that are recorded instead of the base (see {@link withBase}); none if absent. */
  readonly former?: readonly string[]
  /** Undefined for a new database. */
  readonly version: DatabaseVersion | undefined
}

/** A version of the program. */
export interface Program {
  readonly version: string
  /** Its migrations by name. */
  readonly migrations: Readonly<Record<string, Migration>>
}

/** Name of the table in which Kysely records migrations. */
export const MIGRATIONS_TABLE = 'schema_migrations'

const ROW_ID = 1

/**
 * Reads which versions used a database. A database that cannot be read counts as new; the migrator reports the error.
 * @throws Error with a message for the operator if it is older than the base
 */
export async function readDatabaseState(db: Kysely<Schema>): Promise<DatabaseState> {
  const rows = await withMigrationsTable(db)
    .selectFrom(MIGRATIONS_TABLE)
    .select('name')
    .orderBy('name', 'desc')
    .execute()
    .catch(() => [])
  const row = await db
    .selectFrom('database_version')
    .selectAll()
    .executeTakeFirst()
    .catch(() => undefined)
  const recorded = rows.map(({ name }) => name)
  const former = formerOf(recorded)
  const applied = withBase(recorded)
  requireBase(applied)
  return {
    applied,
    ...(former.length > 0 && { former }),
    version: row && { version: row.version, oldestVersion: row.oldest_version, writtenAt: row.written_at },
  }
}

/**
 * Records the base instead of the migrations that it replaces. Several processes may do so at once.
 * @param former names of these
 */
export async function recordBase(db: Kysely<Schema>, former: readonly string[]): Promise<void> {
  await withMigrationsTable(db)
    .transaction()
    .execute(async (trx) => {
      await trx
        .insertInto(MIGRATIONS_TABLE)
        .values({ name: BASE, timestamp: new Date().toISOString() })
        .onConflict((conflict) => conflict.column('name').doNothing())
        .execute()
      await trx.deleteFrom(MIGRATIONS_TABLE).where('name', 'in', former).execute()
    })
}

function withMigrationsTable(db: Kysely<Schema>) {
  return db.$extendTables<{ [MIGRATIONS_TABLE]: { name: string; timestamp: string } }>()
}

/** Returns the names of the migrations of a program that a database lacks, in their order. */
export function pendingMigrations({ applied }: DatabaseState, { migrations }: Program): string[] {
  return Object.keys(migrations)
    .filter((name) => !applied.includes(name))
    .sort()
}

/**
 * Returns the oldest version that may use a database after a program migrated it: the first of its major version, unless
 * a migration declares a newer one.
 */
export function oldestVersionAfter({ version }: DatabaseState, program: Program): string {
  const declared = Object.values(program.migrations).flatMap(({ oldestVersion }) => oldestVersion ?? [])
  const versions = [firstOfMajor(program.version), ...declared, ...(version ? [version.oldestVersion] : [])]
  return versions.reduce((newest, other) => (compareVersions(other, newest) > 0 ? other : newest))
}

/** @throws Error with a message for the operator if the program is too old for the database (UPG-2) */
export function requireCompatible({ version }: DatabaseState, program: Program): void {
  if (version === undefined || compareVersions(version.oldestVersion, program.version) <= 0) return
  throw new Error(
    `The database was written by Glasses Cloud ${version.version} and can be used by version ` +
      `${version.oldestVersion} or newer; this is version ${program.version}. ` +
      `Start version ${version.version}, or restore a backup made before the upgrade.`,
  )
}

/** Whether a program has to record that it opened the database. */
export function isNewerThan({ version }: DatabaseState, program: Program): boolean {
  return (
    version === undefined ||
    compareVersions(program.version, version.version) > 0 ||
    compareVersions(oldestVersionAfter({ applied: [], version }, program), version.oldestVersion) > 0
  )
}

/** Records that a program opened the database. Neither version decreases. */
export async function writeDatabaseVersion(
  db: Kysely<Schema> | Transaction<Schema>,
  program: Program,
): Promise<void> {
  const state = await readDatabaseState(db)
  if (!isNewerThan(state, program)) return
  const isNewest = !state.version || compareVersions(program.version, state.version.version) > 0
  const row = {
    version: isNewest ? program.version : (state.version?.version ?? program.version),
    oldest_version: oldestVersionAfter(state, program),
    written_at: isNewest ? Date.now() : (state.version?.writtenAt ?? Date.now()),
  }
  await db
    .insertInto('database_version')
    .values({ id: ROW_ID, ...row })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .execute()
}
