import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { EvenG2, SerialBridge } from '../../src/even-hub/index.ts'
import { connectedEvenRig, EvenRig } from '../support/even-rig.ts'
import { RecordedEvents } from '../support/recorded-events.ts'
import { textPage } from '../support/text-page.ts'

describe('the link to an Even G2', () => {
  test('EHB-1: connect makes a page of the glasses, blank at first', async () => {
    const rig = new EvenRig()
    await rig.clock.during(rig.glasses.connect(rig.events), 1000)
    assert.deepEqual(rig.bridge.lines, [])
    assert.deepEqual(rig.events.links, [{ state: 'connected', parts: [] }])
  })

  test('EHB-1: the page of an earlier visit is replaced', async () => {
    const rig = await connectedEvenRig()
    await rig.show(textPage('old'))
    const events = new RecordedEvents()
    const reloaded = new EvenG2(new SerialBridge(rig.bridge, rig.clock), rig.clock)
    await rig.clock.during(reloaded.connect(events), 1000)
    assert.deepEqual([rig.bridge.lines, events.links.length], [[], 1])
    await rig.clock.during(reloaded.show(textPage('new')), 1000)
    await rig.clock.during(reloaded.connect(events), 1000)
    assert.deepEqual([rig.bridge.lines, events.links.length], [[], 2])
  })

  test('glasses that show no page cannot be connected', async () => {
    const rig = new EvenRig()
    rig.bridge.broken = 'refuse'
    await assert.rejects(rig.clock.during(rig.glasses.connect(rig.events), 1000), /show no page.*Even app/)
    assert.deepEqual([rig.events.count, rig.bridge.listenerCount], [0, 0])
    rig.bridge.broken = 'no'
    await rig.connect()
    assert.equal(rig.events.links.at(-1)?.state, 'connected')
  })

  test('glasses that the app lost are lost, and get page and microphone when they are back', async () => {
    const rig = await connectedEvenRig()
    await rig.show(textPage('before'))
    rig.glasses.setMicrophone(true)
    for (const connectType of ['disconnected', 'connecting']) rig.bridge.emitStatus({ connectType })
    rig.bridge.closePage()
    rig.bridge.isMicrophoneOn = false
    assert.equal(await rig.show(textPage('after')), false)
    assert.equal(rig.bridge.lines, undefined)
    rig.bridge.emitStatus({ connectType: 'connected' })
    await rig.clock.advance(1000)
    assert.deepEqual([rig.bridge.lines, rig.bridge.isMicrophoneOn], [['after'], true])
    assert.deepEqual(
      rig.events.links.map(({ state }) => state),
      ['connected', 'lost', 'connecting', 'connected'],
    )
    assert.deepEqual(rig.events.problems, [])
  })

  test('a page that had to leave the lens is drawn again when it enters', async () => {
    const rig = await connectedEvenRig()
    await rig.show(textPage('shown'))
    for (const [leaves, states] of [
      [5, ['connected']],
      [6, ['connected', 'lost', 'connected']],
      [7, ['connected', 'lost', 'connected', 'lost', 'connected']],
    ] as const) {
      rig.bridge.emit({ sysEvent: { eventType: leaves } })
      rig.bridge.closePage()
      await rig.clock.advance(100)
      assert.equal(rig.bridge.lines, undefined)
      rig.bridge.emit({ sysEvent: { eventType: 4 } })
      await rig.clock.advance(1000)
      assert.deepEqual(rig.bridge.lines, ['shown'], `${leaves}`)
      assert.deepEqual(
        rig.events.links.map(({ state }) => state),
        states,
      )
    }
    rig.bridge.calls.length = 0
    rig.bridge.emit({ sysEvent: { eventType: 4 } })
    await rig.clock.advance(1000)
    assert.deepEqual(rig.bridge.calls, [])
  })

  test('disconnect turns the microphone off and clears the lens, and no event follows', async () => {
    const rig = await connectedEvenRig()
    await rig.show(textPage('shown'))
    rig.glasses.setMicrophone(true)
    await rig.clock.during(rig.glasses.disconnect(), 1000)
    const { count } = rig.events
    rig.bridge.emit({ sysEvent: {} })
    rig.bridge.emitStatus({ batteryLevel: 5 })
    assert.deepEqual(
      [rig.bridge.lines, rig.bridge.isMicrophoneOn, rig.events.count, rig.bridge.listenerCount],
      [[], false, count, 0],
    )
    assert.equal(await rig.show(textPage('late')), false)
    assert.deepEqual(rig.bridge.lines, [])
  })
})
