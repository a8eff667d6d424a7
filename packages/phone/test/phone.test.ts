import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { describe, type TestContext, test } from 'node:test'
import { Phone, type PhoneOptions } from '../src/index.ts'
import { type ClientConnection, FakeCloud, type FakeCloudOptions } from './support/fake-cloud.ts'
import { ManualClock } from './support/manual-clock.ts'
import { RecordingGlasses } from './support/recording-glasses.ts'

interface Rig {
  readonly cloud: FakeCloud
  readonly phone: Phone
  readonly connection: ClientConnection
}

async function wear(
  t: TestContext,
  glasses: RecordingGlasses,
  options: Partial<PhoneOptions> = {},
  cloudOptions: FakeCloudOptions = {},
): Promise<Rig> {
  const cloud = await FakeCloud.start(t, cloudOptions)
  const phone = new Phone(glasses, { url: cloud.url, token: 't', ...options })
  t.after(() => phone.disconnect())
  await phone.connect()
  return { cloud, phone, connection: await cloud.connection(0) }
}

/** Resolves when the cloud has received everything that was sent before. */
async function delivered(phone: Phone, connection: ClientConnection): Promise<void> {
  const marker = crypto.randomUUID()
  phone.send({ type: 'ping', marker })
  await connection.frame('ping', (ping) => ping.marker === marker)
}

/** Sends a message as the cloud does, and waits until the phone has handled it. */
async function tell({ phone, connection }: Rig, message: Record<string, unknown>): Promise<void> {
  connection.send(message)
  connection.send({ type: 'marker' })
  await phone.waitForMessage('marker')
}

const show = (rig: Rig, text: string, view = 'main') =>
  tell(rig, { type: 'display_event', view, layout: { layoutType: 'text_wall', text } })

const states = (connection: ClientConnection) =>
  connection.frames('glasses_connection_state').map(({ status, modelName }) => [status, modelName])

describe('Phone', () => {
  test('if the glasses cannot be reached, connect fails and the cloud is not contacted', async (t) => {
    const cloud = await FakeCloud.start(t)
    const glasses = new RecordingGlasses()
    glasses.problem = new Error('The left arm does not answer')
    const phone = new Phone(glasses, { url: cloud.url, token: 't' })
    await assert.rejects(phone.connect(), /The left arm does not answer/)
    assert.equal(cloud.connections.length, 0, 'the cloud is not asked for glasses that nobody wears')
    glasses.problem = undefined
    await phone.connect()
    await phone.disconnect()
    assert.equal(glasses.isLinked, false)
  })

  test('the link is reported when it is made, lost and mended', async (t) => {
    const glasses = new RecordingGlasses()
    const { phone, connection } = await wear(t, glasses)
    glasses.link('impaired')
    glasses.link('connected')
    glasses.link('lost')
    glasses.link('connecting')
    glasses.link('impaired')
    await delivered(phone, connection)
    assert.deepEqual(
      states(connection).map(([status]) => status),
      ['CONNECTED', 'DISCONNECTED', 'CONNECTED'],
    )
    assert.deepEqual(states(connection)[0], ['CONNECTED', 'Even Realities G1'])
  })

  test('a page is sent once, and again after the glasses were away', async (t) => {
    const glasses = new RecordingGlasses()
    const rig = await wear(t, glasses)
    await show(rig, 'one')
    await show(rig, 'one ')
    await show(rig, 'two')
    await show(rig, 'board', 'dashboard')
    assert.deepEqual(
      glasses.pages.map((page) => page.kind === 'text' && page.lines),
      [['one'], ['two']],
    )
    glasses.link('lost')
    glasses.link('connected')
    assert.deepEqual(glasses.lines, ['two'])
    assert.equal(glasses.pages.length, 3)
    await show(rig, '')
    assert.deepEqual(glasses.pages.at(-1), { kind: 'blank' })
  })

  test('the head selects the view', async (t) => {
    const glasses = new RecordingGlasses()
    const rig = await wear(t, glasses)
    await show(rig, 'main')
    await show(rig, 'board', 'dashboard')
    glasses.events.head('up')
    assert.deepEqual(glasses.lines, ['board'])
    glasses.events.head('down')
    assert.deepEqual(glasses.lines, ['main'])
    await delivered(rig.phone, rig.connection)
    assert.deepEqual(
      rig.connection.frames('head_position').map(({ position }) => position),
      ['up', 'down'],
    )
  })

  test('PHC-5 PAGE-7: gestures reach the apps, and taps turn the pages of a long text', async (t) => {
    const glasses = new RecordingGlasses()
    const rig = await wear(t, glasses)
    await show(rig, 'a\nb\nc\nd\ne')
    assert.deepEqual(glasses.pages.at(-1), { kind: 'text', lines: ['a', 'b', 'c'], number: 1, total: 2 })
    glasses.events.gesture({ name: 'single_tap', side: 'right' })
    assert.deepEqual(glasses.pages.at(-1), { kind: 'text', lines: ['d', 'e'], number: 2, total: 2 })
    glasses.events.gesture({ name: 'single_tap', side: 'right' })
    glasses.events.gesture({ name: 'long_press', side: 'right' })
    assert.deepEqual(glasses.lines, ['d', 'e'], 'there is no further page')
    glasses.events.gesture({ name: 'single_tap', side: 'left' })
    assert.deepEqual(glasses.lines, ['a', 'b', 'c'])
    assert.equal(rig.phone.nextPage(), true, 'the phone has buttons for it')
    assert.equal(rig.phone.previousPage(), true)
    assert.equal(rig.phone.previousPage(), false)
    await delivered(rig.phone, rig.connection)
    assert.deepEqual(
      rig.connection
        .frames('touch_event')
        .map(({ gesture_name, device_model }) => [gesture_name, device_model]),
      ['single_tap', 'single_tap', 'long_press', 'single_tap'].map((name) => [name, 'Even Realities G1']),
    )
  })

  test('the battery is reported, and again after a reconnection', async (t) => {
    const glasses = new RecordingGlasses()
    const rig = await wear(t, glasses, { reconnect: { firstMs: 1, maxMs: 1 } })
    glasses.events.battery(64, false)
    const first = await rig.connection.frame('glasses_battery_update')
    assert.deepEqual([first.level, first.charging], [64, false])
    rig.phone.loseConnection()
    const again = await (await rig.cloud.connection(1)).frame('glasses_battery_update')
    assert.equal(again.level, 64)
  })

  test('PHC-7: audio goes as the device encodes it, while the cloud requires it', async (t) => {
    const glasses = new RecordingGlasses({ format: 'lc3', frameSizeBytes: 20 })
    const configuration = Promise.withResolvers<ServerResponse>()
    const rig = await wear(
      t,
      glasses,
      {},
      {
        onRequest: (_, response) => configuration.resolve(response),
      },
    )
    const frames = Uint8Array.from({ length: 200 }, (_, index) => index)
    glasses.events.audio(frames)
    await tell(rig, { type: 'microphone_state_change', requiredData: ['pcm'] })
    assert.deepEqual(glasses.microphone, [true])
    glasses.events.audio(frames)
    await delivered(rig.phone, rig.connection)
    assert.equal(
      rig.connection.received.some(Buffer.isBuffer),
      false,
      'the cloud does not know the format yet',
    )
    const response = await configuration.promise
    response.end('{}')
    while (!rig.connection.received.some(Buffer.isBuffer)) {
      glasses.events.audio(frames)
      await delivered(rig.phone, rig.connection)
    }
    assert.deepEqual([...(rig.connection.received.find(Buffer.isBuffer) as Buffer)], [...frames])
    await tell(rig, { type: 'microphone_state_change', requiredData: ['transcription'] })
    assert.deepEqual(glasses.microphone, [true, false])
    const count = rig.connection.received.filter(Buffer.isBuffer).length
    glasses.events.audio(frames)
    await delivered(rig.phone, rig.connection)
    assert.equal(rig.connection.received.filter(Buffer.isBuffer).length, count)
  })

  test('what the glasses do not have is refused at once', async (t) => {
    const rig = await wear(t, new RecordingGlasses())
    await tell(rig, { type: 'photo_request', requestId: 'p', webhookUrl: 'http://127.0.0.1:9/' })
    await tell(rig, { type: 'rgb_led_control', requestId: 'l', action: 'on' })
    await tell(rig, { type: 'start_rtmp_stream', streamId: 's', rtmpUrl: 'rtmp://127.0.0.1/x' })
    await tell(rig, { type: 'start_stream', streamId: 's2', streamUrl: 'rtmp://127.0.0.1/x' })
    await delivered(rig.phone, rig.connection)
    const [photo] = rig.connection.frames('photo_response')
    assert.deepEqual(
      [photo?.requestId, photo?.success, photo?.errorCode],
      ['p', false, 'CAMERA_NOT_AVAILABLE'],
    )
    assert.deepEqual(rig.connection.frames('rgb_led_control_response'), [
      { type: 'rgb_led_control_response', requestId: 'l', success: false, error: 'device_not_supported' },
    ])
    assert.equal(rig.connection.frames('rtmp_stream_status')[0]?.status, 'error')
    assert.equal(rig.connection.frames('stream_status')[0]?.streamId, 's2')
  })

  test('the time on the lens is right within a minute', async (t) => {
    const clock = new ManualClock()
    const glasses = new RecordingGlasses()
    const rig = await wear(t, glasses, { clock })
    await show(rig, 'at $TIME24$')
    const [before] = glasses.lines
    await clock.advance(60_000)
    assert.notEqual(glasses.lines[0], before)
    await show(rig, 'no time')
    const shown = glasses.pages.length
    await clock.advance(120_000)
    assert.equal(glasses.pages.length, shown)
  })

  test('a phone that was disconnected lets go of the glasses, and can be used again', async (t) => {
    const glasses = new RecordingGlasses()
    const rig = await wear(t, glasses)
    await show(rig, 'words')
    const closed = once(rig.phone, 'close')
    await rig.phone.disconnect()
    await closed
    assert.equal(glasses.isLinked, false)
    await rig.phone.connect()
    assert.deepEqual(glasses.lines, ['words'], 'the glasses were cleared, the phone was not')
    assert.equal(glasses.pages.length, 2)
    const connection = await rig.cloud.connection(1)
    await delivered(rig.phone, connection)
    assert.equal(states(connection).length, 1)
  })
})
