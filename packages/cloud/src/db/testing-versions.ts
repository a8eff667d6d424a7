import { join } from 'node:path'
import type { Database, DatabaseOptions } from './database.ts'
import { DATABASE_FILE } from './database.ts'
import { MIGRATION_LIMITS, openPostgres } from './postgres.ts'
import { openSqlite } from './sqlite.ts'

/** Opens a database as it is, without migrating it. */
export async function openUnmigrated({ databaseUrl, dataDir }: DatabaseOptions): Promise<Database> {
  return databaseUrl === undefined
    ? openSqlite(join(dataDir, DATABASE_FILE))
    : openPostgres(databaseUrl, MIGRATION_LIMITS)
}
