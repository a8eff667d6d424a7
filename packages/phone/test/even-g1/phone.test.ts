import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { EvenG1Model } from '@glasses-cloud/device-models'
import { EvenG1 } from '../../src/even-g1/index.ts'
import { Phone } from '../../src/index.ts'
import { type ClientConnection, FakeCloud } from '../support/fake-cloud.ts'
import { ManualClock } from '../support/manual-clock.ts'

const MINUTE_MS = 60_000

/** A phone with a modelled Even G1, on one clock that only the test advances. */
class WornG1 {
  readonly clock = new ManualClock()
  readonly model = new EvenG1Model(this.clock)
  readonly phone: Phone
  readonly #cloud: FakeCloud

  private constructor(cloud: FakeCloud) {
    this.#cloud = cloud
    const { clock, model } = this
    const glasses = new EvenG1({ left: model.left, right: model.right, clock, random: () => 0 })
    this.phone = new Phone(glasses, { url: cloud.url, token: 't', clock, random: () => 0 })
  }

  static async putOn(t: TestContext): Promise<WornG1> {
    const cloud = await FakeCloud.start(t, { onRequest: (_, response) => response.end('{}') })
    const worn = new WornG1(cloud)
    t.after(() => worn.finish(worn.phone.disconnect()))
    await worn.finish(worn.phone.connect())
    return worn
  }

  /** Advances the clock until a promise is settled. */
  async finish<T>(promise: Promise<T>): Promise<T> {
    let isSettled = false
    const settle = () => {
      isSettled = true
    }
    promise.then(settle, settle)
    while (!isSettled) await this.clock.advance(10)
    return promise
  }

  /** Sends a text as the cloud does, and waits until the phone has handled it. */
  async show(text: string): Promise<void> {
    const connection: ClientConnection = await this.#cloud.connection(0)
    connection.send({ type: 'display_event', view: 'main', layout: { layoutType: 'text_wall', text } })
    connection.send({ type: 'marker' })
    await this.phone.waitForMessage('marker')
  }

  /** Transmissions of text to each arm so far. */
  get sent(): (number | undefined)[] {
    return this.model.arms.map(({ received }) => received.get(0x4e))
  }
}

describe('a phone with an Even G1', () => {
  test('EG1-38: when both arms were away, each gets the present page once', async (t) => {
    const worn = await WornG1.putOn(t)
    await worn.show('before')
    await worn.clock.advance(1000)
    assert.deepEqual(worn.sent, [1, 1])
    for (const arm of worn.model.arms) arm.faults.isAway = true
    for (const arm of worn.model.arms) arm.drop()
    await worn.show('meanwhile')
    for (const arm of worn.model.arms) arm.faults.isAway = false
    await worn.clock.advance(MINUTE_MS)
    assert.equal(worn.phone.link.state, 'connected')
    assert.deepEqual(worn.sent, [2, 2])
    assert.ok(worn.model.areLensesEqual)
    assert.deepEqual(worn.model.left.lens.lines, ['meanwhile'])
  })

  test('EG1-38: what was cleared while both arms were away leaves the lens', async (t) => {
    const worn = await WornG1.putOn(t)
    await worn.show('words')
    await worn.clock.advance(1000)
    for (const arm of worn.model.arms) arm.faults.isAway = true
    for (const arm of worn.model.arms) arm.drop()
    await worn.show('')
    for (const arm of worn.model.arms) arm.faults.isAway = false
    await worn.clock.advance(MINUTE_MS)
    assert.deepEqual(
      worn.model.arms.map(({ lens }) => lens.lines),
      [[], []],
    )
  })

  test('EG1-39: an hour of captions with losses of either arm and of both ends with equal lenses', async (t) => {
    const worn = await WornG1.putOn(t)
    const { left, right } = worn.model
    const losses = [
      () => left.drop(),
      () => right.drop(),
      () => Object.assign(left.faults, { writesUntilLoss: 1 }),
      () => worn.model.arms.map((arm) => arm.drop()),
      () => Object.assign(right.faults, { lostAcknowledgements: 3, command: 0x4e }),
    ]
    const states = new Set<string>()
    worn.phone.on('link', ({ state }) => states.add(state))
    for (let caption = 0; caption < 1200; caption++) {
      await worn.show(`caption ${caption}`)
      if (caption % 20 === 10) losses[(caption / 20 - 0.5) % losses.length]?.()
      await worn.clock.advance(3000)
    }
    await worn.clock.advance(40_000)
    assert.deepEqual([...states].sort(), ['connected', 'connecting', 'impaired', 'lost'])
    assert.equal(worn.phone.link.state, 'connected')
    assert.ok(worn.model.areLensesEqual)
    for (const { shown, lens } of worn.model.arms) {
      assert.deepEqual(lens.lines, ['caption 1199'])
      const numbers = shown.map((text) => Number(text.split(' ')[1]))
      assert.deepEqual(
        numbers,
        numbers.toSorted((a, b) => a - b),
        'no older page follows a newer one',
      )
      assert.ok(
        new Set(numbers).size >= 980,
        `of the last 1,000 pages ${new Set(numbers).size} are different`,
      )
    }
  })
})
