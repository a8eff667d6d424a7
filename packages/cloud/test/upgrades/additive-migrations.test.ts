import assert from 'node:assert/strict'
import { dirname, join } from 'node:path'
import { describe, test } from 'node:test'
import { type Kysely, sql } from 'kysely'
import { readConfig } from '../../src/config/index.ts'
import type { Database } from '../../src/db/database.ts'
import { readDatabaseState } from '../../src/db/database-version.ts'
import { BASE } from '../../src/db/former-migrations.ts'
import { createMigrator, migrate, THIS_PROGRAM } from '../../src/db/migrate.ts'
import type { Migration } from '../../src/db/migrations/migration.ts'
import { eachDatabase, type TestDatabase } from '../../src/db/testing.ts'
import { breakingChanges, readTableShapes } from '../../src/db/testing-schema.ts'
import { openUnmigrated } from '../../src/db/testing-versions.ts'
import { type Scope, suiteScope } from '../support/scope.ts'
import { startCloud } from '../support/test-cloud.ts'
import { createUserWithData } from '../support/user-data.ts'
import { makeNextVersion } from './next-version.ts'

describe('migrations', () => {
  const next = makeNextVersion(suiteScope())

  eachDatabase((database) => {
    test('UPG-7: the database of an earlier version becomes that of a new installation, with all rows', async (t) => {
      const { migrate: migrateToNext }: { migrate: typeof migrate } = await import(
        join(dirname(next.main), 'db/migrate.ts')
      )
      const earlier = await startCloud(t, { database })
      await createUserWithData(earlier, 'ada@example.com')
      await createUserWithData(earlier, 'grace@example.com')
      await earlier.stop()
      const { databaseUrl, dir: dataDir } = readConfig(earlier.env).data
      const upgraded = await openUnmigrated({ databaseUrl, dataDir })
      await fillEmptyTables(upgraded as unknown as Kysely<never>)
      const rows = await readAll(upgraded)
      assert.deepEqual(emptyTables(rows), [], 'there are rows in every table')
      await migrateToNext(upgraded)
      const fresh = await openUnmigrated(await database.createEmpty(t))
      await migrateToNext(fresh)
      assert.deepEqual(await shapesOf(upgraded), await shapesOf(fresh))
      assert.deepEqual(await readAll(upgraded, rows), rows)
      assert.equal((await readDatabaseState(upgraded)).version?.version, next.version)
      // The cloud cannot read this row, which it did not write.
      await upgraded.deleteFrom('speech_models').execute()
      await fresh.destroy()
      await upgraded.destroy()

      // The way back.
      const cloud = await startCloud(t, { env: earlier.env })
      const token = await cloud.token('ada@example.com')
      const profile = await cloud.request<{ data?: object }>('GET', '/api/account/me', { token })
      assert.equal(profile.status, 200)
      assert.match(JSON.stringify(profile.body), /London/)
    })

    test('UPG-5 UPG-6: each migration after the base is additive, or declares an oldest version', async (t) => {
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

/** Applies the migrations after the base one by one; returns the shapes before and after each. */
async function migrateOneByOne(
  t: Scope,
  database: TestDatabase,
  migrations: Readonly<Record<string, Migration>>,
) {
  const db = await openUnmigrated(await database.createEmpty(t))
  t.after(() => db.destroy())
  const {
    version,
    migrations: { [BASE]: base },
  } = THIS_PROGRAM
  assert.ok(base)
  await migrate(db, { version, migrations: { [BASE]: base } })
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

/** Adds a row to each table that is empty. */
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
  }
}

async function firstId(db: Kysely<never>, table: string): Promise<unknown> {
  const { rows } = await sql<{ id: unknown }>`select id from ${sql.table(table)} order by id limit 1`.execute(
    db,
  )
  return rows[0]?.id
}

function emptyTables(rows: Rows): string[] {
  return Object.keys(rows).filter((table) => rows[table]?.length === 0)
}
