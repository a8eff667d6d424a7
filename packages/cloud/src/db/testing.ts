import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe } from 'node:test'
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
  /**
   * Returns a database without rows that no other test uses until this one ends: on PostgreSQL a migrated one, which
   * later tests use again; on SQLite an empty folder.
   */
  acquire(t: TestScope): Promise<DatabaseOptions>
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
  acquire: (t) => sqlite.createEmpty(t),
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

/** Creating a PostgreSQL database is slow, so the tests of a suite share databases and delete their rows. */
function postgres(): TestDatabase {
  const pool = new PostgresPool()
  let shared: { readonly name: string; readonly db: Database } | undefined
  after(async () => {
    await pool.close()
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
    acquire: (t) => pool.acquire(t),
    async open() {
      if (!shared) {
        const name = await createDatabase()
        shared = { name, db: await openDatabase(optionsFor(name)) }
      }
      await deleteRows(shared.name)
      return shared.db
    },
  }
}

/** A migrated database, with its schema right after the migrations. */
interface PooledDatabase {
  readonly name: string
  readonly schema: string
}

/** Migrated PostgreSQL databases that the tests of a suite use one after another. */
class PostgresPool {
  readonly #idle: PooledDatabase[] = []
  #isClosed = false

  /** Returns a migrated database without rows, for the duration of a test. */
  async acquire(t: TestScope): Promise<DatabaseOptions> {
    const database = (await this.#reuse()) ?? (await this.#create())
    t.after(() => (this.#isClosed ? dropDatabase(database.name) : void this.#idle.push(database)))
    return optionsFor(database.name)
  }

  /** Drops the idle databases; those still in use are dropped at the end of their scope. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const { name } of this.#idle.splice(0)) await dropDatabase(name)
  }

  /** Takes an idle database. One whose schema a test has changed is dropped. */
  async #reuse(): Promise<PooledDatabase | undefined> {
    for (let database = this.#idle.pop(); database; database = this.#idle.pop()) {
      if ((await readSchema(database.name)) === database.schema) {
        await deleteRows(database.name)
        return database
      }
      await dropDatabase(database.name)
    }
    return undefined
  }

  async #create(): Promise<PooledDatabase> {
    const name = await createDatabase()
    await (await openDatabase(optionsFor(name))).destroy()
    return { name, schema: await readSchema(name) }
  }
}

/** Ends the connections that a stopped cloud left open, and returns a text that changes with every table, column, index and trigger. */
async function readSchema(name: string): Promise<string> {
  const rows = await runOn(
    name,
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}' and pid <> pg_backend_pid();
     select string_agg(part, ' ' order by part) as schema from (
       select concat_ws('.', c.relname, c.relkind, a.attname, a.atttypid, a.attnotnull) as part
       from pg_class c left join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
       where c.relnamespace = 'public'::regnamespace
       union all
       select concat_ws('.', tgrelid::regclass, tgname) from pg_trigger where not tgisinternal
     ) parts`,
  )
  return String(rows[0]?.schema)
}

/** Deletes all rows but those of the migrations, and the entries of the change log that this causes. */
async function deleteRows(name: string): Promise<void> {
  const tables = await runOn(
    name,
    `select quote_ident(tablename) as name from pg_tables
     where schemaname = 'public' and tablename not like 'schema_migrations%' and tablename <> 'changes'`,
  )
  await runOn(name, tables.map((table) => `delete from ${table.name}`).join(';'))
  await runOn(name, 'truncate table changes restart identity')
}

function optionsFor(name: string): DatabaseOptions {
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return { databaseUrl: url.href, dataDir: '/nonexistent' }
}

/** Commits in a test database do not wait for the disk: it need not survive a crash of the PostgreSQL server. */
async function createDatabase(): Promise<string> {
  const name = `glasses_cloud_test_${randomBytes(8).toString('hex')}`
  await runOnServer(`create database ${name} template template0`)
  await runOnServer(`alter database ${name} set synchronous_commit = off`)
  return name
}

async function dropDatabase(name: string): Promise<void> {
  await runOnServer(`drop database ${name} with (force)`)
}

const runOnServer = (statement: string) => run(serverUrl, statement)
const runOn = (name: string, statements: string) => run(optionsFor(name).databaseUrl ?? '', statements)

/** Runs statements on a separate connection; returns the rows of the last one. */
async function run(connectionString: string, statements: string): Promise<Record<string, unknown>[]> {
  // Without a server the connection is refused immediately; the timeout is for a busy machine.
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 30_000 })
  await client.connect()
  try {
    const results: pg.QueryResult | pg.QueryResult[] = await client.query(statements)
    return [results].flat().at(-1)?.rows ?? []
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
