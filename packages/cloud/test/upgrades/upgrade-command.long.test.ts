import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { describePlan } from '../../src/cli/upgrade.ts'
import { VERSION } from '../../src/config/index.ts'
import { type Database, type DatabaseOptions, openDatabase } from '../../src/db/database.ts'
import { readDatabaseState } from '../../src/db/database-version.ts'
import { eachDatabase, sqlite, type TestDatabase } from '../../src/db/testing.ts'
import { openUnmigrated } from '../../src/db/testing-versions.ts'
import { cli, cliOf } from '../support/cli.ts'
import { type Scope, suiteScope } from '../support/scope.ts'
import { testSecret } from '../support/test-cloud.ts'
import { makeNextVersion } from './next-version.ts'

describe('cli upgrade', () => {
  const next = makeNextVersion(suiteScope())
  const nextCli = cliOf(next)

  eachDatabase((database) => {
    test('UPG-8: --check of a database of an earlier version, which does not change', async (t) => {
      const { options, db } = await databaseWithUsers(t, database)
      const before = await readDatabaseState(db)
      const { code, out, err } = await (await nextCli)(envOf(options), 'upgrade', '--check')
      assert.equal(code, 0, err)
      assert.match(out, new RegExp(`database +written by version ${VERSION}`))
      assert.match(out, new RegExp(`this program +version ${next.version}`))
      assert.match(out, /9001-next-version +\d+ ms +Adds what the next version stores\./)
      assert.match(
        out,
        /Together \d+ ms, and \d+\.\d MB more on the disk of the database\. Measured on a copy of/,
      )
      assert.match(out, /Nodes can be replaced one at a time/)
      assert.match(out, /backup/)
      assert.deepEqual(await readDatabaseState(db), before)
      assert.equal(await countUsers(db), USERS)
    })

    test('UPG-8: --check of a current database', async (t) => {
      const { options } = await databaseWithUsers(t, database)
      const { code, out } = await cli(envOf(options), 'upgrade', '--check')
      assert.equal(code, 0)
      assert.match(out, /No migrations: you can start this version, and go back by starting the earlier one/)
    })

    test('UPG-9: --dry-run of the rows as they are now, which do not change', async (t) => {
      const { options, db } = await databaseWithUsers(t, database)
      const before = await readDatabaseState(db)
      const { code, out, err } = await (await nextCli)(envOf(options), 'upgrade', '--dry-run')
      assert.equal(code, 0, err)
      assert.match(
        out,
        /was restored into a temporary SQLite database and migrated .* \d{3,} rows and their references/,
      )
      assert.deepEqual(await readDatabaseState(db), before)
    })

    test('UPG-10: upgrade applies the migrations of this version and names them', async (t) => {
      const { options, db } = await databaseWithUsers(t, database)
      const { code, out, err } = await (await nextCli)(envOf(options), 'upgrade')
      assert.equal(code, 0, err)
      assert.match(out, /9001-next-version {2}Adds what the next version stores/)
      assert.equal((await readDatabaseState(db)).version?.version, next.version)
      assert.equal(
        (await (await nextCli)(envOf(options), 'upgrade')).out,
        `The database is ready for version ${next.version}.\n`,
      )
    })

    test('UPG-2: upgrade and other commands refuse a database of a newer major version', async (t) => {
      const { options, db } = await databaseWithUsers(t, database)
      await db.updateTable('database_version').set({ version: '99.1.0', oldest_version: '99.0.0' }).execute()
      for (const command of [['upgrade'], ['upgrade', '--check'], ['user', 'list']]) {
        const { code, err } = await cli(envOf(options), ...command)
        assert.equal(code, 1)
        assert.match(
          err,
          /can be used by version 99\.0\.0 or newer; .*Start version 99\.1\.0, or restore a backup/,
        )
      }
    })

    test('BAK-8 UPG-9: a backup of an earlier version is migrated, in a dry run and when it is restored', async (t) => {
      const source = await databaseWithUsers(t, sqlite)
      const file = join(source.options.dataDir, 'backup.tar')
      const made = await cli(envOf(source.options), 'backup', '--to', file)
      assert.equal(made.code, 0, made.err)
      const dryRun = await (await nextCli)(envOf(source.options), 'upgrade', '--dry-run', file)
      assert.equal(dryRun.code, 0, dryRun.err)
      assert.match(
        dryRun.out,
        /The backup of version 1\.\d+\.\d+ was restored .* \d+ rows and their references are complete/,
      )
      const { dataDir } = await sqlite.createEmpty(t)
      const target = { ...(await database.createEmpty(t)), dataDir }
      const { code, err } = await (await nextCli)(envOf(target), 'restore', file)
      assert.equal(code, 0, err)
      const db = await openUnmigrated(target)
      t.after(() => db.destroy())
      assert.equal(await countUsers(db), USERS)
      const { rows } = await sql<object>`select email, next_version from users where id = 'user 1'`.execute(
        db,
      )
      assert.deepEqual({ ...rows[0] }, { email: 'user1@example.com', next_version: null })
    })
  })

  test('UPG-8: --check reports the age of the last backup, and a disk without space', async () => {
    const now = 100 * 3_600_000
    const plan = {
      ...{ database: undefined, version: '1.1.0', oldestVersion: '1.0.0', isRollingPossible: true },
      migrations: [{ name: '0099-x', summary: 'Adds x.' }],
      rehearsal: { durationsMs: new Map([['0099-x', 5]]), extraBytes: 50 * 1_048_576, method: 'Measured.' },
      lastBackup: { at: now - 7 * 3_600_000, place: '/backups' },
      freeBytes: 60 * 1_048_576,
    }
    assert.match(
      describePlan(plan, now),
      /That disk has 60\.0 MB free\.\nThe last good backup is 7 h old, at \/backups\.$/,
    )
    const old = { ...plan, freeBytes: 40 * 1_048_576, lastBackup: { at: 0, place: '/backups' } }
    assert.match(
      describePlan(old, now),
      /only 40\.0 MB free: the migration would fail and change nothing.*\nThe last good backup is 4 days old, at \/backups\. Make one before\.$/,
    )
    assert.match(
      describePlan({ ...plan, freeBytes: undefined, lastBackup: undefined }, now),
      /disk of the PostgreSQL server/,
    )
    assert.match(describePlan({ ...plan, isRollingPossible: false }, now), /Stop all nodes before/)
    assert.match(describePlan(plan, now), /database +new\n/)
  })

  test('UPG-10: upgrade creates no database where there is none', async (t) => {
    const { dataDir } = await sqlite.createEmpty(t)
    const { code, err } = await cli(envOf({ dataDir }), 'upgrade', '--check')
    assert.equal(code, 1)
    assert.match(err, /There is no database in .*Set DATA_DIR or DATABASE_URL/)
  })
})

const USERS = 120

/** A database of this version with users. */
async function databaseWithUsers(
  t: Scope,
  database: TestDatabase,
): Promise<{ readonly options: DatabaseOptions; readonly db: Database }> {
  const options = await database.createEmpty(t)
  const db = await openDatabase(options)
  t.after(() => db.destroy())
  const users = Array.from({ length: USERS }, (_, n) => ({
    ...{ id: `user ${n}`, email: `user${n}@example.com`, name: '', profile: '{}' },
    ...{ tokens_valid_from: 0, created_at: 1, updated_at: 1 },
  }))
  await db.insertInto('users').values(users).execute()
  return { options, db }
}

async function countUsers(db: Database): Promise<number> {
  const { n } = await db
    .selectFrom('users')
    .select(({ fn }) => fn.countAll().as('n'))
    .executeTakeFirstOrThrow()
  return Number(n)
}

function envOf({ databaseUrl, dataDir }: DatabaseOptions) {
  return {
    AUTH_SECRET: testSecret,
    DATA_DIR: dataDir,
    ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
  }
}
