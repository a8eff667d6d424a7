import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe } from 'node:test'
import { sql } from 'kysely'
import pg from 'pg'
import { type Database, type DatabaseOptions, openDatabase } from './database.ts'

/** Registers cleanup functions: the context of `node:test`, or the scope of a harness. */
export interface TestScope {
  after(cleanUp: () => unknown): void
}

/** A database that a suite runs on. */
export interface TestDatabase {
  readonly name: 'SQLite' | 'PostgreSQL'
  /** Creates an empty folder or an empty PostgreSQL database, and removes it when the test ends. */
  createEmpty(t: TestScope): Promise<DatabaseOptions>
  /** Opens a migrated database without rows, for the duration of a test. */
  open(t: TestScope): Promise<Database>
}

/**
 * Runs a suite on SQLite and on PostgreSQL. The PostgreSQL server is `TEST_DATABASE_URL`, by default the one on this
 * machine. If it is not available, its half is skipped, or fails with `REQUIRE_SERVICES=1`.
 */
export function eachDatabase(suite: (database: TestDatabase) => void): void {
  describe('SQLite', () => suite(sqlite))
  describe('PostgreSQL', { skip: postgresMissing }, () => suite(postgres()))
}

const serverUrl = process.env.TEST_DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/test'

const sqlite: TestDatabase = {
  name: 'SQLite',
  async createEmpty(t) {
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

/** Creating a PostgreSQL database is slow, so the tests of a suite share one and delete its rows. */
function postgres(): TestDatabase {
  let shared: { readonly name: string; readonly db: Database } | undefined
  after(async () => {
    if (!shared) return
    await shared.db.destroy()
    await dropDatabase(shared.name)
  })
  return {
    name: 'PostgreSQL',
    async createEmpty(t) {
      const name = await createDatabase()
      t.after(() => dropDatabase(name))
      return optionsFor(name)
    },
    async open() {
      if (!shared) {
        const name = await createDatabase()
        shared = { name, db: await openDatabase(optionsFor(name)) }
      }
      await deleteAllRows(shared.db)
      return shared.db
    },
  }
}

async function deleteAllRows(db: Database): Promise<void> {
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
  await runOnServer(`create database ${name} template template0`)
  return name
}

async function dropDatabase(name: string): Promise<void> {
  await runOnServer(`drop database ${name} with (force)`)
}

async function runOnServer(sql: string): Promise<void> {
  // Without a server the connection is refused immediately; the timeout is for a busy machine.
  const client = new pg.Client({ connectionString: serverUrl, connectionTimeoutMillis: 30_000 })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}

/** The reason for skipping the PostgreSQL half; false if it runs. */
const postgresMissing = await runOnServer('select 1').then(
  () => false as const,
  (error: Error) => {
    if (process.env.REQUIRE_SERVICES === '1')
      throw new Error('PostgreSQL is required (REQUIRE_SERVICES=1) but does not respond', {
        cause: error,
      })
    return 'PostgreSQL does not respond; set TEST_DATABASE_URL to run this half'
  },
)

function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), 'glasses-cloud-'))
}

function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
}
