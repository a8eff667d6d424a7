import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import pg from 'pg'
import { DATABASE_FILE, type DatabaseOptions } from '../../src/db/database.ts'
import type { TestDatabase } from '../../src/db/testing.ts'
import type { Scope } from '../support/scope.ts'

export const FIXTURES = join(import.meta.dirname, 'fixtures')

/** The released versions whose databases are fixtures, oldest first. */
export const RELEASED_VERSIONS: readonly string[] = readdirSync(FIXTURES)
  .flatMap((name) => /^(.+)\.sqlite\.gz$/.exec(name)?.[1] ?? [])
  .sort((one, other) => one.localeCompare(other, 'en', { numeric: true }))

/** File of the database of a version. */
export function fixtureOf(version: string, name: TestDatabase['name']): string {
  return join(FIXTURES, `${version}.${name === 'SQLite' ? 'sqlite' : 'postgresql.sql'}.gz`)
}

/** Copies the database that a released version wrote. The path of `AUTH_SECRET` is that of test clouds. */
export async function restoreFixture(
  scope: Scope,
  version: string,
  database: TestDatabase,
): Promise<DatabaseOptions> {
  const options = await database.createEmpty(scope)
  const content = gunzipSync(readFileSync(fixtureOf(version, database.name)))
  if (options.databaseUrl === undefined) writeFileSync(join(options.dataDir, DATABASE_FILE), content)
  else await runSql(options.databaseUrl, content.toString())
  return options
}

async function runSql(databaseUrl: string, statements: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query(statements)
  } finally {
    await client.end()
  }
}
