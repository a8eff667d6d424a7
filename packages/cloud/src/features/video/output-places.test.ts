import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { pino } from 'pino'
import type { Database } from '../../db/index.ts'
import { eachDatabase } from '../../db/testing.ts'
import type { OutputReservation } from '../../session/index.ts'
import { VirtualClock } from '../../time/testing/virtual-clock.ts'
import { OutputPlaceStore } from './output-place-store.ts'
import { PLACE_LEASE_MS, SharedOutputPlaces } from './output-places.ts'

/** A node's places; `reserve` returns the functions that release them, or the code of the rejection. */
function nodeOn(db: Database, clock: VirtualClock) {
  const log = pino({ level: 'silent' })
  const places = new SharedOutputPlaces({ store: new OutputPlaceStore(db), clock, log })
  const reserve = async (packageName: string, count = 1) => {
    const reservation = await new Promise<OutputReservation>((done) =>
      places.reserve(packageName, count, done),
    )
    return reservation.ok ? reservation.releases : reservation.code
  }
  return { places, reserve }
}

describe('places of outputs on all nodes', () => {
  eachDatabase(({ open }) => {
    test('OUT-7 SHARE-51: parallel reservations on two nodes stay within the limit, all or none', async (t) => {
      const [db, clock] = [await open(t), new VirtualClock()]
      const [one, two] = [nodeOn(db, clock), nodeOn(db, clock)]
      const results = await Promise.all(
        Array.from({ length: 20 }, (_, n) => (n % 2 ? one : two).reserve('com.a', 3)),
      )
      const granted = results.filter((result) => typeof result !== 'string')
      assert.equal(granted.length, 3)
      assert.ok(results.every((result) => typeof result !== 'string' || result === 'MAX_APP_OUTPUTS_REACHED'))
      assert.equal((await two.reserve('com.b', 10)).length, 10, 'another app has its own limit')
      assert.equal((await one.reserve('com.a')).length, 1)
      assert.equal(await two.reserve('com.a'), 'MAX_APP_OUTPUTS_REACHED')
      const [[release] = []] = granted
      release?.()
      release?.()
      await Promise.all([one.places.close(), two.places.close()])
      assert.equal((await two.reserve('com.a')).length, 1)
      assert.equal(await one.reserve('com.a'), 'MAX_APP_OUTPUTS_REACHED')
    })

    test('SHARE-51: the places of a node that died expire; those of a living one do not', async (t) => {
      const [db, clock] = [await open(t), new VirtualClock()]
      const [living, dead, third] = [nodeOn(db, clock), nodeOn(db, clock), nodeOn(db, clock)]
      const [held] = await living.reserve('com.a', 4)
      await dead.reserve('com.a', 6)
      clock.advance(PLACE_LEASE_MS / 2)
      await living.places.sweep()
      assert.equal(await third.reserve('com.a'), 'MAX_APP_OUTPUTS_REACHED')
      clock.advance(PLACE_LEASE_MS / 2 + 1)
      assert.equal((await third.reserve('com.a', 6)).length, 6)
      assert.equal(await third.reserve('com.a'), 'MAX_APP_OUTPUTS_REACHED')
      await third.places.sweep()
      const rows = await db.selectFrom('output_places').select('id').execute()
      assert.equal(rows.length, 10, 'expired places are deleted')
      // A place that expired while the database was away counts again, unless it was released.
      clock.advance(2 * PLACE_LEASE_MS)
      await third.places.sweep()
      assert.ok(typeof held === 'function')
      held()
      await living.places.close()
      await living.places.sweep()
      assert.equal((await third.reserve('com.a')).length, 1)
      assert.equal(await third.reserve('com.a'), 'MAX_APP_OUTPUTS_REACHED')
    })

    test('SHARE-51: a reservation that cannot be counted is rejected with INTERNAL_ERROR', async () => {
      const log = pino({ level: 'silent' })
      const store = { reserve: () => Promise.reject(new Error('away')) } as unknown as OutputPlaceStore
      const places = new SharedOutputPlaces({ store, clock: new VirtualClock(), log })
      const outcome = await new Promise((done) => places.reserve('com.a', 1, done))
      assert.deepEqual(outcome, { ok: false, code: 'INTERNAL_ERROR' })
    })
  })
})
