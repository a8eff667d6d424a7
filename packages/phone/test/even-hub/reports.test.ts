import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { EvenHubEvent } from '../../src/even-hub/bridge.ts'
import { connectedEvenRig, EvenRig } from '../support/even-rig.ts'

describe('what an Even G2 reports', () => {
  test('taps, presses and swipes, with their side', async () => {
    const rig = await connectedEvenRig()
    const events: EvenHubEvent[] = [
      { sysEvent: { eventSource: 1 }, jsonData: { eventSource: 1 } },
      { sysEvent: { eventSource: 3 }, jsonData: { eventSource: 3 } },
      { sysEvent: { eventType: 0, eventSource: 2 }, jsonData: {} },
      { sysEvent: { eventType: 3, eventSource: 1 }, jsonData: { eventType: 3 } },
      { sysEvent: {}, jsonData: { eventType: 9 } },
      { sysEvent: {}, jsonData: { Event_Type: '9' } },
      { textEvent: { eventType: 1 }, jsonData: {} },
      { textEvent: { eventType: 2 }, jsonData: {} },
    ]
    for (const event of events) rig.bridge.emit(event)
    assert.deepEqual(rig.events.gestures, [
      { name: 'single_tap', side: 'right' },
      { name: 'single_tap', side: 'left' },
      { name: 'single_tap' },
      { name: 'double_tap', side: 'right' },
      { name: 'long_press' },
      { name: 'long_press' },
      { name: 'up_swipe' },
      { name: 'down_swipe' },
    ])
  })

  test('events without a meaning here are ignored', async () => {
    const rig = await connectedEvenRig()
    const { count } = rig.events
    const events: EvenHubEvent[] = [
      {},
      { jsonData: { eventType: 3 } },
      { sysEvent: {}, jsonData: { eventType: 10 } },
      { sysEvent: {}, jsonData: { eventType: 'UNKNOWN' } },
      { sysEvent: {}, jsonData: { eventType: {} } },
      { sysEvent: { eventType: 8 }, jsonData: {} },
      { sysEvent: { eventType: 4 }, jsonData: {} },
    ]
    for (const event of events) rig.bridge.emit(event)
    assert.equal(rig.events.count, count)
  })

  test('EHB-22: audio is passed on while the microphone is on, in whole samples', async () => {
    const rig = await connectedEvenRig()
    const audioEvent = { audioPcm: Uint8Array.of(1, 2, 3) }
    rig.bridge.emit({ audioEvent })
    rig.glasses.setMicrophone(true)
    rig.bridge.emit({ audioEvent })
    await rig.clock.advance(100)
    assert.equal(rig.bridge.isMicrophoneOn, true)
    rig.glasses.setMicrophone(false)
    rig.bridge.emit({ audioEvent })
    await rig.clock.advance(100)
    assert.equal(rig.bridge.isMicrophoneOn, false)
    assert.deepEqual(rig.events.audioPackets, [Uint8Array.of(1, 2)])
    assert.deepEqual([rig.glasses.audioFormat, rig.events.problems], [{ format: 'pcm' }, []])
  })

  test('EHB-22: a microphone that is refused is a problem', async () => {
    const rig = await connectedEvenRig()
    for (const broken of ['refuse', 'throw'] as const) {
      rig.bridge.broken = broken
      rig.glasses.setMicrophone(true)
      await rig.clock.advance(100)
      assert.match(String(rig.events.problems.splice(0)), /^The microphone of the glasses could not/)
    }
  })

  test('battery and wearing of the glasses are reported when they change, those of a ring are not', async () => {
    const rig = new EvenRig()
    const status = { sn: 'S1', connectType: 'connected', batteryLevel: 80, isWearing: true }
    rig.bridge.info = { model: 'g2', sn: 'S1', status }
    await rig.connect()
    rig.bridge.emitStatus({ batteryLevel: 80, isWearing: true })
    rig.bridge.emitStatus({ batteryLevel: 79, isWearing: true })
    rig.bridge.emitStatus({ batteryLevel: 79, isWearing: false, isCharging: true })
    rig.bridge.emitStatus({ sn: 'RING', batteryLevel: 3, isWearing: true, connectType: 'disconnected' })
    assert.deepEqual(
      [rig.events.batteries, rig.events.wornStates],
      [
        [80, 79, 79],
        [true, false],
      ],
    )
    assert.equal(rig.events.links.length, 1)
  })
})
