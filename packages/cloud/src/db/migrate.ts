import type { Kysely, Transaction } from 'kysely'
import { Migrator } from 'kysely/migration'
import { VERSION } from '../config/index.ts'
import {
  type DatabaseState,
  isNewerThan,
  MIGRATIONS_TABLE,
  type Program,
  pendingMigrations,
  readDatabaseState,
  recordBase,
  requireCompatible,
  writeDatabaseVersion,
} from './database-version.ts'
import { lockMigrations } from './migration-lock.ts'
import { migrations } from './migrations/index.ts'
import type { Migration } from './migrations/migration.ts'
import { withoutOlderProcesses } from './older-processes.ts'
import type { Schema } from './schema.ts'

/** This version of the program. */
export const THIS_PROGRAM: Program = { version: VERSION, migrations }

/**
 * Applies pending migrations, all or none, and records the version. Other processes that migrate at the same time wait
 * for a lock (SQLite: the write lock; PostgreSQL: an advisory lock). Without pending migrations it only reads, so that
 * commands do not wait for a writer, nor a writer for them.
 *
 * Migrations of a newer version that declares this one as compatible are left alone (UPG-1).
 * @throws Error with a message for the operator if a newer, incompatible version wrote the database, or it is older than
 * the base
 */
export async function migrate(db: Kysely<Schema>, program = THIS_PROGRAM): Promise<void> {
  const state = await readDatabaseState(db)
  requireCompatible(state, program)
  if (state.former !== undefined) await recordBase(db, state.former)
  if (pendingMigrations(state, program).length > 0) {
    await withoutOlderProcesses(db, state, program, async () => {
      try {
        await db.transaction().execute((trx) => migrateToLatest(trx, program, state))
      } catch (error) {
        // Another version migrated meanwhile.
        requireCompatible(await readDatabaseState(db), program)
        throw error
      }
    })
  } else if (isNewerThan(state, program)) await writeDatabaseVersion(db, program)
}

async function migrateToLatest(
  trx: Transaction<Schema>,
  program: Program,
  state: DatabaseState,
): Promise<void> {
  await lockMigrations(trx)
  const { error } = await createMigrator(trx, program, state).migrateToLatest()
  if (error !== undefined) throw error
}

/**
 * Returns the migrator of a database, which records the version in the transaction of the last pending migration.
 * @param state of the database; by default, new
 */
export function createMigrator(
  db: Kysely<Schema>,
  program = THIS_PROGRAM,
  state: DatabaseState = { applied: [], version: undefined },
): Migrator {
  const last = pendingMigrations(state, program).at(-1)
  const unknown = state.applied.filter((name) => !(name in program.migrations))
  const known = Object.entries(program.migrations).map(([name, migration]): [string, Migration] => [
    name,
    name === last ? withVersion(migration, program) : migration,
  ])
  return new Migrator({
    db,
    provider: {
      getMigrations: async () =>
        Object.fromEntries([...known, ...unknown.map((name): [string, Migration] => [name, APPLIED])]),
    },
    // A fix of an earlier minor version may bring a migration whose number is lower.
    allowUnorderedMigrations: true,
    migrationTableName: MIGRATIONS_TABLE,
    migrationLockTableName: `${MIGRATIONS_TABLE}_lock`,
  })
}

function withVersion(migration: Migration, program: Program): Migration {
  return {
    ...migration,
    async up(db: Kysely<Schema>) {
      await migration.up(db)
      await writeDatabaseVersion(db, program)
    },
  }
}

/** Stands for a migration of a newer version that was applied. */
const APPLIED: Migration = { summary: '', up: async () => {} }
