import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { sql } from 'kysely'
import type { Database } from '../db/index.ts'
import { eachDatabase, onPostgres, type TestDatabase } from '../db/testing.ts'
import { AppStore } from '../features/catalogue/index.ts'
import { UserStore } from '../identity/index.ts'
import { NodeLeaseStore } from '../nodes/node-lease-store.ts'
import { RunningAppStore } from './running-app-store.ts'
import { UserSessionStore } from './user-session-store.ts'

const PACKAGE = 'dev.example.app'
const stale = { name: 'StaleEpochError' }

describe('user sessions', () => {
  eachDatabase(({ open }) => {
    test('a user keeps one session id until the session ends', async (t) => {
      const db = await open(t)
      const sessions = new UserSessionStore(db)
      const ada = await new UserStore(db).findOrCreate('ada@example.com', 1)
      const claims = Array.from({ length: 10 }, (_, n) => sessions.claim(ada.id, `s${n}`, n))
      const ids = new Set(await Promise.all(claims))
      assert.equal(ids.size, 1)
      const [id = ''] = ids
      assert.equal(await sessions.claim(ada.id, 'later', 20), id)
      assert.equal(await sessions.findById(id), ada.id)
      assert.equal(await sessions.findById('later'), undefined)
      assert.equal(await sessions.end(id), true)
      assert.equal(await sessions.end(id), false)
      assert.equal(await sessions.findById(id), undefined)
      assert.equal(await sessions.claim(ada.id, 'later', 21), 'later')
      await assert.rejects(sessions.claim('nobody', 'x', 1))
    })

    test('NODE-41: only the owner of the current epoch writes, and its writes are stored as a whole or not at all', async (t) => {
      const { sessions, running, userId } = await rig(t, open)
      assert.equal(await sessions.create(userId, 's1', 'a.1', 1), true)
      assert.equal(await sessions.create(userId, 's2', 'b.1', 1), false)
      const write = (epoch: number, id = 's1') =>
        sessions.fenced(id, epoch, (transaction) =>
          running.setRunning(userId, PACKAGE, 10 + epoch, transaction),
        )
      const stored = async () => (await running.runningOf(userId)).map(({ since }) => since)
      await write(1)
      const place = await sessions.locate(userId)
      assert(place)
      assert.equal(await sessions.takeOver(place, 'b.1'), true)
      // Another epoch writes nothing, gives nothing up and ends nothing.
      for (const epoch of [1, 3]) {
        await assert.rejects(write(epoch), stale)
        await sessions.release('s1', epoch)
        assert.equal(await sessions.end('s1', epoch), false)
      }
      assert.equal(await sessions.takeOver(place, 'a.1'), false)
      assert.deepEqual(await sessions.locateById('s1'), { ...place, owner: 'b.1', epoch: 2 })
      assert.deepEqual(await stored(), [11])
      const failing = sessions.fenced('s1', 2, async (transaction) => {
        await running.clearRunning(userId, PACKAGE, transaction)
        throw new Error('after the write')
      })
      await assert.rejects(failing, /after the write/)
      assert.deepEqual(await stored(), [11])
      await write(2)
      assert.deepEqual(await stored(), [12])
      assert.equal(await sessions.end('s1', 2), true)
      for (const epoch of [1, 2]) await assert.rejects(write(epoch), stale)
      await assert.rejects(write(1, 'unknown'), stale)
      assert.deepEqual(await stored(), [12])
    })

    test('NODE-40: of several nodes one takes over a session, and none while the lease of its owner is valid', async (t) => {
      const { db, sessions, userId } = await rig(t, open)
      const leases = new NodeLeaseStore(db)
      await sessions.create(userId, 's1', 'a.1', 1)
      const place = await sessions.locate(userId)
      assert(place)
      await leases.renew('a.1', 60_000)
      assert.equal(await sessions.takeOver(place, 'b.1'), false)
      await leases.release('a.1')
      const attempts = ['b.1', 'c.1', 'd.1'].map((holder) => sessions.takeOver(place, holder))
      assert.equal((await Promise.all(attempts)).filter(Boolean).length, 1)
      assert.equal((await sessions.locate(userId))?.epoch, 2)
    })
  })

  onPostgres(({ open }) => {
    test('NODE-41: a take-over waits for writes that have begun, but not for a node that is silent', async (t) => {
      const { db, sessions, running, userId } = await rig(t, open)
      await sessions.create(userId, 's1', 'a.1', 1)
      const place = await sessions.locate(userId)
      assert(place)
      const [begun, resumed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const write = sessions.fenced('s1', 1, async (transaction) => {
        begun.resolve()
        await resumed.promise
        await running.setRunning(userId, PACKAGE, 1, transaction)
      })
      await begun.promise
      const takeOver = sessions.takeOver(place, 'b.1').then(async (isTaken) => {
        assert.equal((await running.runningOf(userId)).length, 1, 'the write was stored before')
        return isTaken
      })
      await untilQueryWaits(db)
      resumed.resolve()
      assert.equal(await takeOver, true)
      await write
      // The next owner freezes while it writes.
      const [frozen, thawed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const silent = sessions.fenced('s1', 2, async (transaction) => {
        frozen.resolve()
        await thawed.promise
        await running.clearRunning(userId, PACKAGE, transaction)
      })
      await frozen.promise
      assert.equal(await sessions.takeOver({ ...place, owner: 'b.1', epoch: 2 }, 'c.1'), true)
      thawed.resolve()
      await assert.rejects(silent)
      assert.equal((await running.runningOf(userId)).length, 1)
    })
  })
})

async function rig(t: TestContext, open: TestDatabase['open']) {
  const db = await open(t)
  const sessions = new UserSessionStore(db)
  const running = new RunningAppStore(db)
  const { id: userId } = await new UserStore(db).findOrCreate('ada@example.com', 1)
  await new AppStore(db).register({ packageName: PACKAGE, name: 'A', publicUrl: 'https://a.example.org' }, 1)
  return { db, sessions, running, userId }
}

/** Resolves once a query waits for a lock. */
async function untilQueryWaits(db: Database): Promise<void> {
  const waiting = sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  while ((await waiting.execute(db)).rows.length === 0) await new Promise(setImmediate)
}
