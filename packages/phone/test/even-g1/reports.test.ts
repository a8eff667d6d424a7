import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { connectedRig } from '../support/g1-rig.ts'

describe('what an Even G1 reports', () => {
  test('EG1-20: the frames of the right arm are passed on as they are', async () => {
    const rig = await connectedRig()
    const recorded = Uint8Array.from({ length: 1000 }, (_, index) => index % 251)
    rig.model.right.microphone.frames = recorded
    rig.glasses.setMicrophone(true)
    await rig.clock.advance(560)
    assert.deepEqual(Buffer.concat(rig.events.audioPackets), Buffer.from(recorded))
    assert.equal(rig.model.left.microphone.isOn, false)
    assert.deepEqual(rig.glasses.audioFormat, { format: 'lc3', frameSizeBytes: 20 })

    rig.glasses.setMicrophone(false)
    const packet = new Uint8Array(202).fill(0xf1)
    rig.model.right.notify(packet)
    await rig.clock.advance(1000)
    assert.equal(rig.events.audioPackets.length, 5, 'nothing while it is off')
    assert.equal(rig.model.right.microphone.isOn, false)
  })

  test('EG1-20: audio of the left arm, or not of whole frames, is dropped', async () => {
    const rig = await connectedRig()
    rig.glasses.setMicrophone(true)
    await rig.clock.advance(50)
    rig.model.left.notify(new Uint8Array(202).fill(0xf1))
    for (const length of [1, 2, 21, 201, 203]) rig.model.right.notify(new Uint8Array(length).fill(0xf1))
    assert.deepEqual(rig.events.audioPackets, [])
  })

  test('EG1-21: missing packets are counted, also where the number wraps', async () => {
    const rig = await connectedRig()
    rig.glasses.setMicrophone(true)
    await rig.clock.advance(25_550)
    assert.equal(rig.glasses.lostAudioPackets, 0)
    rig.model.right.microphone.lose(3)
    await rig.clock.advance(500)
    assert.equal(rig.glasses.lostAudioPackets, 3)
  })

  test('EG1-21: a refused microphone is reported', async () => {
    const rig = await connectedRig()
    Object.assign(rig.model.right.faults, { command: 0x0e, refusals: 3 })
    rig.glasses.setMicrophone(true)
    await rig.clock.advance(1000)
    assert.deepEqual(rig.events.problems, ['The right arm refused command 0e.'])
    assert.equal(rig.glasses.link.state, 'connected')
  })

  test('gestures have the side on which they were made', async () => {
    const { model, events } = await connectedRig()
    model.left.emit(0x01)
    model.right.emit(0x01)
    model.right.emit(0x00)
    model.left.emit(0x20)
    model.left.emit(0x17)
    model.right.emit(0x04)
    model.right.emit(0x05)
    for (const ignored of [0x09, 0x0e, 0x0f, 0x18, 0x1f, 0x77]) model.left.emit(ignored, 1)
    assert.deepEqual(
      events.gestures.map(({ name, side }) => `${side} ${name}`),
      [
        'left single_tap',
        'right single_tap',
        'right double_tap',
        'left double_tap',
        'left long_press',
        'right triple_tap',
        'right triple_tap',
      ],
    )
  })

  test('head and wearing are reported when they change, whichever arm says so', async () => {
    const { model, events } = await connectedRig()
    for (const code of [0x02, 0x1e, 0x03, 0x03, 0x1e]) for (const arm of model.arms) arm.emit(code)
    assert.deepEqual(events.heads, ['up', 'down', 'up'])
    for (const code of [0x06, 0x08, 0x0b, 0x06, 0x07]) for (const arm of model.arms) arm.emit(code)
    assert.deepEqual(events.wornStates, [true, false, true, false])
  })

  test('the battery is the lower one of both arms, and is asked for again', async () => {
    const rig = await connectedRig()
    assert.equal(rig.events.batteries.at(-1), 80)
    rig.model.right.battery = 35
    await rig.clock.advance(301_000)
    rig.model.left.battery = 20
    await rig.clock.advance(301_000)
    assert.deepEqual(rig.events.batteries, [80, 35, 20])
  })

  test('brightness is set on both arms', async () => {
    const rig = await connectedRig()
    const set = async (brightness: number | 'auto') => {
      rig.glasses.setBrightness(brightness)
      await rig.clock.advance(1000)
      return rig.model.arms.map((arm) => arm.brightness)
    }
    const both = (level: number, isAutomatic = false) => Array(2).fill({ level, isAutomatic })
    assert.deepEqual(await set(100), both(41))
    assert.deepEqual(await set(0), both(0))
    assert.deepEqual(await set(900), both(41))
    assert.deepEqual(await set('auto'), both(20, true))
  })

  test('EG1-26: notifications of any bytes neither throw nor disturb the link', async () => {
    const rig = await connectedRig()
    rig.glasses.setMicrophone(true)
    await rig.clock.advance(50)
    const known = fc.constantFrom(0xf1, 0xf5, 0x2c, 0x6e, 0x4e, 0x16, 0x25, 0x18, 0x0e)
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 260 }),
      fc.tuple(known, fc.uint8Array({ maxLength: 260 })).map(([code, rest]) => Uint8Array.of(code, ...rest)),
    )
    fc.assert(
      fc.property(bytes, fc.boolean(), (notification, isLeft) => {
        ;(isLeft ? rig.model.left : rig.model.right).notify(notification)
      }),
      { numRuns: 5000 },
    )
    await rig.clock.advance(10_000)
    assert.equal(rig.glasses.link.state, 'connected')
    assert.ok(rig.events.batteries.every((level) => level >= 0 && level <= 100))
    assert.ok(rig.events.audioPackets.every(({ length }) => length > 0 && length % 20 === 0))
    assert.equal(await rig.show('still here'), true)
    assert.ok(rig.model.areLensesEqual)
  })

  test('EG1-26: garbage while a page is sent does not count as its acknowledgement', async () => {
    const rig = await connectedRig()
    Object.assign(rig.model.left.faults, { command: 0x4e, lostAcknowledgements: 1 })
    const shown = rig.glasses.show({ kind: 'text', lines: ['x'], number: 1, total: 1 })
    await rig.clock.advance(10)
    for (const garbage of [[], [0x4e], [0x4e, 0xc9, 0xee], [0x4f, 0xc9], [0x4e, 0x00, 0x01]])
      rig.model.left.notify(Uint8Array.from(garbage))
    await rig.clock.advance(500)
    assert.equal(rig.model.left.received.get(0x4e), 1)
    assert.equal(await rig.during(shown, 1500), true)
    assert.equal(rig.model.left.received.get(0x4e), 2, 'it was repeated')
  })

  test('EG1-27: the log names commands and results, and has no content', async () => {
    const rig = await connectedRig()
    rig.glasses.setMicrophone(true)
    await rig.show('my secret words')
    const { model, glasses } = rig
    Object.assign(model.left.faults, { command: 0x4e, refusals: 1 })
    await rig.show('other words')
    model.left.faults.isAway = true
    model.left.drop()
    await rig.clock.advance(5000)
    model.left.faults.isAway = false
    const log = glasses.diagnostics()
    assert.match(log, /^Even Realities G1, net build time: .*ver 1\.6\.5/)
    assert.match(log, /^2026-01-02T15:04:\d\d\.\d{3}Z left sent 4e 24 bytes done$/m)
    assert.match(log, /^\S+ left received 4e 3 bytes c9$/m)
    assert.match(log, /^\S+ left sent 4e 20 bytes refused$/m)
    assert.match(log, /^\S+ left link lost$/m)
    assert.match(log, /^\S+ left link failed Error$/m)
    assert.doesNotMatch(log, / f1 |secret|words|4A3B2C/)
    await rig.clock.advance(7_200_000)
    assert.ok(glasses.diagnostics().split('\n').length <= 2003)
  })
})
