import assert from 'node:assert/strict'
import { once } from 'node:events'
import { describe, type TestContext, test } from 'node:test'
import { Glasses, type Position } from '../src/index.ts'
import { FakeCloud } from './support/fake-cloud.ts'
import { ManualClock } from './support/manual-clock.ts'

const timeout = () => ({ signal: AbortSignal.timeout(20_000) })

/** A phone that finds its position with `search`, which may be changed, on a clock that only the test advances. */
async function follow(t: TestContext, search: (count: number) => Position | undefined) {
  const clock = new ManualClock()
  const cloud = await FakeCloud.start(t)
  const state = { search, searches: 0, errors: [] as string[] }
  const phone = new Glasses({
    url: cloud.url,
    token: 'core-token',
    clock,
    locate: async () => state.search(++state.searches),
  })
  phone.on('error', ({ message }) => state.errors.push(message))
  t.after(() => phone.disconnect())
  await phone.connect()
  const connection = await cloud.connection(0)
  return {
    ...{ clock, cloud, phone, connection, state },
    /** Sets the tier, and waits until the phone has handled it. */
    setTier: async (tier: string) => {
      connection.send({ type: 'set_location_tier', tier })
      await phone.waitForMessage('set_location_tier')
    },
    /** Waits for the report of a latitude. */
    report: (lat: number) => connection.frame('location_update', (frame) => frame.lat === lat),
  }
}

describe('The position of a phone', () => {
  test('PHC-24: is reported at the interval of the tier while apps follow it', async (t) => {
    const { clock, cloud, phone, connection, state, setTier, report } = await follow(t, (count) => ({
      lat: count,
      lng: 2,
      accuracy: 3,
    }))
    await setTier('reduced')
    await clock.advance(1_000_000)
    assert.equal(state.searches, 0)

    await setTier('standard')
    const expected = { type: 'location_update', lat: 1, lng: 2, accuracy: 3, timestamp: clock.now() }
    assert.deepEqual(await report(1), expected)
    await clock.advance(29_999)
    await setTier('standard')
    assert.equal(state.searches, 1)
    await clock.advance(1)
    await report(2)
    await setTier('realtime')
    await report(3)
    await clock.advance(1_000)
    await report(4)
    await setTier('reduced')
    await clock.advance(1_000_000)
    assert.equal(state.searches, 4)

    await setTier('realtime')
    await report(5)
    const closed = once(phone, 'close', timeout())
    connection.socket.terminate()
    await closed
    const back = once(phone, 'ack', timeout())
    await clock.advance(60_000)
    await cloud.connection(1)
    await back
    await clock.advance(60_000)
    assert.equal(state.searches, 5, 'the cloud sends the tier on each connection')
  })

  test('PHC-24: what is found for an earlier tier is not reported', async (t) => {
    const { clock, connection, state, setTier, report } = await follow(t, () => undefined)
    const found = Promise.withResolvers<Position>()
    state.search = () => found.promise as unknown as Position
    await setTier('standard')
    await setTier('reduced')
    found.resolve({ lat: 1, lng: 2 })
    await clock.advance(60_000)
    state.search = () => ({ lat: 3, lng: 4 })
    await setTier('high')
    await report(3)
    assert.equal(connection.frames('location_update').length, 1)
  })

  test('a position that is not found is a problem once, and looked for again', async (t) => {
    const { clock, state, setTier, report } = await follow(t, () => undefined)
    const missing =
      'An app asks where you are. Allow the location in the settings of the phone, if you want to tell it.'
    await setTier('realtime')
    await clock.advance(59_999)
    assert.deepEqual([state.searches, state.errors], [1, [missing]])
    await clock.advance(1)
    assert.deepEqual([state.searches, state.errors], [2, [missing]])
    state.search = (lat) => ({ lat, lng: 0 })
    await clock.advance(60_000)
    await report(3)
    state.search = () => {
      throw new Error('Location is turned off')
    }
    await clock.advance(1_000)
    assert.deepEqual([state.searches, state.errors], [4, [missing, 'Location is turned off']])
    await setTier('reduced')
    await clock.advance(60_000)
    await setTier('realtime')
    await clock.advance(0)
    assert.equal(state.errors.length, 3, 'another app may follow, later')
  })
})
