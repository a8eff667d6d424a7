import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { waitFor } from '../../test/support/wait-for.ts'
import { AppStore, InstallStore } from '../features/catalogue/index.ts'
import { UserStore } from '../identity/index.ts'
import type { ChangedKeys, ChangeFeed, ChangeTopic } from './change-feed.ts'
import { openDatabase, openWatchedDatabase } from './database.ts'
import { RowCache } from './row-cache.ts'
import { eachDatabase, type TestDatabase, type TestScope } from './testing.ts'

const app = { packageName: 'dev.example.app', name: 'App', publicUrl: 'https://app.example.org' }

/** Opens a watched database, and a second connection in the place of another process. */
async function openTwice(t: TestScope, database: TestDatabase) {
  const place = await database.createEmpty(t)
  const { db, changes } = await openWatchedDatabase(place)
  const other = await openDatabase(place)
  t.after(async () => {
    await changes.close()
    await Promise.all([db.destroy(), other.destroy()])
  })
  return { db, changes, other }
}

/** Records the keys that a topic delivers, each once. `next` waits for a delivery, reading the log repeatedly. */
function record(changes: ChangeFeed, topic: ChangeTopic) {
  const delivered = new Set<string>()
  changes.on(topic, (keys: ChangedKeys) => {
    for (const key of keys === 'all' ? ['all'] : keys) delivered.add(key)
  })
  return {
    keys: () => [...delivered],
    clear: () => delivered.clear(),
    async next(): Promise<string[]> {
      const deadline = performance.now() + 20_000
      while (delivered.size === 0) {
        assert.ok(performance.now() < deadline, `no change of ${topic} was delivered`)
        await changes.catchUp()
        await new Promise(setImmediate)
      }
      return [...delivered]
    },
  }
}

describe('change feed', () => {
  eachDatabase((database) => {
    test('a write of this process is delivered by the next catch-up', async (t) => {
      const { db, changes } = await openTwice(t, database)
      const apps = record(changes, 'apps')
      const { id } = await new AppStore(db).register(app, 1)
      await changes.catchUp()
      assert.deepEqual(apps.keys(), [id])
    })

    test('a transaction is delivered when it is committed, and not at all when it fails', async (t) => {
      const { db, changes } = await openTwice(t, database)
      const users = new UserStore(db)
      const { id } = await users.findOrCreate('ada@example.org', 1)
      await changes.catchUp()
      const recorded = record(changes, 'users')
      await assert.rejects(
        db.transaction().execute(async (trx) => {
          await trx.updateTable('users').set({ name: 'Eve' }).where('id', '=', id).execute()
          throw new Error('rolled back')
        }),
      )
      await changes.catchUp()
      assert.deepEqual(recorded.keys(), [])
      await db.transaction().execute(async (trx) => {
        await trx.updateTable('users').set({ name: 'Ada' }).where('id', '=', id).execute()
        await changes.catchUp()
        assert.deepEqual(recorded.keys(), [], 'nothing before the commit')
      })
      await changes.catchUp()
      assert.deepEqual(recorded.keys(), [id])
    })

    test('a write of another process is delivered', async (t) => {
      const { changes, other } = await openTwice(t, database)
      const apps = record(changes, 'apps')
      const { id } = await new AppStore(other).register(app, 1)
      assert.deepEqual(await apps.next(), [id])
    })

    test('changes are delivered while the connection for notifications is lost', async (t) => {
      const { db, changes, other } = await openTwice(t, database)
      if (database.name === 'PostgreSQL') {
        await sql`select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and application_name = 'glasses-cloud-changes'`.execute(db)
      }
      const apps = record(changes, 'apps')
      for (const packageName of ['dev.example.first', 'dev.example.second']) {
        const { id } = await new AppStore(other).register({ ...app, packageName }, 1)
        const keys = await apps.next()
        assert.ok(keys.includes(id) || keys.includes('all'))
        apps.clear()
      }
    })

    // SQLite has no fail-over.
    if (database.name === 'PostgreSQL')
      test('STO-66: after the connection for notifications was lost, all rows count as changed', async (t) => {
        const { db, changes, other } = await openTwice(t, database)
        const users = new UserStore(other)
        const recorded = record(changes, 'users')
        const { id } = await users.findOrCreate('ada@example.org', 1)
        await recorded.next()
        recorded.clear()
        const cache = new RowCache<string>({ changes, topic: 'users', maxEntries: 10 })
        const nameOf = () => cache.get(id, async () => (await users.findById(id))?.name ?? 'none')
        const rename = (name: string) => sql`update users set name = ${name} where id = ${id}`
        await rename('Lost').execute(other)
        // A late delivery would empty the cache.
        await recorded.next()
        assert.equal(await nameOf(), 'Lost')
        // A new primary that never had the transaction: the row is as before, and the log has no entry of it.
        await sql`alter table users disable trigger user`.execute(other)
        await rename('Ada').execute(other)
        await sql`alter table users enable trigger user`.execute(other)
        await changes.catchUp()
        assert.equal(await nameOf(), 'Lost', 'cached')
        await sql`select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and application_name = 'glasses-cloud-changes'`.execute(db)
        // Also without a reader.
        await waitFor('a delivery of all users', () => recorded.keys().includes('all'))
        assert.equal(await nameOf(), 'Ada')
      })

    test('health of a server is a topic of its own, and unchanged rows are not delivered', async (t) => {
      const { db, changes } = await openTwice(t, database)
      const store = new AppStore(db)
      const { id } = await store.register(app, 1)
      const { id: userId } = await new UserStore(db).findOrCreate('ada@example.org', 1)
      await changes.catchUp()
      const [apps, health, users] = (['apps', 'app_health', 'users'] as const).map((topic) =>
        record(changes, topic),
      )
      await store.markUnreachable(app.packageName, 5)
      await db.updateTable('users').set({ created_at: 1 }).where('id', '=', userId).execute()
      await changes.catchUp()
      assert.deepEqual(
        [apps, health, users].map((topic) => topic?.keys()),
        [[], [id], []],
      )
    })

    test('STO-65: the log contains no id of a deleted user', async (t) => {
      const { db, changes } = await openTwice(t, database)
      const users = new UserStore(db)
      const { id } = await users.findOrCreate('ada@example.org', 1)
      await users.update(id, { name: 'Ada' }, 2)
      const { id: appId } = await new AppStore(db).register(app, 1)
      await new InstallStore(db).install(id, appId, 1)
      await changes.catchUp()
      const recorded = record(changes, 'users')
      await users.remove(id, 'hash', 3)
      await changes.catchUp()
      assert.deepEqual(recorded.keys(), ['all'])
      const rows = await db.selectFrom('changes').select('key').where('key', '=', id).execute()
      assert.deepEqual(rows, [])
    })
  })
})
