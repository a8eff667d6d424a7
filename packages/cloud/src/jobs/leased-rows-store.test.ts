import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Database } from '../db/index.ts'
import { eachDatabase } from '../db/testing.ts'
import { ExportStore } from '../features/personal-data/index.ts'
import { PhotoDeliveryStore } from '../features/photos/photo-delivery-store.ts'
import { UserStore } from '../identity/index.ts'
import { VirtualClock } from '../time/testing/virtual-clock.ts'
import { type LeasedRows, ROW_LEASE_MS } from './leased-rows-store.ts'

/** Rows of a table, created at a time, and their leases. */
interface Rows {
  readonly leases: LeasedRows<{ readonly attempts: number }>
  add(id: string, createdAt: number): Promise<unknown>
  /** Deletes the rows with their user. */
  clear(): Promise<unknown>
}

const tables: Record<string, (db: Database) => Promise<Rows>> = {
  async exports(db) {
    const { users, userId } = await addUser(db)
    const store = new ExportStore(db)
    return {
      leases: store.leases,
      add: (id, createdAt) => store.create({ id, userId, format: 'json' }, 10, createdAt),
      clear: () => users.remove(userId, 'hash', 1),
    }
  },
  async 'photo deliveries'(db) {
    const { users, userId } = await addUser(db)
    const store = new PhotoDeliveryStore(db, ['secret'])
    const delivery = { packageName: 'dev.example.a', requestId: 'r', authToken: undefined }
    return {
      leases: store.leases,
      // Added by a process that died.
      add: (id, createdAt) => {
        const photo = { id, userId, type: 'image/png', size: 7 } as const
        return store.add({ ...delivery, photo, createdAt: createdAt - ROW_LEASE_MS }, 'dead')
      },
      clear: () => users.remove(userId, 'hash', 1),
    }
  },
}

async function addUser(db: Database) {
  const users = new UserStore(db)
  const { id: userId } = await users.findOrCreate('ada@example.com', 1)
  return { users, userId }
}

for (const [name, open] of Object.entries(tables))
  describe(`leases of ${name}`, () => {
    eachDatabase((database) => {
      test('EXP-20 EXP-23 PHO-32: rows are claimed oldest first, each by one process until its lease expires', async (t) => {
        const { leases, add } = await open(await database.open(t))
        await add('b', 100_001)
        await add('a', 100_000)
        const now = 100_001
        const claims = await Promise.all(['p1', 'p2', 'p3'].map((owner) => leases.claim(owner, now)))
        const claimed = claims.filter((row) => row !== undefined)
        assert.equal(claimed.length, 2)
        const [epoch = 0] = claimed.map(({ attempts }) => attempts)
        assert.equal(await leases.claim('p4', now + ROW_LEASE_MS - 1), undefined)
        assert.equal((await leases.claim('p4', now + ROW_LEASE_MS))?.attempts, epoch + 1)
        const first = (await leases.renew('a', 'p4', now + ROW_LEASE_MS)) ? 'a' : 'b'
        assert.equal(first, 'a', 'the oldest row is claimed first')
      })

      test('EXP-23 PHO-32: a renewed lease is not taken over, and a lost one is not renewed', async (t) => {
        const { leases, add, clear } = await open(await database.open(t))
        await add('a', 100_000)
        assert.ok(await leases.claim('p1', 100_000))
        assert.equal(await leases.renew('a', 'p2', 100_000), false)
        assert.equal(await leases.renew('a', 'p1', 110_000), true)
        assert.equal(await leases.claim('p2', 109_999 + ROW_LEASE_MS), undefined)
        assert.ok(await leases.claim('p2', 110_000 + ROW_LEASE_MS))
        assert.equal(await leases.renew('a', 'p1', 110_000 + ROW_LEASE_MS), false)
        await clear()
        assert.equal(await leases.renew('a', 'p2', 110_000 + ROW_LEASE_MS), false)
        assert.equal(await leases.claim('p3', 110_000 + 2 * ROW_LEASE_MS), undefined)
      })

      test('EXP-23: a lease is kept until it is stopped; a lost one aborts the work', async (t) => {
        const { leases, add, clear } = await open(await database.open(t))
        const clock = new VirtualClock(100_000)
        await add('a', 100_000)
        assert.ok(await leases.claim('p1', clock.now()))
        const kept = leases.keep('a', 'p1', clock)
        t.after(() => kept.stop())
        /** Resolves once a renewal has run: it has scheduled the next one, unless the lease was lost. */
        const renewed = async () => {
          while (clock.pendingTimers === 0 && !kept.lost.aborted) await new Promise(setImmediate)
        }
        for (let passed = 0; passed < 3 * ROW_LEASE_MS; passed += ROW_LEASE_MS / 3) {
          clock.advance(ROW_LEASE_MS / 3)
          await renewed()
          assert.equal(await leases.claim('p2', clock.now() + ROW_LEASE_MS - 1), undefined)
        }
        await clear()
        clock.advance(ROW_LEASE_MS / 3)
        await renewed()
        assert.ok(kept.lost.aborted)
      })
    })
  })
