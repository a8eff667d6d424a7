import assert from 'node:assert/strict'
import { join } from 'node:path'
import type { Database, DatabaseOptions } from './database.ts'
import { DATABASE_FILE } from './database.ts'
import { createMigrator, THIS_PROGRAM } from './migrate.ts'
import { MIGRATION_LIMITS, openPostgres } from './postgres.ts'
import { openSqlite } from './sqlite.ts'

/** Opens a database as it is, without migrating it. */
export async function openUnmigrated({ databaseUrl, dataDir }: DatabaseOptions): Promise<Database> {
  return databaseUrl === undefined
    ? openSqlite(join(dataDir, DATABASE_FILE))
    : openPostgres(databaseUrl, MIGRATION_LIMITS)
}

/** Opens an empty database and migrates it to an earlier version. */
export async function openAt(
  migration: string,
  options: DatabaseOptions,
  program = THIS_PROGRAM,
): Promise<Database> {
  const db = await openUnmigrated(options)
  const { error } = await createMigrator(db, program).migrateTo(migration)
  assert.equal(error, undefined)
  return db
}
