import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { type Kysely, sql } from 'kysely'
import { readConfig, VERSION } from '../../src/config/index.ts'
import { DATABASE_FILE, type DatabaseOptions, openDatabase } from '../../src/db/database.ts'
import { createDatabase, dropDatabase, optionsFor } from '../../src/db/testing-postgres.ts'
import { readTableShapes } from '../../src/db/testing-schema.ts'
import type { Scope } from '../support/scope.ts'
import { startCloud } from '../support/test-cloud.ts'
import { createUserWithData } from '../support/user-data.ts'
import { FIXTURES, fixtureOf } from './released-database.ts'

// Writes the databases of this version, with rows in every table, as fixtures for the tests of later versions. Run it
// once for each release, in the commit that sets the version: npm run fixture

const cleanUps: (() => unknown)[] = []
const scope: Scope = { after: (cleanUp) => void cleanUps.push(cleanUp) }

mkdirSync(FIXTURES, { recursive: true })
await makeSqlite()
await makePostgres()
for (const cleanUp of cleanUps.reverse()) await cleanUp()

async function makeSqlite(): Promise<void> {
  const options = await fill({})
  const file = join(options.dataDir, DATABASE_FILE)
  const db = new DatabaseSync(file)
  // Without its side files.
  db.exec('pragma journal_mode = delete; vacuum')
  db.close()
  write('SQLite', readFileSync(file))
}

async function makePostgres(): Promise<void> {
  const name = await createDatabase()
  const { databaseUrl = '' } = optionsFor(name)
  try {
    await fill({ DATABASE_URL: databaseUrl })
    const options = ['--inserts', '--no-owner', '--no-privileges', '--no-comments', '--dbname', databaseUrl]
    const { stdout } = await promisify(execFile)('pg_dump', options, { maxBuffer: 256 * 1024 * 1024 })
    // Without commands of psql, and with the search path of the client that runs it.
    const lines = stdout.split('\n').filter((line) => !/^\\|set_config\('search_path'|^--/.test(line))
    write('PostgreSQL', Buffer.from(lines.join('\n')))
  } finally {
    await dropDatabase(name)
  }
}

/** Lets a cloud write rows for two users, and adds a row to each table that is empty then. */
async function fill(env: Record<string, string>): Promise<DatabaseOptions> {
  const local = await startCloud(scope, { env })
  await createUserWithData(local, 'ada@example.com')
  await createUserWithData(local, 'grace@example.com')
  await local.stop()
  const { databaseUrl, dir: dataDir } = readConfig(local.env).data
  const db = await openDatabase({ databaseUrl, dataDir })
  await fillEmptyTables(db as unknown as Kysely<never>)
  await db.destroy()
  return { databaseUrl, dataDir }
}

async function fillEmptyTables(db: Kysely<never>): Promise<void> {
  const user = await firstId(db, 'users')
  const ids: Readonly<Record<string, unknown>> = {
    user_id: user,
    app_id: await firstId(db, 'apps'),
    organization_id: await firstId(db, 'organizations'),
    incident_id: await firstId(db, 'incidents'),
  }
  for (const [table, { columns }] of await readTableShapes(db)) {
    const count = await sql<{ n: number }>`select count(*) as n from ${sql.table(table)}`.execute(db)
    if (Number(count.rows[0]?.n) > 0) continue
    const names = [...columns.keys()]
    const values = names.map(
      (name) => ids[name] ?? (/^text|char/.test(columns.get(name)?.type ?? '') ? `${name} 1` : 1),
    )
    await sql`insert into ${sql.table(table)} (${sql.join(names.map((name) => sql.ref(name)))})
      values (${sql.join(values)})`.execute(db)
    console.log(`${table}: a row that the cloud did not write`)
  }
}

async function firstId(db: Kysely<never>, table: string): Promise<unknown> {
  const { rows } = await sql<{ id: unknown }>`select id from ${sql.table(table)} order by id limit 1`.execute(
    db,
  )
  return rows[0]?.id
}

function write(name: 'SQLite' | 'PostgreSQL', content: Buffer): void {
  const file = fixtureOf(VERSION, name)
  const compressed = gzipSync(content, { level: 9 })
  writeFileSync(file, compressed)
  console.log(`${file}: ${Math.ceil(compressed.length / 1_024)} KB`)
}
