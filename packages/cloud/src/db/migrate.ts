import type { Kysely } from 'kysely'
import { Migrator } from 'kysely/migration'
import { migrations } from './migrations/index.ts'
import type { Schema } from './schema.ts'

/**
 * Applies pending migrations, all or none. Other processes that migrate at the same time wait for a lock (SQLite: the
 * write lock; PostgreSQL: an advisory lock). Without pending migrations it only reads, so that commands do not wait for
 * a writer, nor a writer for them.
 * @throws Error with a message for the operator if a newer version wrote the database
 */
export async function migrate(db: Kysely<Schema>): Promise<void> {
  if (await isCurrent(db)) return
  const { error } = await createMigrator(db).migrateToLatest()
  if (error === undefined) return
  const newer = await unknownMigration(db)
  if (newer === undefined) throw error
  throw new Error(
    `The database was written by a newer version of Glasses Cloud (it has the migration ${newer}). ` +
      'Start that version, or restore a backup made before it.',
    { cause: error },
  )
}

/** Returns the migrator of a database, for tests that migrate to an earlier version. */
export function createMigrator(db: Kysely<Schema>): Migrator {
  return new Migrator({
    db,
    provider: { getMigrations: async () => migrations },
    migrationTableName: MIGRATIONS_TABLE,
    migrationLockTableName: `${MIGRATIONS_TABLE}_lock`,
  })
}

const MIGRATIONS_TABLE = 'schema_migrations'

/** Whether exactly the migrations of this version have been applied. */
async function isCurrent(db: Kysely<Schema>): Promise<boolean> {
  const applied = new Set(await appliedMigrations(db))
  const known = Object.keys(migrations)
  return applied.size === known.length && known.every((name) => applied.has(name))
}

/** Returns the newest applied migration that this version does not know. */
async function unknownMigration(db: Kysely<Schema>): Promise<string | undefined> {
  return (await appliedMigrations(db)).find((name) => !(name in migrations))
}

/** Returns the names of the applied migrations, newest first; none if they cannot be read. */
async function appliedMigrations(db: Kysely<Schema>): Promise<string[]> {
  try {
    const done = await db
      .$extendTables<{ [MIGRATIONS_TABLE]: { name: string } }>()
      .selectFrom(MIGRATIONS_TABLE)
      .select('name')
      .orderBy('name', 'desc')
      .execute()
    return done.map(({ name }) => name)
  } catch {
    // The database is empty, or the migrator reports the error.
    return []
  }
}
