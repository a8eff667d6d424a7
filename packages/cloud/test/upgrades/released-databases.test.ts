import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Kysely, sql } from 'kysely'
import { type Database, openDatabase } from '../../src/db/database.ts'
import { readDatabaseState } from '../../src/db/database-version.ts'
import { createMigrator, THIS_PROGRAM } from '../../src/db/migrate.ts'
import type { Migration } from '../../src/db/migrations/migration.ts'
import { eachDatabase, type TestDatabase } from '../../src/db/testing.ts'
import { breakingChanges, readTableShapes } from '../../src/db/testing-schema.ts'
import { openUnmigrated } from '../../src/db/testing-versions.ts'
import { startCloud } from '../support/test-cloud.ts'
import { RELEASED_VERSIONS, restoreFixture } from './released-database.ts'

const [BASELINE = ''] = RELEASED_VERSIONS

describe('databases of released versions', () => {
  eachDatabase((database) => {
    for (const version of RELEASED_VERSIONS)
      test(`UPG-7: the database of ${version} becomes that of a new installation, with all rows`, async (t) => {
        const options = await restoreFixture(t, version, database)
        const before = await openUnmigrated(options)
        const rows = await readAll(before)
        assert.deepEqual(emptyTables(rows), [], 'the fixture has rows in every table')
        await before.destroy()

        const upgraded = await openDatabase(options)
        const fresh = await database.open(t)
        assert.deepEqual(await shapesOf(upgraded), await shapesOf(fresh))
        assert.deepEqual(await readAll(upgraded, rows), rows)
        assert.equal((await readDatabaseState(upgraded)).version?.version, THIS_PROGRAM.version)
        await upgraded.destroy()

        const env = {
          ...(options.databaseUrl && { DATABASE_URL: options.databaseUrl }),
          DATA_DIR: options.dataDir,
        }
        const cloud = await startCloud(t, {
          env: database.name === 'SQLite' ? env : { DATABASE_URL: env.DATABASE_URL },
        })
        const token = await cloud.token('ada@example.com')
        const profile = await cloud.request<{ data?: object }>('GET', '/api/account/me', { token })
        assert.equal(profile.status, 200)
        assert.match(JSON.stringify(profile.body), /London/)
      })

    test(`UPG-5 UPG-6: each migration after ${BASELINE} is additive, or declares an oldest version`, async (t) => {
      for (const [name, shapes] of await migrateOneByOne(t, database, THIS_PROGRAM.migrations)) {
        const { oldestVersion } = THIS_PROGRAM.migrations[name] ?? {}
        if (oldestVersion === undefined) assert.deepEqual(breakingChanges(...shapes), [], name)
      }
    })

    test('UPG-5: changes that break the previous release are found', async (t) => {
      const found = await migrateOneByOne(t, database, {
        ...THIS_PROGRAM.migrations,
        ...EXAMPLES[database.name],
      })
      const changes = Object.fromEntries(
        [...found]
          .filter(([name]) => name.startsWith('9'))
          .map(([name, shapes]) => [name, breakingChanges(...shapes)]),
      )
      const { '9000-additive': additive, ...breaking } = changes
      assert.deepEqual(additive, [])
      const expected: Record<string, RegExp> = {
        '9001-drop-column': /^drops or renames gallery_photos\./,
        '9002-rename-table': /^drops or renames the table onboardings$/,
        '9003-required': /^adds the required column speech_usage\.species without a default$/,
        '9004-unique': /^adds to users: unique email, name$/,
        '9005-narrow': /^changes the type of phone_reports\.created_at/,
        '9006-not-null': /^requires a value in user_sessions\.model$/,
      }
      for (const [name, found] of Object.entries(breaking))
        assert.match(found.join('; '), expected[name] ?? /^$/, name)
    })
  })
})

const run = (...statements: string[]): Migration => ({
  summary: 'Breaks something.',
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
})

const COMMON: Readonly<Record<string, Migration>> = {
  '9000-additive': run(
    'create table hats (id text primary key, user_id text not null references users (id))',
    'alter table users add column hat text',
    'alter table users add column hat_size integer not null default 3',
    'create index users_hat on users (hat)',
    'create unique index users_own_hat on users (hat)',
  ),
  '9002-rename-table': run('alter table onboardings rename to onboarding_steps'),
  '9004-unique': run('create unique index users_by_name on users (email, name)'),
}

const EXAMPLES: Readonly<Record<TestDatabase['name'], Readonly<Record<string, Migration>>>> = {
  SQLite: { ...COMMON, '9001-drop-column': run('alter table gallery_photos drop column package_name') },
  PostgreSQL: {
    ...COMMON,
    '9001-drop-column': run('alter table gallery_photos drop column package_name'),
    '9003-required': run(
      'delete from speech_usage',
      'alter table speech_usage add column species text not null',
    ),
    '9005-narrow': run(
      'delete from phone_reports',
      'alter table phone_reports alter column created_at type integer',
    ),
    '9006-not-null': run(
      'delete from user_sessions',
      'alter table user_sessions alter column model set not null',
    ),
  },
}

/** Applies the migrations after the baseline one by one; returns the shapes before and after each. */
async function migrateOneByOne(
  t: Parameters<TestDatabase['createEmpty']>[0] & Parameters<typeof restoreFixture>[0],
  database: TestDatabase,
  migrations: Readonly<Record<string, Migration>>,
) {
  const db = await openUnmigrated(await restoreFixture(t, BASELINE, database))
  t.after(() => db.destroy())
  const state = await readDatabaseState(db)
  const shapes = new Map<string, Parameters<typeof breakingChanges>>()
  let before = await shapesOf(db)
  for (const name of Object.keys(migrations)
    .filter((name) => !state.applied.includes(name))
    .sort()) {
    const known = Object.fromEntries(Object.entries(migrations).filter(([other]) => other <= name))
    const { error } = await createMigrator(
      db,
      { version: THIS_PROGRAM.version, migrations: known },
      state,
    ).migrateTo(name)
    assert.equal(error, undefined)
    const after = await shapesOf(db)
    shapes.set(name, [before, after])
    before = after
  }
  return shapes
}

const shapesOf = (db: Database) => readTableShapes(db as unknown as Kysely<never>)

type Rows = Readonly<Record<string, readonly string[]>>

/** Tables in which the program itself records its version, and measurements of nodes that start. */
const WRITTEN_BY_START = ['database_version', 'schema_migrations', 'schema_migrations_lock']

/** Reads all rows as texts, in a stable order; of the tables and columns of earlier rows, if they are given. */
async function readAll(db: Database, earlier?: Rows): Promise<Rows> {
  const read: Record<string, string[]> = {}
  for (const [table, { columns }] of await shapesOf(db)) {
    if (WRITTEN_BY_START.includes(table) || (earlier && !(table in earlier))) continue
    const names =
      earlier?.[table]?.[0] === undefined
        ? [...columns.keys()].sort()
        : Object.keys(JSON.parse(earlier[table][0]))
    const list = sql.join(names.map((name) => sql.ref(name)))
    const { rows } = await sql<object>`select ${list} from ${sql.table(table)}`.execute(db)
    read[table] = rows.map((row) => JSON.stringify(row, names)).sort()
  }
  return read
}

function emptyTables(rows: Rows): string[] {
  return Object.keys(rows).filter((table) => rows[table]?.length === 0)
}
