import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { sql } from 'kysely'
import { cli } from '../../test/support/cli.ts'
import { pgbouncerMissing, startPgBouncer } from '../../test/support/pgbouncer.ts'
import { spawnCloud } from '../../test/support/test-cloud.ts'
import { waitFor } from '../../test/support/wait-for.ts'
import { AppStore } from '../features/catalogue/index.ts'
import { UserStore } from '../identity/index.ts'
import { type Database, findPoolerProblem, openDatabase, openWatchedDatabase } from './database.ts'
import { onPostgres } from './testing.ts'

const app = { packageName: 'dev.example.app', name: 'App', publicUrl: 'https://app.example.org' }

describe('behind a connection pooler', { skip: pgbouncerMissing }, () => {
  onPostgres((database) => {
    async function start(t: TestContext) {
      const { databaseUrl: directUrl = '', dataDir } = await database.createEmpty(t)
      return { directUrl, dataDir, databaseUrl: await startPgBouncer(t, directUrl) }
    }

    const settingsOf = async (db: Database) => {
      const { rows } = await sql<{ statement: string; idle: string }>`
        select current_setting('statement_timeout') as statement,
          current_setting('idle_in_transaction_session_timeout') as idle`.execute(db)
      return rows[0]
    }

    test('STO-85: migrations, limits of transactions, and no settings that others inherit', async (t) => {
      const { dataDir, databaseUrl, directUrl } = await start(t)
      const limits = { connections: 2, statementTimeoutMs: 1_234, queryTimeoutMs: 0 }
      const opened = await Promise.all([1, 2].map(() => openDatabase({ dataDir, databaseUrl, pool: limits })))
      t.after(() => Promise.all(opened.map((db) => db.destroy())))
      const [db] = opened
      assert.ok(db)
      const outside = await settingsOf(db)
      const inside = await db.transaction().execute((trx) => settingsOf(trx))
      assert.deepEqual(inside, { statement: '1234ms', idle: '5s' })
      await db
        .transaction()
        .setIsolationLevel('repeatable read')
        .execute((trx) => settingsOf(trx))
      assert.deepEqual(await settingsOf(db), outside)
      await assert.rejects(
        db.transaction().execute((trx) => sql`select pg_sleep(30)`.execute(trx)),
        /statement timeout/,
      )
      assert.match(String(await findPoolerProblem({ databaseUrl })), /set DATABASE_DIRECT_URL/)
      assert.equal(await findPoolerProblem({ databaseUrl, directUrl }), undefined)
      assert.equal(await findPoolerProblem({ databaseUrl: directUrl }), undefined)
      assert.match(
        String(await findPoolerProblem({ databaseUrl, directUrl: databaseUrl })),
        /^DATABASE_DIRECT_URL leads to a connection pooler/,
      )
    })

    for (const isDirect of [false, true])
      test(`STO-86: changes of other processes, ${isDirect ? 'with' : 'without'} DATABASE_DIRECT_URL`, async (t) => {
        const { dataDir, databaseUrl, directUrl } = await start(t)
        const options = { dataDir, databaseUrl, ...(isDirect && { directUrl }) }
        const { db, changes } = await openWatchedDatabase(options)
        const other = await openDatabase({ dataDir, databaseUrl: directUrl })
        t.after(async () => {
          await changes.close()
          await Promise.all([db.destroy(), other.destroy()])
        })
        const delivered = new Set<string>()
        changes.on('apps', (keys) => {
          for (const key of keys === 'all' ? ['all'] : keys) delivered.add(key)
        })
        const { id } = await new AppStore(other).register(app, 1)
        await waitFor('the change', () => delivered.has(id))
        // A reader sees what was committed before it asked.
        const { id: userId } = await new UserStore(other).findOrCreate('ada@example.org', 1)
        await changes.catchUp()
        assert.equal((await new UserStore(db).findByEmail('ada@example.org'))?.id, userId)
      })

    test('STO-85 STO-86: a cloud that runs its bundle says what to set, and doctor too', async (t) => {
      const { databaseUrl } = await start(t)
      const cloud = await spawnCloud(t, { env: { DATABASE_URL: databaseUrl, LOG_LEVEL: 'warn' } })
      const token = await cloud.token('ada@example.com')
      assert.equal((await cloud.request('GET', '/api/account/me', { token })).status, 200)
      const says = /^DATABASE_URL leads to a connection pooler, such as PgBouncer.*set DATABASE_DIRECT_URL/
      assert.ok(cloud.logged.some(({ msg }) => says.test(String(msg))))
      const { out } = await cli(cloud.env, 'doctor')
      assert.match(out, /note +database +DATABASE_URL leads to a connection pooler/)
      const cluster = { REDIS_URL: 'redis://127.0.0.1:9', SHARED_DATA_DIR: 'true' }
      await assert.rejects(
        spawnCloud(t, { env: { ...cloud.env, PORT: '0', ...cluster } }),
        /set DATABASE_DIRECT_URL/,
      )
    })
  })
})
