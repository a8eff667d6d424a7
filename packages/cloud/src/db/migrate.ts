import type { Kysely } from 'kysely'
import { Migrator } from 'kysely/migration'
import { migrations } from './migrations/index.ts'
import type { Schema } from './schema.ts'

/**
 * Brings the tables up to this version of the code, all or nothing, while any other process that tries the same
 * waits (SQLite: the write lock; PostgreSQL: an advisory lock).
 * @throws Error with a sentence for the operator when a newer version wrote the database
 */
export async function migrate(db: Kysely<Schema>): Promise<void> {
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => migrations },
    migrationTableName: MIGRATIONS,
    migrationLockTableName: `${MIGRATIONS}_lock`,
  })
  const { error } = await migrator.migrateToLatest()
  if (error === undefined) return
  const newer = await unknownMigration(db)
  if (newer === undefined) throw error
  throw new Error(
    `The database was written by a newer version of Glasses Cloud (it has the migration ${newer}). ` +
      'Start that version, or restore a backup made before it.',
    { cause: error },
  )
}

const MIGRATIONS = 'schema_migrations'

/** The newest migration the database has and this code does not. */
async function unknownMigration(db: Kysely<Schema>): Promise<string | undefined> {
  try {
    const done = await db
      .$extendTables<{ [MIGRATIONS]: { name: string } }>()
      .selectFrom(MIGRATIONS)
      .select('name')
      .orderBy('name', 'desc')
      .execute()
    return done.find(({ name }) => !(name in migrations))?.name
  } catch {
    // The first error says more than this one would.
    return undefined
  }
}
