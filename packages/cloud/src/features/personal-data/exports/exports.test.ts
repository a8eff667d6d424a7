import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { pino } from 'pino'
import { openFolderBlobStore } from '../../../blobs/folder-blob-store.ts'
import { MemoryExchange, MessageBus } from '../../../bus/index.ts'
import type { Database } from '../../../db/index.ts'
import { eachDatabase } from '../../../db/testing.ts'
import { UserStore } from '../../../identity/index.ts'
import { JobRunStore, ROW_LEASE_MS } from '../../../jobs/index.ts'
import type { ExportSection } from '../../../personal-data.ts'
import { VirtualClock } from '../../../time/testing/virtual-clock.ts'
import { ExportStore } from './export-store.ts'
import { Exports } from './exports.ts'

/** Creates a section that blocks in the middle until it is released. */
function blockingSection() {
  const entered = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const section: ExportSection = {
    name: 'blocking',
    async *facts() {
      yield { key: 'first', value: 1 }
      entered.resolve()
      await released.promise
      yield { key: 'second', value: 2 }
    },
  }
  return { section, entered: entered.promise, release: () => released.resolve() }
}

async function setUp(t: TestContext, db: Database) {
  const folder = await mkdtemp(join(tmpdir(), 'glasses-cloud-exports-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const blobs = await openFolderBlobStore(folder)
  const users = new UserStore(db)
  const store = new ExportStore(db)
  const { id: userId } = await users.findOrCreate('ada@example.com', 1)
  return {
    users,
    store,
    userId,
    /** Creates the exports of one process. */
    process(clock: VirtualClock, section: ExportSection, exchange = new MemoryExchange()): Exports {
      const log = pino({ level: 'silent' })
      const bus = new MessageBus(exchange.connect())
      const runs = new JobRunStore(db)
      const exports = new Exports({ store, blobs, bus, users, sections: [section], runs, clock, log })
      t.after(() => exports.stop())
      return exports
    },
    /** Reads the file of an export as text. */
    async file(id: string): Promise<string | undefined> {
      const found = await store.find(id)
      const blob = found && (await blobs.get(`exports/${id}.${found.attempts}`))
      return blob && Buffer.concat(await blob.stream.toArray()).toString()
    },
    async files(): Promise<string[]> {
      const keys: string[] = []
      for await (const { key } of blobs.list('')) keys.push(key)
      return keys
    },
  }
}

/** Requests an export from a process, which starts it immediately. */
async function requestExport(exports: Exports, userId: string): Promise<string> {
  const created = await exports.request(userId, 'json')
  assert.ok(created)
  return created.id
}

const POLL_INTERVAL_MS = 15_000

describe('exports', () => {
  eachDatabase(({ open }) => {
    test('SHARE-20: two exports on two nodes', async (t) => {
      const { process, store, userId } = await setUp(t, await open(t))
      const clock = new VirtualClock()
      const exchange = new MemoryExchange()
      const busy = blockingSection()
      const first = process(clock, busy.section, exchange)
      await requestExport(first, userId)
      await busy.entered
      const second = process(clock, { name: 'quick', async *facts() {} }, exchange)
      second.start()
      await second.idle()
      const id = await requestExport(first, userId)
      while ((await store.find(id))?.status !== 'completed') await new Promise(setImmediate)
      busy.release()
      await Promise.all([first.idle(), second.idle()])
    })

    test('EXP-21: an export is attempted three times with increasing delays, then fails', async (t) => {
      const { process, userId, store, files } = await setUp(t, await open(t))
      const clock = new VirtualClock()
      const began: number[] = []
      const exports = process(clock, {
        name: 'broken',
        // biome-ignore lint/correctness/useYield: it fails before it yields
        async *facts() {
          began.push(clock.now())
          throw new Error('broken')
        },
      })
      const id = await requestExport(exports, userId)
      for (let n = 0; n < 8; n++) {
        await exports.idle()
        assert.equal((await store.find(id))?.status, began.length < 3 ? 'processing' : 'failed')
        clock.advance(POLL_INTERVAL_MS)
      }
      const [first = 0, second = 0, third = 0] = began
      assert.equal(began.length, 3)
      assert.ok(second - first >= 10_000 && third - second >= 20_000)
      assert.equal((await store.find(id))?.status, 'failed')
      assert.deepEqual(await files(), [])
    })

    test('EXP-21: the second attempt completes the export', async (t) => {
      const { process, userId, store, file } = await setUp(t, await open(t))
      const clock = new VirtualClock()
      let attempts = 0
      const exports = process(clock, {
        name: 'shaky',
        async *facts() {
          yield { key: 'attempt', value: ++attempts }
          if (attempts === 1) throw new Error('shaky')
        },
      })
      const id = await requestExport(exports, userId)
      await exports.idle()
      assert.equal((await store.find(id))?.status, 'processing')
      clock.advance(POLL_INTERVAL_MS)
      await exports.idle()
      assert.equal((await store.find(id))?.status, 'completed')
      assert.match((await file(id)) ?? '', /"key":"attempt","value":2/)
    })

    test('EXP-21: an export fails after three processes died during it', async (t) => {
      const { process, userId, store } = await setUp(t, await open(t))
      const { id } = (await store.create({ id: 'export_x', userId, format: 'json' }, 9, 1)) ?? { id: '' }
      const clock = new VirtualClock()
      for (let n = 1; n <= 3; n++) {
        const claimed = await store.leases.claim(`dead ${n}`, clock.now())
        assert.equal(claimed?.attempts, n)
        clock.advance(ROW_LEASE_MS)
      }
      const { section } = blockingSection()
      const exports = process(clock, section)
      exports.start()
      await exports.idle()
      assert.equal((await store.find(id))?.status, 'failed')
    })

    test('EXP-22: stopping aborts the export immediately, and the attempt does not count', async (t) => {
      const { process, userId, store, files } = await setUp(t, await open(t))
      const clock = new VirtualClock()
      const { section, entered, release } = blockingSection()
      const first = process(clock, section)
      const id = await requestExport(first, userId)
      await entered
      await first.stop()
      const { status, attempts } = (await store.find(id)) ?? {}
      assert.deepEqual({ status, attempts }, { status: 'processing', attempts: 0 })
      assert.deepEqual(await files(), [])
      release()
      const next = process(clock, section)
      next.start()
      await next.idle()
      assert.equal((await store.find(id))?.status, 'completed')
    })

    test('EXP-23: no other process claims an export while its lease is renewed', async (t) => {
      const { process, userId, store } = await setUp(t, await open(t))
      const clock = new VirtualClock()
      const { section, entered, release } = blockingSection()
      const first = process(clock, section)
      const id = await requestExport(first, userId)
      await entered
      const other = process(clock, blockingSection().section)
      const renewals = observeRenewals(store)
      for (let passed = 0; passed < 3 * ROW_LEASE_MS; passed += 10_000) {
        const next = renewals.next()
        clock.advance(10_000)
        await next
        other.start()
        await other.idle()
      }
      release()
      await first.idle()
      const { status, attempts } = (await store.find(id)) ?? {}
      assert.deepEqual({ status, attempts }, { status: 'completed', attempts: 1 })
    })

    test('EXP-23: a process whose lease expired does not change the export of its successor', async (t) => {
      const { process, userId, store, file, files } = await setUp(t, await open(t))
      const start = Date.UTC(2026, 0, 1)
      const { section, entered, release } = blockingSection()
      const suspended = process(new VirtualClock(start), section)
      const id = await requestExport(suspended, userId)
      await entered
      const early = process(new VirtualClock(start + ROW_LEASE_MS - 1), oneFact('too soon'))
      early.start()
      await early.idle()
      assert.equal((await store.find(id))?.status, 'processing')
      const later = process(new VirtualClock(start + ROW_LEASE_MS), oneFact('taken over'))
      later.start()
      await later.idle()
      const done = await store.find(id)
      assert.equal(done?.status, 'completed')
      assert.match((await file(id)) ?? '', /taken over/)
      release()
      await suspended.idle()
      assert.deepEqual(await store.find(id), done)
      assert.match((await file(id)) ?? '', /taken over/)
      assert.equal((await files()).length, 1)
    })

    test('EXP-24: no file remains if the account is deleted during the export', async (t) => {
      const { process, userId, users, files } = await setUp(t, await open(t))
      const { section, entered, release } = blockingSection()
      const exports = process(new VirtualClock(), section)
      await requestExport(exports, userId)
      await entered
      await exports.deleteByUser(userId)
      await users.remove(userId, 'hash', 2)
      release()
      await exports.idle()
      assert.deepEqual(await files(), [])
    })

    test('EXP-30: an expired export is deleted within ten minutes, others remain', async (t) => {
      const { process, userId, store, files } = await setUp(t, await open(t))
      const clock = new VirtualClock()
      const exports = process(clock, oneFact('x'))
      exports.start()
      await exports.idle()
      const older = await requestExport(exports, userId)
      await exports.idle()
      const pass = async (ms: number) => {
        for (let passed = 0; passed < ms; passed += 5 * 60_000) {
          clock.advance(5 * 60_000)
          await exports.idle()
        }
      }
      await pass(60 * 60_000)
      const newer = await requestExport(exports, userId)
      await exports.idle()
      await pass(23 * 60 * 60_000 - 5 * 60_000)
      assert.equal((await files()).length, 2)
      await pass(15 * 60_000)
      assert.equal(await store.find(older), undefined)
      assert.deepEqual(await files(), [`exports/${newer}.1`])
    })
  })
})

const oneFact = (value: string): ExportSection => ({
  name: 'one',
  async *facts() {
    yield { key: 'fact', value }
  },
})

/** Returns an object whose `next` resolves with the next renewal of a lease. */
function observeRenewals(store: ExportStore): { next(): Promise<void> } {
  let renewed = Promise.withResolvers<void>()
  const renew = store.leases.renew.bind(store.leases)
  store.leases.renew = async (...args) => {
    const isRenewed = await renew(...args)
    renewed.resolve()
    return isRenewed
  }
  return {
    next() {
      renewed = Promise.withResolvers()
      return renewed.promise
    },
  }
}
