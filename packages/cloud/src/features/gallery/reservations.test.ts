import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { waitFor } from '../../../test/support/wait-for.ts'
import { eachDatabase } from '../../db/testing.ts'
import { UserStore } from '../../identity/index.ts'
import { VirtualClock } from '../../time/testing/virtual-clock.ts'
import { ReservationStore } from './reservation-store.ts'
import { Reservations } from './reservations.ts'

const MINUTE_MS = 60_000

eachDatabase(({ open }) => {
  test('GAL-20: space whose release failed once is free after a minute, while its process lives', async (t) => {
    const db = await open(t)
    const clock = new VirtualClock()
    const { id: userId } = await new UserStore(db).findOrCreate('ada@example.com', 1)
    const store = new ReservationStore(db)
    const bus = { publish: () => {}, subscribe: () => ({ ready: Promise.resolve(), close: () => {} }) }
    const log = pino({ level: 'silent' })
    const reservations = new Reservations({ store, bus, clock, log, maxBytes: 100 })
    const [lost, kept] = [
      await reservations.reserve(userId, 'upload', 60),
      await reservations.reserve(userId, 'upload', 30),
    ]
    t.mock.method(store, 'remove', () => Promise.reject(new Error('the database is away')), { times: 1 })
    await lost?.release()
    reservations.start()
    for (let passed = 0; passed <= MINUTE_MS; passed += MINUTE_MS / 3) {
      // The next renewal is due once one has ended.
      await waitFor('a renewal', () => clock.pendingTimers === 1)
      clock.advance(MINUTE_MS / 3)
    }
    await reservations.stop()
    assert.equal(await store.hasAny(userId, clock.now()), true, 'the other one is still reserved')
    const next = await reservations.reserve(userId, 'upload', 100)
    assert.equal(next?.bytes, 70)
    await kept?.release()
  })
})
