import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { EvenG1Model } from '@glasses-cloud/device-models'
import { EvenG1 } from '../../src/even-g1/index.ts'
import { ManualClock } from '../support/manual-clock.ts'
import { WornPhone } from '../support/worn-phone.ts'

const MINUTE_MS = 60_000

/** A phone with a modelled Even G1, on one clock that only the test advances. */
async function putOn(t: TestContext) {
  const clock = new ManualClock()
  const model = new EvenG1Model(clock)
  const glasses = new EvenG1({ left: model.left, right: model.right, clock, random: () => 0 })
  const worn = await WornPhone.putOn(t, glasses, clock)
  return {
    clock,
    model,
    phone: worn.phone,
    show: (text: string) => worn.show(text),
    /** Returns the transmissions of text to each arm so far. */
    sent: () => model.arms.map(({ received }) => received.get(0x4e)),
  }
}

describe('a phone with an Even G1', () => {
  test('EG1-38: when both arms were away, each gets the present page once', async (t) => {
    const worn = await putOn(t)
    await worn.show('before')
    await worn.clock.advance(1000)
    assert.deepEqual(worn.sent(), [1, 1])
    for (const arm of worn.model.arms) arm.faults.isAway = true
    for (const arm of worn.model.arms) arm.drop()
    await worn.show('meanwhile')
    for (const arm of worn.model.arms) arm.faults.isAway = false
    await worn.clock.advance(MINUTE_MS)
    assert.equal(worn.phone.link.state, 'connected')
    assert.deepEqual(worn.sent(), [2, 2])
    assert.ok(worn.model.areLensesEqual)
    assert.deepEqual(worn.model.left.lens.lines, ['meanwhile'])
  })

  test('EG1-38: what was cleared while both arms were away leaves the lens', async (t) => {
    const worn = await putOn(t)
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

  test('an hour of captions with losses of either arm and of both ends with equal lenses', async (t) => {
    const worn = await putOn(t)
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
