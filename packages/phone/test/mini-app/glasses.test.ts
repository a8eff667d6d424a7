import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from '../../src/adapter/glasses-adapter.ts'
import { HOST, type HostGlasses, readGlasses } from '../../src/mini-app/host.ts'
import { HostChannel } from '../../src/mini-app/host-channel.ts'
import { MiniAppGlasses } from '../../src/mini-app/mini-app-glasses.ts'
import { ManualClock } from '../support/manual-clock.ts'
import { G1_CAPABILITIES, MiniAppHost } from '../support/mini-app-host.ts'
import { RecordedEvents } from '../support/recorded-events.ts'
import { textPage } from '../support/text-page.ts'

/** The adapter on the model of the host, on one clock that only the test advances. */
class MiniAppRig {
  readonly clock = new ManualClock()
  readonly host: MiniAppHost = new MiniAppHost((text) => queueMicrotask(() => this.channel.receive(text)))
  readonly channel = new HostChannel(
    (text) => this.host.take(text),
    { capabilities: () => {}, closing: () => {} },
    this.clock,
  )
  readonly glasses = new MiniAppGlasses(this.channel, readGlasses(G1_CAPABILITIES) as HostGlasses, this.clock)
  readonly events = new RecordedEvents()

  /** Connects, and forgets the messages that it took. */
  async connect(): Promise<void> {
    await this.clock.during(this.glasses.connect(this.events), 100)
    this.host.received.length = 0
  }

  /** Shows a page, and returns whether the host confirmed it at once. */
  show(page: Page): Promise<boolean> {
    return this.clock.during(this.glasses.show(page), 100)
  }
}

async function connectedMiniAppRig(): Promise<MiniAppRig> {
  const rig = new MiniAppRig()
  await rig.connect()
  return rig
}

const settled = {
  connected: ['connected'],
  lost: ['connected', 'lost'],
  back: ['connected', 'lost', 'connected'],
}
const statesOf = (rig: MiniAppRig) => rig.events.links.map(({ state }) => state)

describe('glasses of a mini app: link', () => {
  test('connect subscribes to the events of the glasses and clears the lens', async () => {
    const rig = new MiniAppRig()
    await rig.clock.during(rig.glasses.connect(rig.events), 100)
    const streams = ['glasses_connection', 'glasses_battery', 'touch_event', 'head_position']
    assert.deepEqual([rig.host.subscriptions, rig.host.lens, statesOf(rig)], [streams, [], settled.connected])
    assert.deepEqual([rig.glasses.model, rig.glasses.screen.lines], ['Even Realities G1', 5])
  })

  test('connect rejects if the host refuses, or does not answer within 10 s', async () => {
    for (const [fault, words] of [
      ['error', /The Mentra app refused: no/],
      ['silent', /did not answer within 10 s/],
    ] as const) {
      const rig = new MiniAppRig()
      rig.host.fault = fault
      await assert.rejects(rig.clock.during(rig.glasses.connect(rig.events), 10_000), words)
      rig.host.fault = undefined
      rig.host.emit('glasses_connection', { connected: true })
      await rig.clock.advance(60_000)
      assert.deepEqual([rig.events.count, rig.host.lens], [0, undefined], fault)
      await rig.connect()
      assert.deepEqual(statesOf(rig), settled.connected)
    }
  })

  test('glasses that the host loses are lost until it finds them again', async () => {
    const rig = await connectedMiniAppRig()
    await rig.show(textPage('before'))
    for (const data of [{ connected: false }, { connected: false }, {}, { connected: 'yes' }])
      rig.host.emit('glasses_connection', data)
    await rig.clock.advance(0)
    assert.deepEqual(statesOf(rig), settled.lost)
    assert.equal(await rig.show(textPage('away')), false)
    assert.deepEqual(rig.host.lens, ['before'])
    rig.host.emit('glasses_connection', { connected: true })
    await rig.clock.advance(0)
    assert.deepEqual(statesOf(rig), settled.back)
    assert.equal(await rig.show(textPage('after')), true)
    assert.deepEqual(rig.host.lens, ['after'])
  })

  test('disconnect ends the subscriptions and clears the lens, and no event follows', async () => {
    const rig = await connectedMiniAppRig()
    await rig.show(textPage('shown'))
    rig.glasses.setMicrophone(true)
    await rig.clock.advance(0)
    assert.ok(rig.host.subscriptions.includes('audio_chunk'))
    await rig.clock.during(rig.glasses.disconnect(), 100)
    assert.deepEqual([rig.host.subscriptions, rig.host.lens], [[], []])
    const { count } = rig.events
    rig.host.subscriptions = ['touch_event', 'glasses_connection']
    rig.host.emit('touch_event', { kind: 'single_tap' })
    rig.host.emit('glasses_connection', { connected: false })
    await rig.clock.advance(0)
    assert.equal(await rig.show(textPage('late')), false)
    assert.deepEqual([rig.events.count, rig.host.lens], [count, []])
  })
})

describe('glasses of a mini app: lens', () => {
  test('a page is one text over the whole lens, a blank one an empty scene', async () => {
    const rig = await connectedMiniAppRig()
    assert.equal(await rig.show(textPage('first', '', 'third')), true)
    const [first] = rig.host.of(HOST.RENDER)
    const box = { x: 0, y: 0, w: 640, h: 200 }
    const text = 'first\n\nthird'
    assert.deepEqual(first?.elements, [{ type: 'text', id: 'page', box, text }])
    await rig.show(textPage('o\u200dn\u200be\ufeff', '말'.normalize('NFD')))
    assert.deepEqual(rig.host.lens, ['one', '말'], 'PAGE-14')
    for (const page of [{ kind: 'blank' } as const, textPage('', ' ')]) {
      await rig.show(textPage('text'))
      assert.equal(await rig.show(page), true)
      assert.deepEqual([rig.host.of(HOST.RENDER).at(-1)?.elements, rig.host.lens], [[], []])
    }
  })

  test('of a burst of pages, the one in transmission and the newest are sent', async () => {
    const rig = await connectedMiniAppRig()
    const shown = ['1', '2', '3', '4'].map((text) => rig.glasses.show(textPage(text)))
    assert.deepEqual(await rig.clock.during(Promise.all(shown), 100), [false, false, false, true])
    rig.host.fault = 'silent'
    const [slow, skipped, newest] = ['5', '6', '7'].map((text, index) =>
      index === 0
        ? rig.glasses.show(textPage(text))
        : new Promise((resolve) => setImmediate(() => resolve(rig.glasses.show(textPage(text))))),
    )
    await rig.clock.advance(9_000)
    rig.host.fault = undefined
    assert.deepEqual(await rig.clock.during(Promise.all([slow, skipped, newest]), 2_000), [
      false,
      false,
      true,
    ])
    const texts = rig.host.of(HOST.RENDER).map(({ elements }) => (elements as { text: string }[])[0]?.text)
    assert.deepEqual(texts, ['4', '5', '7'])
  })

  test('a page is sent again every 5 s until it is shown, or a newer one', async () => {
    const rig = await connectedMiniAppRig()
    rig.host.fault = 'blocked'
    assert.equal(await rig.show(textPage('waits')), false)
    await rig.clock.advance(5_000)
    assert.equal(rig.host.of(HOST.RENDER).length, 2)
    assert.deepEqual(rig.events.problems, [])
    rig.host.fault = 'error'
    await rig.clock.advance(5_000)
    assert.match(rig.events.problems.join(), /did not take a page.*refused: no/)
    rig.host.fault = undefined
    await rig.clock.advance(5_000)
    assert.deepEqual(rig.host.lens, ['waits'])
    rig.host.fault = 'blocked'
    await rig.show(textPage('replaced'))
    rig.host.fault = undefined
    await rig.show(textPage('newer'))
    const { length } = rig.host.received
    await rig.clock.advance(60_000)
    assert.deepEqual([rig.host.lens, rig.host.received.length], [['newer'], length])
  })
})

describe('glasses of a mini app: reports', () => {
  test('taps, presses and swipes are gestures, by both names of the field', async () => {
    const rig = await connectedMiniAppRig()
    for (const data of [
      { kind: 'single_tap' },
      { gestureName: 'double_tap', deviceModel: 'x' },
      { kind: 'swipe_up' },
      { gestureName: 'forward_swipe' },
      { kind: 'long_press' },
      { kind: 'wink' },
      { kind: 'toString' },
      {},
    ])
      rig.host.emit('touch_event', data)
    await rig.clock.advance(0)
    assert.deepEqual(
      rig.events.gestures.map(({ name }) => name),
      ['single_tap', 'double_tap', 'up_swipe', 'forward_swipe', 'long_press'],
    )
  })

  test('battery and position of the head are reported', async () => {
    const rig = await connectedMiniAppRig()
    for (const data of [{ level: 80, charging: false }, { level: 50.4 }, { level: -1 }, { level: 'full' }])
      rig.host.emit('glasses_battery', data)
    for (const position of ['up', 'down', 'left']) rig.host.emit('head_position', { position })
    await rig.clock.advance(0)
    assert.deepEqual(
      [rig.events.batteries, rig.events.heads],
      [
        [80, 50],
        ['up', 'down'],
      ],
    )
  })

  test('BRG-22: audio while the microphone is on, in whole samples of the documented format', async () => {
    const rig = await connectedMiniAppRig()
    const emit = (bytes: readonly number[], more = {}) =>
      rig.host.emit('audio_chunk', { data: Buffer.from(bytes).toString('base64'), ...more })
    emit([1, 2])
    rig.glasses.setMicrophone(true)
    await rig.clock.advance(0)
    emit([3, 4, 5], { format: 'pcm_s16le', sampleRate: 16_000 })
    emit([6, 7])
    rig.host.emit('audio_chunk', { data: '%' })
    for (const other of [{ format: 'lc3' }, { sampleRate: 48_000 }]) emit([8, 9], other)
    await rig.clock.advance(0)
    rig.glasses.setMicrophone(false)
    await rig.clock.advance(0)
    rig.host.subscriptions = ['audio_chunk']
    emit([10, 11])
    await rig.clock.advance(0)
    assert.deepEqual(
      rig.events.audioPackets.map((packet) => [...packet]),
      [
        [3, 4],
        [6, 7],
      ],
    )
    assert.deepEqual(rig.events.problems, ['The audio of the phone has another format: lc3, 16000 Hz.'])
  })

  test('BRG-22: a microphone that the host refuses is a problem', async () => {
    const rig = await connectedMiniAppRig()
    rig.host.fault = 'error'
    rig.glasses.setMicrophone(true)
    await rig.clock.advance(0)
    assert.deepEqual(rig.events.problems, [
      'The microphone could not be turned on. The Mentra app refused: no',
    ])
  })

  test('pings are answered, and what is not understood is ignored', async () => {
    const rig = await connectedMiniAppRig()
    const { count } = rig.events
    rig.host.send({ type: HOST.PING }, 'ping1')
    for (const payload of [{ type: 'miniapp_new' }, { type: HOST.EVENT, streamType: 'vad', data: {} }, {}])
      rig.host.send(payload)
    rig.host.send({ type: HOST.REQUEST_RESULT, ok: true }, 'unknown')
    for (const text of ['', '[]', 'null', '{"payload":null}', '{"payload":{"type":3}}'])
      rig.channel.receive(text)
    for (const stream of ['glasses_connection', 'glasses_battery', 'touch_event', 'head_position'])
      for (const data of [null, [], 'x', 7]) rig.host.emit(stream, data as unknown as object)
    await rig.clock.advance(0)
    assert.deepEqual([rig.host.received, rig.events.count], [[{ type: HOST.PONG }], count])
  })
})
