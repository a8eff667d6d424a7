import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { describePlan } from '../../src/cli/upgrade.ts'
import { VERSION } from '../../src/config/index.ts'
import type { DatabaseOptions } from '../../src/db/database.ts'
import { readDatabaseState } from '../../src/db/database-version.ts'
import { eachDatabase, sqlite } from '../../src/db/testing.ts'
import { openAt, openUnmigrated } from '../../src/db/testing-versions.ts'
import { cli } from '../support/cli.ts'
import { testSecret } from '../support/test-cloud.ts'
import { restoreFixture } from './released-database.ts'

describe('cli upgrade', () => {
  eachDatabase((database) => {
    test('UPG-8: --check of a database of an earlier version, which does not change', async (t) => {
      const options = await database.createEmpty(t)
      const db = await openAt('0036-proofs', options)
      t.after(() => db.destroy())
      await sql`insert into users (id, email, name, profile, created_at, updated_at) values ('ada', 'ada@example.com', '', '{}', 1, 1)`.execute(
        db,
      )
      const before = await readDatabaseState(db)
      const { code, out, err } = await cli(envOf(options), 'upgrade', '--check')
      assert.equal(code, 0, err)
      assert.match(out, /database +written before version 1\.0\.0/)
      assert.match(out, new RegExp(`this program +version ${VERSION}`))
      assert.match(
        out,
        /0038-events +\d+ ms +Creates events of nodes and apps, and the model of the glasses of sessions\./,
      )
      assert.match(
        out,
        /Together \d+ ms, and \d+\.\d MB more on the disk of the database\. Measured on a copy of/,
      )
      assert.match(out, /Stop all nodes before/)
      assert.match(out, /backup/)
      assert.deepEqual(await readDatabaseState(db), before)
      const { rows } = await sql<{ n: number }>`select count(*) as n from users`.execute(db)
      assert.equal(Number(rows[0]?.n), 1)
    })

    test('UPG-8: --check of a current database', async (t) => {
      const options = await restoreFixture(t, '1.0.0', database)
      await cli(envOf(options), 'upgrade')
      const { code, out } = await cli(envOf(options), 'upgrade', '--check')
      assert.equal(code, 0)
      assert.match(out, /No migrations: you can start this version, and go back by starting the earlier one/)
    })

    test('UPG-9: --dry-run of the rows as they are now, which do not change', async (t) => {
      const options = await restoreFixture(t, '1.0.0', database)
      const db = await openUnmigrated(options)
      t.after(() => db.destroy())
      const before = await readDatabaseState(db)
      const { code, out, err } = await cli(envOf(options), 'upgrade', '--dry-run')
      assert.equal(code, 0, err)
      assert.match(
        out,
        /was restored into a temporary SQLite database and migrated .* \d{3,} rows and their references/,
      )
      assert.deepEqual(await readDatabaseState(db), before)
    })

    test('UPG-10: upgrade applies the migrations of this version and names them', async (t) => {
      const options = await database.createEmpty(t)
      await (await openAt('0036-proofs', options)).destroy()
      const { code, out, err } = await cli(envOf(options), 'upgrade')
      assert.equal(code, 0, err)
      assert.match(out, /0038-events {2}Creates events/)
      const db = await openUnmigrated(options)
      t.after(() => db.destroy())
      assert.equal((await readDatabaseState(db)).version?.version, VERSION)
      assert.equal(
        (await cli(envOf(options), 'upgrade')).out,
        `The database is ready for version ${VERSION}.\n`,
      )
    })

    test('UPG-2: upgrade and other commands refuse a database of a newer major version', async (t) => {
      const options = await restoreFixture(t, '1.0.0', database)
      const db = await openUnmigrated(options)
      t.after(() => db.destroy())
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
  })

  test('UPG-9: --dry-run restores a backup into a temporary database and migrates that', async (t) => {
    const options = await restoreFixture(t, '1.0.0', sqlite)
    await cli(envOf(options), 'upgrade')
    const file = join(options.dataDir, 'backup.tar')
    const made = await cli(envOf(options), 'backup', '--to', file)
    assert.equal(made.code, 0, made.err)
    const { code, out, err } = await cli(envOf(options), 'upgrade', '--dry-run', file)
    assert.equal(code, 0, err)
    assert.match(
      out,
      /The backup of version 1\.\d+\.\d+ was restored .* \d+ rows and their references are complete/,
    )
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
  })

  test('UPG-10: upgrade creates no database where there is none', async (t) => {
    const { dataDir } = await sqlite.createEmpty(t)
    const { code, err } = await cli(envOf({ dataDir }), 'upgrade', '--check')
    assert.equal(code, 1)
    assert.match(err, /There is no database in .*Set DATA_DIR or DATABASE_URL/)
  })
})

function envOf({ databaseUrl, dataDir }: DatabaseOptions) {
  return {
    AUTH_SECRET: testSecret,
    DATA_DIR: dataDir,
    ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
  }
}
