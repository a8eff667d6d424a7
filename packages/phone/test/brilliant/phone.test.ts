import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { BrilliantRig } from '../support/brilliant-rig.ts'
import { WornPhone } from '../support/worn-phone.ts'

const KINDS = ['Frame', 'Halo'] as const

/** A phone with a modelled Frame or Halo, on one clock that only the test advances. */
async function putOn(t: TestContext, kind: 'Frame' | 'Halo') {
  const { clock, model, glasses } = new BrilliantRig(kind)
  const worn = await WornPhone.putOn(t, glasses, clock)
  return {
    clock,
    model,
    glasses,
    show: (text: string) => worn.show(text),
    /** Returns the transmissions of text so far. */
    sent: () => glasses.diagnostics().match(/ sent text /g)?.length ?? 0,
  }
}

describe('a phone with a Frame or a Halo', () => {
  for (const kind of KINDS)
    test(`BRL-6: a ${kind} that was away gets page, microphone and brightness once it is back`, async (t) => {
      const { clock, model, glasses, show, sent } = await putOn(t, kind)
      glasses.setMicrophone(true)
      glasses.setBrightness(100)
      await show('before')
      await clock.advance(1000)
      const { brightness } = model
      assert.equal(sent(), 1)
      model.faults.isAway = true
      model.drop()
      model.brightness = 99
      await show('while away')
      await clock.advance(60_000)
      model.faults.isAway = false
      await clock.advance(40_000)
      assert.equal(glasses.link.state, 'connected')
      assert.deepEqual(model.lens.lines, ['while away'])
      assert.equal(sent(), 2)
      assert.deepEqual([model.microphone.isOn, model.brightness], [true, brightness])
    })

  test('BRL-6: what was cleared while the glasses were away is not shown again', async (t) => {
    const { clock, model, show } = await putOn(t, 'Halo')
    await show('words')
    await clock.advance(1000)
    assert.deepEqual(model.lens.lines, ['words'])
    model.drop()
    await show('')
    await clock.advance(10_000)
    assert.ok(model.isRunning)
    assert.deepEqual(model.lens.lines, [])
  })

  test('BRL-6 BRL-7: a program that ended is started again, and gets the page', async (t) => {
    const { clock, model, show } = await putOn(t, 'Frame')
    await show('still here')
    await clock.advance(1000)
    model.crash()
    await clock.advance(25_000)
    assert.ok(model.isRunning)
    assert.deepEqual(model.lens.lines, ['still here'])
  })

  for (const kind of KINDS)
    test(`captions on a ${kind} with losses end with the newest page`, async (t) => {
      const { clock, model, glasses, show } = await putOn(t, kind)
      glasses.setMicrophone(true)
      let shown = 0
      const faults = [
        () => model.drop(),
        () => Object.assign(model.faults, { lostNotifications: 2 }),
        () => Object.assign(model.faults, { lostWrites: 2 }),
        () => Object.assign(model.faults, { writesUntilLoss: 3 }),
        () => model.crash(),
        () => model.notify(new TextEncoder().encode('garbage')),
        () => Object.assign(model.faults, { failedWrites: 1 }),
        () => Object.assign(model.faults, { lostNotifications: 9 }),
      ]
      for (let second = 0; second < 120; second++) {
        await show(`caption ${second}`)
        if (second % 15 === 10) faults[(second - 10) / 15]?.()
        await clock.advance(1000)
        if (model.lens.lines[0] === `caption ${second}`) shown += 1
      }
      await clock.advance(10_000)
      assert.equal(glasses.link.state, 'connected')
      assert.deepEqual(model.lens.lines, ['caption 119'])
      assert.ok(model.microphone.isOn)
      assert.ok(shown > 60, `${shown} of 120`)
    })
})
