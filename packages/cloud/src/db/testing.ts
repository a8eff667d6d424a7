import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe } from 'node:test'
import { sql } from 'kysely'
import pg from 'pg'
import { type Database, type DatabaseOptions, openDatabase } from './database.ts'

/** What the end of a test can be waited with: the context of `node:test`, or a harness's own. */
export interface Lifetime {
  after(cleanUp: () => unknown): void
}

/** One of the databases a suite runs on. */
export interface TestDatabase {
  readonly name: 'SQLite' | 'PostgreSQL'
  /** An empty place for a database: a folder, or a database of its own. Gone when the test ends. */
  place(t: Lifetime): Promise<DatabaseOptions>
  /** An open database with all its tables and no rows, for the duration of a test. */
  open(t: Lifetime): Promise<Database>
}

/**
 * Runs a suite on SQLite and on PostgreSQL. PostgreSQL is the server of `TEST_DATABASE_URL`, or the one on this
 * machine; without one its half is skipped, or fails where `REQUIRE_SERVICES=1` says that it must be there.
 */
export function eachDatabase(suite: (database: TestDatabase) => void): void {
  describe('SQLite', () => suite(sqlite))
  describe('PostgreSQL', { skip: postgresMissing }, () => suite(postgres()))
}

const serverUrl = process.env.TEST_DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/test'

const sqlite: TestDatabase = {
  name: 'SQLite',
  async place(t) {
    const dataDir = temporaryFolder()
    t.after(() => removeFolder(dataDir))
    return { dataDir }
  },
  async open(t) {
    const dataDir = temporaryFolder()
    const db = await openDatabase({ dataDir })
    t.after(async () => {
      await db.destroy()
      removeFolder(dataDir)
    })
    return db
  },
}

/** Making a database takes PostgreSQL long; the tests of one suite empty and use the same one, in turn. */
function postgres(): TestDatabase {
  let shared: { readonly name: string; readonly db: Database } | undefined
  after(async () => {
    if (!shared) return
    await shared.db.destroy()
    await dropDatabase(shared.name)
  })
  return {
    name: 'PostgreSQL',
    async place(t) {
      const name = await createDatabase()
      t.after(() => dropDatabase(name))
      return optionsFor(name)
    },
    async open() {
      if (!shared) {
        const name = await createDatabase()
        shared = { name, db: await openDatabase(optionsFor(name)) }
      }
      await empty(shared.db)
      return shared.db
    },
  }
}

async function empty(db: Database): Promise<void> {
  const tables = await db.introspection.getTables()
  const rows = tables.map(({ name }) => name).filter((name) => !name.startsWith('schema_migrations'))
  for (const table of rows) await sql`delete from ${sql.table(table)}`.execute(db)
}

function optionsFor(name: string): DatabaseOptions {
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return { databaseUrl: url.href, dataDir: '/nonexistent' }
}

async function createDatabase(): Promise<string> {
  const name = `glasses_cloud_test_${randomBytes(8).toString('hex')}`
  await onServer(`create database ${name} template template0`)
  return name
}

async function dropDatabase(name: string): Promise<void> {
  await onServer(`drop database ${name} with (force)`)
}

async function onServer(sql: string): Promise<void> {
  // Where there is no server the refusal comes at once; a busy machine may keep one waiting.
  const client = new pg.Client({ connectionString: serverUrl, connectionTimeoutMillis: 30_000 })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}

/** Why the PostgreSQL half is skipped; false when it runs. */
const postgresMissing = await onServer('select 1').then(
  () => false as const,
  (error: Error) => {
    if (process.env.REQUIRE_SERVICES === '1')
      throw new Error('PostgreSQL is required here (REQUIRE_SERVICES=1) and does not answer', {
        cause: error,
      })
    return 'PostgreSQL does not answer; set TEST_DATABASE_URL to run this half'
  },
)

function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), 'glasses-cloud-'))
}

function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
}
