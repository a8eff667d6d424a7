import assert from 'node:assert/strict'
import { once } from 'node:events'
import { describe, type TestContext, test } from 'node:test'
import { sendAudio } from '../src/audio/send-audio.ts'
import { Glasses, type GlassesOptions, silence, tone } from '../src/index.ts'
import { type ClientConnection, FakeCloud } from './support/fake-cloud.ts'
import { ManualClock } from './support/manual-clock.ts'

async function connected(
  t: TestContext,
  options: Partial<GlassesOptions> = {},
): Promise<[Glasses, ClientConnection]> {
  const cloud = await FakeCloud.open(t)
  const glasses = new Glasses({ url: cloud.url, token: 't', ...options })
  t.after(() => glasses.disconnect())
  await glasses.connect()
  return [glasses, await cloud.connection(0)]
}

/** Everything a glasses client sent before this moment has arrived when this resolves. */
async function arrived(glasses: Glasses, connection: ClientConnection): Promise<void> {
  glasses.send({ type: 'ping' })
  await connection.frame('ping')
}

describe('Speech', () => {
  test('SIM-40: iOS phones', async (t) => {
    const clock = new ManualClock()
    const [glasses, connection] = await connected(t, { clock })
    await glasses.speak('  good morning all ', { language: 'de-DE', speakerId: 2 })
    await arrived(glasses, connection)
    const said = connection.frames('local_transcription')
    assert.deepEqual(
      said.map(({ text, isFinal }) => [text, isFinal]),
      [
        ['good', false],
        ['good morning', false],
        ['good morning all', false],
        ['good morning all', true],
      ],
    )
    assert.deepEqual(said.at(-1), {
      type: 'local_transcription',
      text: 'good morning all',
      isFinal: true,
      startTime: clock.now(),
      endTime: clock.now(),
      speakerId: 2,
      transcribeLanguage: 'de-DE',
      provider: 'sherpa-onnx',
    })
  })

  test('SIM-40: Android phones, and without interim results', async (t) => {
    const [glasses, connection] = await connected(t)
    await glasses.speak('hello there', { phone: 'android', interim: false })
    await arrived(glasses, connection)
    assert.deepEqual(connection.frames('local_transcription'), [
      { type: 'local_transcription', text: 'hello there', isFinal: true, language: 'en-US' },
    ])
  })

  test('SIM-41: a word at a time', async (t) => {
    const clock = new ManualClock()
    const [glasses, connection] = await connected(t, { clock })
    const spoken = glasses.speak('one two', { wordMs: 100 })
    await clock.advance(100)
    await arrived(glasses, connection)
    assert.equal(connection.frames('local_transcription').length, 2)
    await clock.advance(100)
    await spoken
    await glassesSent(connection, 3)
    const [first, , last] = connection.frames('local_transcription')
    assert.equal(Number(last?.endTime) - Number(first?.startTime), 200)
  })
})

describe('Sound', () => {
  test('SIM-42: nothing is sent while the microphone is off', async (t) => {
    const [glasses, connection] = await connected(t)
    assert.deepEqual(await glasses.playAudio(silence(100), { pace: 'fast' }), {
      framesSent: 0,
      framesSkipped: 5,
    })
    connection.send({ type: 'microphone_state_change', isMicrophoneEnabled: true, requiredData: ['pcm'] })
    await glasses.waitForMicrophone(true)
    const sound = tone(100)
    assert.deepEqual(await glasses.playAudio(sound, { pace: 'fast', frameMs: 30 }), {
      framesSent: 4,
      framesSkipped: 0,
    })
    await arrived(glasses, connection)
    const sent = connection.received.filter((frame) => Buffer.isBuffer(frame))
    assert.deepEqual(
      sent.map((frame) => frame.length),
      [960, 960, 960, 320],
    )
    assert.deepEqual(Buffer.concat(sent), sound)

    // The switch says on, the required data says nothing is wanted: phones believe the latter.
    connection.send({ type: 'microphone_state_change', isMicrophoneEnabled: true, requiredData: [] })
    await glasses.waitForMicrophone(false)
    const after = await glasses.playAudio(silence(40), { pace: 'fast', ignoreMicrophone: true })
    assert.deepEqual(after, { framesSent: 2, framesSkipped: 0 })
  })

  test('SIM-42: a new connection begins with the microphone off', async (t) => {
    const [glasses, connection] = await connected(t)
    connection.send({ type: 'microphone_state_change', requiredData: ['pcm'] })
    await glasses.waitForMicrophone(true)
    glasses.loseConnection()
    await glasses.waitForMicrophone(false)
    assert.deepEqual(await glasses.playAudio(silence(20), { pace: 'fast' }), {
      framesSent: 0,
      framesSkipped: 1,
    })
  })

  test('SIM-42: real time means a frame each time its moment comes, late ones not delaying the rest', async () => {
    const clock = new ManualClock()
    const start = clock.now()
    const moments: number[] = []
    const played = sendAudio(
      silence(100),
      { frameMs: 20 },
      {
        clock,
        isOn: () => true,
        send: async () => {
          moments.push(clock.now() - start)
          // The third frame takes long to get away.
          if (moments.length === 3) await new Promise<void>((done) => clock.setTimeout(done, 30))
        },
      },
    )
    await clock.advance(200)
    assert.deepEqual(await played, { framesSent: 5, framesSkipped: 0 })
    assert.deepEqual(moments, [0, 20, 40, 70, 80])
  })
})

describe('Buttons, head and the rest', () => {
  test('SIM-44: each with the fields of the protocol', async (t) => {
    const clock = new ManualClock()
    const [glasses, connection] = await connected(t, { clock })
    glasses.sendVad(true)
    glasses.sendVad(false, 'vad')
    glasses.pressButton()
    glasses.pressButton('left', 'long')
    glasses.moveHead('up')
    glasses.touch('single_tap')
    glasses.reportBattery(40, true)
    glasses.reportPosition(52.5, 13.4, { accuracy: 8, correlationId: 'poll_1' })
    await arrived(glasses, connection)
    const timestamp = clock.now()
    assert.deepEqual(
      connection.received
        .filter((frame) => !('status' in frame) || frame.type !== 'glasses_connection_state')
        .slice(0, -1),
      [
        { type: 'VAD', status: true },
        { type: 'vad', status: false },
        { type: 'button_press', buttonId: 'camera', pressType: 'short', timestamp },
        { type: 'button_press', buttonId: 'left', pressType: 'long', timestamp },
        { type: 'head_position', position: 'up', timestamp },
        { type: 'touch_event', device_model: 'Simulated Glasses', gesture_name: 'single_tap', timestamp },
        { type: 'glasses_battery_update', level: 40, charging: true, timestamp },
        { type: 'location_update', lat: 52.5, lng: 13.4, accuracy: 8, correlationId: 'poll_1', timestamp },
      ],
    )
  })

  test('SIM-24: the lens knows the battery and the connection', async (t) => {
    const [glasses, connection] = await connected(t)
    const layout = { layoutType: 'text_wall', text: '$GBATT$ $CONNECTION_STATUS$' }
    connection.send({ type: 'display_event', view: 'main', layout })
    await glasses.waitForDisplay('Connected')
    glasses.reportBattery(40)
    assert.equal(glasses.display.text, '40% Connected')
    await glasses.disconnect()
    assert.equal(glasses.display.text, '40% Disconnected')
  })
})

async function glassesSent(connection: ClientConnection, count: number): Promise<void> {
  while (connection.frames('local_transcription').length < count) {
    await once(connection, 'frame', { signal: AbortSignal.timeout(5_000) })
  }
}
