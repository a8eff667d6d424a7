import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { tone } from '../../src/audio/pcm.ts'
import { connectedRig } from '../support/brilliant-rig.ts'

describe('what a Frame or a Halo reports', () => {
  test('BRL-30: the LC3 frames of a Halo are passed on as they are, while the microphone is on', async () => {
    const rig = await connectedRig('Halo')
    const recorded = Uint8Array.from({ length: 1000 }, (_, index) => index % 251)
    rig.model.microphone.sound = recorded
    rig.glasses.setMicrophone(true)
    await rig.clock.advance(1000)
    const audio = Buffer.concat(rig.events.audioPackets)
    assert.ok(audio.length >= 1600 && audio.length % 20 === 0, `${audio.length}`)
    assert.deepEqual(audio.subarray(0, 1000), Buffer.from(recorded))
    assert.deepEqual(audio.subarray(1000, 1600), Buffer.from(recorded.subarray(0, 600)))
    assert.deepEqual(rig.glasses.audioFormat, { format: 'lc3', frameSizeBytes: 20 })

    rig.glasses.setMicrophone(false)
    await rig.clock.advance(200)
    const { length } = rig.events.audioPackets
    rig.model.notify(Uint8Array.of(1, 2, 9, ...new Uint8Array(20)))
    await rig.clock.advance(1000)
    assert.equal(rig.events.audioPackets.length, length, 'nothing while it is off')
    assert.equal(rig.model.microphone.isOn, false)
  })

  test('BRL-30: the sound of a Frame arrives with 16 kHz and 16 bit', async () => {
    const rig = await connectedRig('Frame')
    const recorded = tone(1000, 500)
    rig.model.microphone.sound = recorded
    rig.glasses.setMicrophone(true)
    await rig.clock.advance(1000)
    const heard = Buffer.concat(rig.events.audioPackets)
    assert.deepEqual(rig.glasses.audioFormat, { format: 'pcm' })
    assert.ok(heard.length > 28_000 && heard.length % 4 === 0, `${heard.length} bytes of 32000`)
    let largest = 0
    // The doubled sound begins half a sample of 8 kHz earlier than the recorded one.
    for (let offset = 4; offset + 2 < heard.length; offset += 2)
      largest = Math.max(largest, Math.abs(heard.readInt16LE(offset) - recorded.readInt16LE(offset - 2)))
    assert.ok(largest < 400, `${largest}`)
    assert.equal(rig.glasses.lostAudioPackets, 0)
  })

  test('BRL-31: missing packets are counted, and pages pass while the microphone is on', async () => {
    const rig = await connectedRig('Frame')
    rig.glasses.setMicrophone(true)
    await rig.clock.advance(3000)
    assert.equal(rig.glasses.lostAudioPackets, 0)
    rig.model.faults.lostNotifications = 3
    await rig.clock.advance(500)
    assert.equal(rig.glasses.lostAudioPackets, 3)
    assert.equal(await rig.show('while it is on'), true)
    assert.equal(rig.glasses.link.state, 'connected')
  })

  test('BRL-31: a microphone that is refused is reported', async () => {
    const rig = await connectedRig('Halo')
    rig.model.microphone.start = () => {
      throw new Error('may be occupied by LE Audio')
    }
    rig.glasses.setMicrophone(true)
    await rig.clock.advance(1000)
    assert.deepEqual(rig.events.problems, ['The Brilliant Halo refused command microphone.'])
    assert.equal(await rig.show('still here'), true)
  })

  test('BRL-32: taps of a Frame within 300 ms are one gesture', async () => {
    const rig = await connectedRig('Frame')
    const tap = async (...pausesMs: number[]) => {
      for (const pauseMs of pausesMs) {
        rig.model.tap()
        await rig.clock.advance(pauseMs)
      }
    }
    await tap(500, 200, 500, 200, 200, 600, 10, 500, 150, 150, 150, 500)
    assert.deepEqual(
      rig.events.gestures.map(({ name }) => name),
      ['single_tap', 'double_tap', 'triple_tap', 'single_tap', 'triple_tap'],
    )
  })

  test('BRL-32: the clicks of a Halo', async () => {
    const rig = await connectedRig('Halo')
    for (const kind of ['single', 'double', 'long'] as const) rig.model.click(kind)
    await rig.clock.advance(200)
    assert.deepEqual(rig.events.gestures, [
      { name: 'single_tap' },
      { name: 'double_tap' },
      { name: 'long_press' },
    ])
  })

  test('the battery is reported when it changes, with charging on a Halo', async () => {
    const rig = await connectedRig('Halo')
    const charging: boolean[] = []
    const record = rig.events.battery.bind(rig.events)
    rig.events.battery = (level: number, isCharging?: boolean) => {
      charging.push(isCharging === true)
      record(level)
    }
    rig.model.battery = 35.4
    await rig.clock.advance(31_000)
    rig.model.isCharging = true
    await rig.clock.advance(16_000)
    assert.deepEqual(rig.events.batteries, [80, 35, 35])
    assert.deepEqual(charging, [false, true])
  })

  test('brightness in five steps on a Frame, and in per cent on a Halo', async () => {
    for (const [kind, expected] of [
      ['Frame', [-2, -1, 0, 2, 2, 0]],
      ['Halo', [0, 20, 50, 100, 100, 50]],
    ] as const) {
      const rig = await connectedRig(kind)
      const levels: number[] = []
      for (const brightness of [0, 20, 50, 100, 900, 'auto'] as const) {
        rig.glasses.setBrightness(brightness)
        await rig.clock.advance(200)
        levels.push(rig.model.brightness)
      }
      assert.deepEqual(levels, expected)
    }
  })

  for (const kind of ['Frame', 'Halo'] as const)
    test(`BRL-35: notifications of any bytes neither throw nor end the link to a ${kind}`, async () => {
      const rig = await connectedRig(kind)
      rig.glasses.setMicrophone(true)
      const known = fc.tuple(fc.constantFrom(0, 1, 2, 3, 4), fc.uint8Array({ maxLength: 250 }))
      const bytes = fc.oneof(
        fc.uint8Array({ maxLength: 250 }),
        known.map(([code, rest]) => Uint8Array.of(1, code, ...rest)),
      )
      fc.assert(
        fc.property(bytes, (notification) => rig.model.notify(notification)),
        { numRuns: 3000 },
      )
      await rig.clock.advance(1000)
      assert.equal(rig.glasses.link.state, 'connected')
      assert.ok(rig.events.batteries.every((level) => level >= 0 && level <= 100))
      const unit = kind === 'Halo' ? 20 : 4
      assert.ok(rig.events.audioPackets.every(({ length }) => length > 0 && length % unit === 0))
      assert.equal(await rig.show('still here'), true)
      assert.deepEqual(rig.model.lens.lines, ['still here'])
    })

  test('BRL-36: diagnostics have no content, and an end', async () => {
    const rig = await connectedRig('Frame')
    rig.glasses.setMicrophone(true)
    await rig.show('secret words')
    rig.model.notify(new TextEncoder().encode('secret output'))
    for (let index = 0; index < 5000; index++) rig.model.notify(Uint8Array.of(1, 4, 1))
    const text = rig.glasses.diagnostics()
    assert.match(text, /^Brilliant Frame, writes of 243 bytes\nlink connected\nlost audio packets: 0\n/)
    assert.ok(text.split('\n').length <= 2003)
    assert.ok(!text.includes('secret'))
    const hex = Buffer.from('secret').toString('hex')
    assert.ok(!text.includes(hex))
  })
})
