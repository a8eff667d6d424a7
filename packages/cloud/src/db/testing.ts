import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe } from 'node:test'
import { skipIfMissing } from '../../test/support/optional-part.ts'
import { type Database, type DatabaseOptions, openDatabase } from './database.ts'
import {
  createDatabase,
  deleteRows,
  dropDatabase,
  optionsFor,
  PostgresPool,
  runOn,
  runOnServer,
} from './testing-postgres.ts'
import { createMigratedSqlite } from './testing-sqlite.ts'

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
   * later tests use again.
   */
  acquire(t: TestScope): Promise<DatabaseOptions>
  /** Opens a migrated database without rows, for the duration of a test. */
  open(t: TestScope): Promise<Database>
}

/** Whether suites run on PostgreSQL alone, where they have run on SQLite before: continuous integration. */
const postgresAlone = process.env.TEST_DATABASE === 'postgres'

/**
 * Runs a suite on SQLite and on PostgreSQL. The PostgreSQL server is `TEST_DATABASE_URL`, by default the one on this
 * machine. If it is not available, its half is skipped, or fails with `REQUIRE_SERVICES=1`.
 */
export function eachDatabase(suite: (database: TestDatabase) => void): void {
  if (!postgresAlone) describe('SQLite', () => suite(sqlite))
  onPostgres(suite)
}

/**
 * Runs a suite on SQLite, or on PostgreSQL with `TEST_DATABASE=postgres`: for tests over HTTP of what the suites of the
 * stores prove on both.
 */
export function eitherDatabase(suite: (database: TestDatabase) => void): void {
  if (postgresAlone) onPostgres(suite)
  else describe('SQLite', () => suite(sqlite))
}

/** Runs a suite on PostgreSQL only; skipped like the PostgreSQL half of `eachDatabase`. */
export function onPostgres(
  suite: (database: TestDatabase) => void,
  options: { readonly concurrency?: number } = {},
): void {
  describe('PostgreSQL', { skip: postgresMissing, ...options }, () => suite(postgres()))
}

export const sqlite: TestDatabase = {
  name: 'SQLite',
  async createEmpty(t) {
    const dataDir = temporaryFolder()
    t.after(() => removeFolder(dataDir))
    return { dataDir }
  },
  async acquire(t) {
    const place = await sqlite.createEmpty(t)
    await createMigratedSqlite(place.dataDir)
    return place
  },
  async open(t) {
    const dataDir = temporaryFolder()
    await createMigratedSqlite(dataDir)
    const db = await openDatabase({ dataDir })
    t.after(async () => {
      await db.destroy()
      removeFolder(dataDir)
    })
    return db
  },
}

/** Creating a PostgreSQL database is slow, so tests share databases and delete their rows. */
function postgres(): TestDatabase {
  const pool = new PostgresPool()
  let shared: Promise<{ readonly name: string; readonly db: Database }> | undefined
  const openShared = async () => {
    const name = await pool.claim()
    return { name, db: await openDatabase(optionsFor(name)) }
  }
  after(async () => {
    const opened = await shared?.catch(() => undefined)
    await opened?.db.destroy()
    if (opened) await pool.release(opened.name)
    await pool.close()
  })
  return {
    name: 'PostgreSQL',
    async createEmpty(t) {
      const name = await createDatabase()
      t.after(() => dropDatabase(name))
      return optionsFor(name)
    },
    async acquire(t) {
      const name = await pool.claim()
      t.after(() => pool.release(name))
      return optionsFor(name)
    },
    async open() {
      if (shared) await runOn((await shared).name, deleteRows)
      else shared = openShared()
      return (await shared).db
    },
  }
}

/** The reason for skipping the PostgreSQL half; false if it runs. */
const postgresMissing = await runOnServer('select 1').then(
  () => false as const,
  (cause: Error) =>
    skipIfMissing(
      'PostgreSQL does not respond (apt-get install postgresql, or set TEST_DATABASE_URL)',
      cause,
    ),
)

function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), 'glasses-cloud-'))
}

function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
}
