import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { type Kysely, sql } from 'kysely'
import { firstOfMajor, VERSION } from '../config/index.ts'
import { UserStore } from '../identity/index.ts'
import { type Database, type DatabaseOptions, openDatabase } from './database.ts'
import { type Program, readDatabaseState } from './database-version.ts'
import { migrate, THIS_PROGRAM } from './migrate.ts'
import type { Migration } from './migrations/migration.ts'
import { eachDatabase } from './testing.ts'
import { openUnmigrated } from './testing-versions.ts'

const [major = 0] = VERSION.split('.').map(Number)

const additive: Migration = {
  summary: 'Adds a column.',
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('users').addColumn('shoe_size', 'integer').execute()
  },
}

/** Returns a version of the program with further migrations. */
function programOf(version: string, migrations: Readonly<Record<string, Migration>>): Program {
  return { version, migrations: { ...THIS_PROGRAM.migrations, ...migrations } }
}

const nextMinor = programOf(`${major}.90.0`, { '9001-shoes': additive })

describe('version of the database', () => {
  eachDatabase(({ createEmpty }) => {
    test('UPG-1: the previous release uses the schema of a newer one of the same major version', async (t) => {
      const options = await createEmpty(t)
      await openWith(t, options, nextMinor)
      const db = await openDatabase(options)
      t.after(() => db.destroy())
      const user = await new UserStore(db).findOrCreate('ada@example.com', 1)
      assert.equal(user.email, 'ada@example.com')
      const { version } = await readDatabaseState(db)
      assert.equal(version?.version, nextMinor.version, 'the newest version that opened it')
      assert.equal(version?.oldestVersion, firstOfMajor(VERSION))
    })

    test('UPG-1: a fix of the previous release migrates beside the migrations of a newer one', async (t) => {
      const options = await createEmpty(t)
      await openWith(t, options, nextMinor)
      const db = await openWith(t, options, programOf(VERSION, { '9000-fix': createTable('fix') }))
      const { applied, version } = await readDatabaseState(db)
      assert.deepEqual(applied.slice(0, 2), ['9001-shoes', '9000-fix'])
      assert.equal(version?.version, nextMinor.version)
    })

    test('STO-2 UPG-2: a database of the next major version is refused, and unchanged', async (t) => {
      const options = await createEmpty(t)
      const version = `${major + 1}.0.0`
      const db = await openWith(t, options, programOf(version, { '9001-table': createTable('later') }))
      const before = await readDatabaseState(db)
      const sentence = new RegExp(
        `written by Glasses Cloud ${version} and can be used by version ${version} or newer; ` +
          `this is version ${VERSION}\\. Start version ${version}, or restore a backup made before`,
      )
      await assert.rejects(openDatabase(options), sentence)
      assert.deepEqual(await readDatabaseState(db), before)
    })

    test('UPG-2 UPG-6: a migration that declares an oldest version shuts earlier ones out', async (t) => {
      const options = await createEmpty(t)
      const breaking = { ...createTable('later'), oldestVersion: `${major}.90.0` }
      await openWith(t, options, programOf(`${major}.91.0`, { '9001-breaking': breaking }))
      await assert.rejects(
        openDatabase(options),
        new RegExp(`can be used by version ${major}.90.0 or newer; .* Start version ${major}.91.0,`),
      )
      await openWith(t, options, programOf(`${major}.90.3`, {}))
    })

    test('UPG-13: a migration that excludes a version waits until no process of it runs', async (t) => {
      const options = await createEmpty(t)
      const running = await openUnmigrated(options)
      await migrate(running, THIS_PROGRAM)
      const next = programOf(`${major + 1}.0.0`, { '9001-table': createTable('later') })
      const db = await openUnmigrated(options)
      t.after(() => db.destroy())
      const before = await readDatabaseState(db)
      await assert.rejects(
        migrate(db, next),
        /and (a process of version .*|another process) uses it now\. Stop all nodes/,
      )
      assert.deepEqual(await readDatabaseState(db), before)
      // An additive migration does not wait.
      await migrate(db, programOf(`${major}.90.0`, { '9000-additive': createTable('additive') }))
      await running.destroy()
      await migrate(db, next)
      assert.equal((await readDatabaseState(db)).version?.oldestVersion, next.version)
      // Other processes of the new version can open it.
      const other = await openUnmigrated(options)
      t.after(() => other.destroy())
      await migrate(other, next)
    })

    test('UPG-3: the version is recorded with the migrations of a new database, and by newer versions', async (t) => {
      const options = await createEmpty(t)
      const startedAt = Date.now()
      const db = await openWith(t, options, THIS_PROGRAM)
      const first = (await readDatabaseState(db)).version
      assert.equal(first?.version, VERSION)
      assert.ok((first?.writtenAt ?? 0) >= startedAt)
      await openWith(t, options, THIS_PROGRAM)
      assert.deepEqual((await readDatabaseState(db)).version, first)
      await openWith(t, options, programOf(`${major}.89.0`, {}))
      assert.equal((await readDatabaseState(db)).version?.version, `${major}.89.0`)
    })

    test('UPG-4: a migration that fails changes neither the schema nor the version', async (t) => {
      const options = await createEmpty(t)
      const db = await openWith(t, options, THIS_PROGRAM)
      const before = await readDatabaseState(db)
      const failing: Migration = {
        summary: 'Fails.',
        async up(trx: Kysely<unknown>) {
          await createTable('half').up(trx)
          throw new Error('the disk is full')
        },
      }
      const broken = programOf(`${major}.90.0`, { '9001-shoes': additive, '9002-failing': failing })
      await assert.rejects(migrate(db, broken), /the disk is full/)
      assert.deepEqual(await readDatabaseState(db), before)
      await assert.rejects(sql`select * from half`.execute(db))
      await assert.rejects(sql`select shoe_size from users`.execute(db))
    })
  })
})

function createTable(name: string): Migration {
  return {
    summary: 'Creates a table.',
    async up(db: Kysely<unknown>) {
      await db.schema.createTable(name).addColumn('id', 'text').execute()
    },
  }
}

/** Opens a database as a version of the program does. */
async function openWith(t: TestContext, options: DatabaseOptions, program: Program): Promise<Database> {
  const db = await openUnmigrated(options)
  t.after(() => db.destroy())
  await migrate(db, program)
  return db
}
