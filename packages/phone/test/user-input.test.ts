import assert from 'node:assert/strict'
import { once } from 'node:events'
import { describe, type TestContext, test } from 'node:test'
import { Glasses, type GlassesOptions, silence, tone } from '../src/index.ts'
import { sendAudio } from '../src/simulated/send-audio.ts'
import { type ClientConnection, FakeCloud } from './support/fake-cloud.ts'
import { ManualClock } from './support/manual-clock.ts'

async function connectGlasses(
  t: TestContext,
  options: Partial<GlassesOptions> = {},
): Promise<[Glasses, ClientConnection]> {
  const cloud = await FakeCloud.start(t)
  const glasses = new Glasses({ url: cloud.url, token: 't', ...options })
  t.after(() => glasses.disconnect())
  await glasses.connect()
  return [glasses, await cloud.connection(0)]
}

/** Resolves when the cloud has received everything sent before. */
async function waitForDelivery(glasses: Glasses, connection: ClientConnection): Promise<void> {
  glasses.send({ type: 'ping' })
  await connection.frame('ping')
}

/** Sends the microphone state as the cloud does. */
async function requireData(glasses: Glasses, connection: ClientConnection, ...data: string[]): Promise<void> {
  const changed = once(glasses, 'microphone')
  connection.send({ type: 'microphone_state_change', requiredData: data })
  await changed
}

describe('Speech', () => {
  test('results are sent only while the cloud requires transcriptions', async (t) => {
    const [glasses, connection] = await connectGlasses(t)
    const speak = (options = {}) => glasses.speak('one two', options)
    const skipped = { resultsSent: 0, resultsSkipped: 3 }
    const sent = { resultsSent: 3, resultsSkipped: 0 }
    assert.deepEqual(await speak(), skipped)
    await requireData(glasses, connection, 'pcm')
    assert.deepEqual(await speak(), skipped)
    assert.deepEqual(await speak({ offlineMode: true }), sent)
    await requireData(glasses, connection, 'transcription')
    assert.deepEqual(await speak(), sent)
    await requireData(glasses, connection, 'pcm', 'transcription')
    assert.deepEqual(await speak(), sent)
    await requireData(glasses, connection, 'pcm_or_transcription')
    assert.deepEqual(await speak(), sent)
    await requireData(glasses, connection)
    assert.deepEqual(await speak(), skipped)
    await waitForDelivery(glasses, connection)
    assert.equal(connection.frames('local_transcription').length, 12)
  })

  test('live audio is reported as voice activity while only transcriptions are required', async (t) => {
    const clock = new ManualClock()
    const [glasses, connection] = await connectGlasses(t, { clock })
    const send = (pcm: Uint8Array) => glasses.sendAudioFrame(pcm)
    await send(tone(20))
    await requireData(glasses, connection, 'pcm', 'transcription')
    assert.equal(await send(tone(20)), true)
    await requireData(glasses, connection, 'transcription')
    for (let frame = 0; frame < 50; frame += 1) {
      assert.equal(await send(tone(20)), false)
      await clock.advance(20)
    }
    await send(silence(20))
    await clock.advance(679)
    await waitForDelivery(glasses, connection)
    assert.deepEqual(
      connection.frames('VAD').map(({ status }) => status),
      [true],
    )
    await clock.advance(1)
    await send(tone(20))
    await connection.frame('VAD', () => connection.frames('VAD').length === 3)
    assert.deepEqual(
      connection.frames('VAD').map(({ status }) => status),
      [true, false, true],
    )
  })

  test('SIM-40: iOS phones', async (t) => {
    const clock = new ManualClock()
    const [glasses, connection] = await connectGlasses(t, { clock })
    await requireData(glasses, connection, 'transcription')
    await glasses.speak('  good morning all ', { language: 'de-DE', speakerId: 2 })
    await waitForDelivery(glasses, connection)
    const results = connection.frames('local_transcription')
    assert.deepEqual(
      results.map(({ text, isFinal }) => [text, isFinal]),
      [
        ['good', false],
        ['good morning', false],
        ['good morning all', false],
        ['good morning all', true],
      ],
    )
    assert.deepEqual(results.at(-1), {
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
    const [glasses, connection] = await connectGlasses(t)
    await requireData(glasses, connection, 'transcription')
    await glasses.speak('hello there', { phone: 'android', interim: false })
    await waitForDelivery(glasses, connection)
    assert.deepEqual(connection.frames('local_transcription'), [
      { type: 'local_transcription', text: 'hello there', isFinal: true, language: 'en-US' },
    ])
  })

  test('one word at a time', async (t) => {
    const clock = new ManualClock()
    const [glasses, connection] = await connectGlasses(t, { clock })
    await requireData(glasses, connection, 'transcription')
    const spoken = glasses.speak('one two', { wordMs: 100 })
    await clock.advance(100)
    await waitForDelivery(glasses, connection)
    assert.equal(connection.frames('local_transcription').length, 2)
    await clock.advance(100)
    await spoken
    await waitForResults(connection, 3)
    const [first, , last] = connection.frames('local_transcription')
    assert.equal(Number(last?.endTime) - Number(first?.startTime), 200)
  })
})

describe('Audio', () => {
  test('SIM-42: nothing is sent while the microphone is off', async (t) => {
    const [glasses, connection] = await connectGlasses(t)
    assert.deepEqual(await glasses.playAudio(silence(100), { pace: 'fast' }), {
      framesSent: 0,
      framesSkipped: 5,
    })
    connection.send({ type: 'microphone_state_change', isMicrophoneEnabled: true, requiredData: ['pcm'] })
    await glasses.waitForMicrophone(true)
    const pcm = tone(100)
    assert.deepEqual(await glasses.playAudio(pcm, { pace: 'fast', frameMs: 30 }), {
      framesSent: 4,
      framesSkipped: 0,
    })
    await waitForDelivery(glasses, connection)
    const sent = connection.received.filter((frame) => Buffer.isBuffer(frame))
    assert.deepEqual(
      sent.map((frame) => frame.length),
      [960, 960, 960, 320],
    )
    assert.deepEqual(Buffer.concat(sent), pcm)

    await requireData(glasses, connection, 'transcription')
    assert.equal((await glasses.playAudio(silence(20), { pace: 'fast' })).framesSent, 0, 'no PCM is required')
    await requireData(glasses, connection, 'pcm_or_transcription')
    assert.equal((await glasses.playAudio(silence(20), { pace: 'fast' })).framesSent, 1)

    // `isMicrophoneEnabled` contradicts `requiredData`: phones read only the latter.
    connection.send({ type: 'microphone_state_change', isMicrophoneEnabled: true, requiredData: [] })
    await glasses.waitForMicrophone(false)
    const after = await glasses.playAudio(silence(40), { pace: 'fast', ignoreMicrophone: true })
    assert.deepEqual(after, { framesSent: 2, framesSkipped: 0 })
  })

  test('SIM-42: a new connection starts with the microphone off', async (t) => {
    const [glasses, connection] = await connectGlasses(t)
    connection.send({ type: 'microphone_state_change', requiredData: ['pcm'] })
    await glasses.waitForMicrophone(true)
    glasses.loseConnection()
    await glasses.waitForMicrophone(false)
    assert.deepEqual(await glasses.playAudio(silence(20), { pace: 'fast' }), {
      framesSent: 0,
      framesSkipped: 1,
    })
  })

  test('SIM-42: in real time each frame has its own due time; a late one does not delay the rest', async () => {
    const clock = new ManualClock()
    const start = clock.now()
    const sentAt: number[] = []
    const result = sendAudio(
      silence(100),
      { frameMs: 20 },
      {
        clock,
        isOn: () => true,
        send: async () => {
          sentAt.push(clock.now() - start)
          // The third frame takes 30 ms to send.
          if (sentAt.length === 3) await new Promise<void>((done) => clock.setTimeout(done, 30))
        },
      },
    )
    await clock.advance(200)
    assert.deepEqual(await result, { framesSent: 5, framesSkipped: 0 })
    assert.deepEqual(sentAt, [0, 20, 40, 70, 80])
  })
})

describe('Buttons, head, touch, battery and position', () => {
  test('are sent with the fields of the protocol', async (t) => {
    const clock = new ManualClock()
    const [glasses, connection] = await connectGlasses(t, { clock })
    glasses.sendVad(true)
    glasses.sendVad(false, 'vad')
    glasses.pressButton()
    glasses.pressButton('left', 'long')
    glasses.moveHead('up')
    glasses.touch('single_tap')
    glasses.reportBattery(40, true)
    glasses.reportPosition(52.5, 13.4, { accuracy: 8, correlationId: 'poll_1' })
    await waitForDelivery(glasses, connection)
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

  test('SIM-24: placeholders for battery and connection are replaced', async (t) => {
    const [glasses, connection] = await connectGlasses(t)
    const layout = { layoutType: 'text_wall', text: '$GBATT$ $CONNECTION_STATUS$' }
    connection.send({ type: 'display_event', view: 'main', layout })
    await glasses.waitForDisplay('Connected')
    glasses.reportBattery(40)
    assert.equal(glasses.display.text, '40% Connected')
    await glasses.disconnect()
    assert.equal(glasses.display.text, '40% Disconnected')
  })
})

async function waitForResults(connection: ClientConnection, count: number): Promise<void> {
  while (connection.frames('local_transcription').length < count) {
    await once(connection, 'frame', { signal: AbortSignal.timeout(20_000) })
  }
}
