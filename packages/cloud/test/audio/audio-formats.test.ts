import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Message } from '@glasses-cloud/contract'
import { Glasses, tone } from '@glasses-cloud/phone'
import { Lc3Encoder } from '@glasses-cloud/phone/lc3'
import { defaultLimits, type SocketLimits } from '../../src/sockets/index.ts'
import { bearer, SocketClient } from '../../src/sockets/testing/socket-client.ts'
import { type Clock, systemClock } from '../../src/time/index.ts'
import { VirtualClock } from '../../src/time/testing/virtual-clock.ts'
import { startAppServer } from '../support/app-server.ts'
import type { Scope } from '../support/scope.ts'
import { startCloud } from '../support/test-cloud.ts'
import { toneShare } from '../support/tone.ts'

const packageName = 'dev.example.listener'
const email = 'ann-marie@example.org'
const path = '/api/client/audio/configure'
const sizes = [20, 40, 60] as const

const lc3Config = (frameSizeBytes: number) => ({ sampleRate: 16_000, frameDurationMs: 10, frameSizeBytes })
const lc3 = (frameSizeBytes: number) => ({ format: 'lc3', lc3Config: lc3Config(frameSizeBytes) })
const pcm = { format: 'pcm', lc3Config: null }

/** Limits that admit audio faster than real time. */
const generousLimits: Partial<SocketLimits> = { audioBytesPerSecond: 10_000_000 }

/** A corrupt LC3 frame. */
const damaged = (bytes: number) => Buffer.alloc(bytes, 0xff)

/**
 * Starts a cloud with an app that subscribes to audio and may read recent audio. The default clock does not advance, so
 * audio does not age on a slow machine.
 */
async function createAudioRig(
  t: Scope,
  { clock = new VirtualClock(Date.now()) as Clock, limits = generousLimits } = {},
) {
  const cloud = await startCloud(t, {
    env: { AUDIO_PACKAGE: packageName, LOG_LEVEL: 'info' },
    overrides: { clock, limits },
  })
  const token = await cloud.token(email)
  const server = await startAppServer(t, packageName)
  server.behavior = 'never-connect'
  const { apiKey } = await cloud.registerApp({
    packageName,
    publicUrl: server.url,
    permissions: [{ type: 'MICROPHONE' }],
  })
  const connect = async () => {
    const glasses = await SocketClient.open(t, `${cloud.wsUrl}/glasses-ws`, bearer(token))
    await glasses.next('connection_ack')
    return glasses
  }
  const configure = (body: unknown) => cloud.request<Record<string, unknown>>('POST', path, { token, body })
  /** Starts the app and subscribes it to audio. The microphone is enabled once the cloud has applied the subscription. */
  const startListener = async (glasses: { send(message: Message): void }): Promise<SocketClient> => {
    glasses.send({ type: 'start_app', packageName })
    const { sessionId } = await server.called('session_request')
    const app = await SocketClient.open(t, `${cloud.wsUrl}/app-ws`)
    app.send({ type: 'tpa_connection_init', packageName, apiKey, sessionId })
    await app.next('tpa_connection_ack')
    app.send({ type: 'subscription_update', subscriptions: ['audio_chunk'] })
    return app
  }
  return {
    cloud,
    token,
    connect,
    configure,
    configured: async (body: unknown) => assert.equal((await configure(body)).status, 200),
    startListener,
    /** Starts the app and waits until the microphone is enabled. */
    async listening(glasses: SocketClient): Promise<SocketClient> {
      const app = await startListener(glasses)
      while ((await glasses.next('microphone_state_change')).isMicrophoneEnabled !== true);
      return app
    },
    /** Calls `GET /api/audio`. */
    async recent(): Promise<{ status: number; sound: Buffer }> {
      const query = new URLSearchParams({ apiKey, packageName, userId: email })
      const response = await fetch(`${cloud.url}/api/audio/${email}?${query}`)
      return { status: response.status, sound: Buffer.from(await response.arrayBuffer()) }
    },
    async metrics(): Promise<string> {
      return await (await fetch(`${cloud.url}/metrics`)).text()
    },
  }
}

/** Waits until the cloud has read all messages that the glasses sent so far. */
async function flushMessages(glasses: SocketClient): Promise<void> {
  glasses.send({ type: 'ping' })
  await glasses.next('pong')
}

/** Sends PCM encoded as LC3, 20 ms per message. */
async function sendLc3(glasses: SocketClient, sound: Buffer, size: number): Promise<void> {
  const frames = new Lc3Encoder(size).encode(sound)
  for (let at = 0; at < frames.length; at += 2 * size) glasses.send(frames.subarray(at, at + 2 * size))
  await flushMessages(glasses)
}

/** Waits for a number of audio frames at an app, and removes and returns them. */
async function takeAudio(app: SocketClient, frames: number): Promise<Buffer> {
  await app.waitForAudio(frames)
  return Buffer.concat(app.audio.splice(0))
}

describe('audio formats', () => {
  test('MIC-35 MIC-36 RAU-5: LC3 of each frame size reaches apps and recent audio as PCM', async (t) => {
    const { connect, configure, listening, recent } = await createAudioRig(t)
    const glasses = await connect()
    const app = await listening(glasses)
    let all = Buffer.alloc(0)
    for (const [n, size] of sizes.entries()) {
      const { status, body } = await configure(lc3(size))
      const { message, timestamp, ...rest } = body
      assert.deepEqual([status, rest], [200, { success: true, ...lc3(size) }])
      assert.ok(message && timestamp)
      const frequency = 300 + n * 200
      await sendLc3(glasses, tone(600, frequency), size)
      const sound = await takeAudio(app, 30)
      assert.equal(sound.length, 600 * 32)
      assert.ok(toneShare(sound, frequency) > 0.95, `${size} bytes: ${toneShare(sound, frequency)}`)
      all = Buffer.concat([all, sound])
    }
    assert.deepEqual((await recent()).sound, all)
  })

  test('MIC-30 MIC-35: the format may change during a connection; repeating it has no effect', async (t) => {
    const { connect, configure, configured, listening } = await createAudioRig(t)
    const glasses = await connect()
    const app = await listening(glasses)
    glasses.send(Uint8Array.of(1, 2, 3))
    await flushMessages(glasses)
    const { timestamp, message, ...rest } = (await configure(pcm)).body
    assert.deepEqual(rest, { success: true, ...pcm })
    glasses.send(Uint8Array.of(4))
    await flushMessages(glasses)
    assert.deepEqual(await takeAudio(app, 2), Buffer.of(1, 2, 3, 4), 'a sample was split')
    await configured(lc3(40))
    const frames = new Lc3Encoder(40).encode(tone(400))
    glasses.send(frames.subarray(0, 800))
    await flushMessages(glasses)
    await configured(lc3(40))
    glasses.send(frames.subarray(800))
    await flushMessages(glasses)
    const sound = await takeAudio(app, 2)
    assert.equal(sound.length, 400 * 32)
    assert.ok(toneShare(sound.subarray(3_200), 440) > 0.99, 'the decoder was reset')
    await configured({ format: 'pcm' })
    glasses.send(Uint8Array.of(5, 6))
    await flushMessages(glasses)
    assert.deepEqual(await takeAudio(app, 1), Buffer.of(5, 6))
  })

  test('MIC-31: fields left out have defaults', async (t) => {
    const { connect, configure } = await createAudioRig(t)
    await connect()
    const defaults = lc3(20)
    for (const body of [
      { format: 'lc3' },
      { format: 'lc3', lc3Config: null },
      { format: 'lc3', lc3Config: {} },
      { format: 'lc3', lc3Config: { frameDurationMs: 10 } },
    ])
      assert.deepEqual((await configure(body)).body.lc3Config, defaults.lc3Config)
    const { body } = await configure({ format: 'lc3', lc3Config: { frameSizeBytes: 60 } })
    assert.deepEqual(body.lc3Config, lc3Config(60))
    const inOtherForms = {
      format: 'LC3',
      lc3Config: { sampleRate: '16000', frameDurationMs: null, frameSizeBytes: '40' },
    }
    assert.deepEqual((await configure(inOtherForms)).body.lc3Config, lc3Config(40), 'PHN-65')
  })

  test('MIC-32: an invalid format returns 400 with a reason and keeps the previous format', async (t) => {
    const { connect, configure, configured, listening } = await createAudioRig(t)
    const glasses = await connect()
    const app = await listening(glasses)
    await configured(lc3(40))
    const invalid: [body: unknown, field: RegExp][] = [
      [{}, /^format is required/],
      [{ format: 'opus' }, /^format must be one of pcm, lc3/],
      [{ format: 'lc3', lc3Config: { ...lc3Config(40), frameSizeBytes: 'large' } }, /frameSizeBytes/],
      [{ format: 'lc3', lc3Config: { ...lc3Config(40), sampleRate: 48_000 } }, /sampleRate must be 16000/],
      [
        { format: 'lc3', lc3Config: { ...lc3Config(40), frameDurationMs: 7.5 } },
        /frameDurationMs must be 10/,
      ],
      [lc3(30), /frameSizeBytes must be one of 20, 40, 60/],
      [lc3(0), /frameSizeBytes/],
      [lc3(1e9), /frameSizeBytes/],
      [{ format: 'lc3', lc3Config: 'low' }, /lc3Config/],
      [[], /./],
    ]
    for (const [body, field] of invalid) {
      const response = await configure(body)
      assert.deepEqual([response.status, Object.keys(response.body)], [400, ['error']], JSON.stringify(body))
      assert.match(String(response.body.error), field)
    }
    await sendLc3(glasses, tone(200), 40)
    assert.ok(toneShare((await takeAudio(app, 10)).subarray(640), 440) > 0.99)
  })

  test('MIC-33: without a session with connected glasses it returns 503', async (t) => {
    const { connect, configure } = await createAudioRig(t)
    const noSession = { status: 503, body: { error: 'NO_ACTIVE_SESSION' } }
    const response = async (body: unknown) => {
      const { status, body: said } = await configure(body)
      return { status, body: said }
    }
    assert.deepEqual(await response(lc3(20)), noSession)
    const glasses = await connect()
    assert.equal((await response(lc3(20))).status, 200)
    glasses.ws.close()
    await glasses.closed()
    // The cloud may notice the closed connection a little later.
    const deadline = Date.now() + 20_000
    while ((await response(lc3(20))).status === 200) assert.ok(Date.now() < deadline)
    assert.deepEqual(await response(lc3(20)), noSession)
  })

  test('MIC-34: each connection starts with PCM, also after a takeover', async (t) => {
    const { connect, configured, listening } = await createAudioRig(t)
    const phone = await connect()
    const app = await listening(phone)
    await configured(lc3(40))
    await sendLc3(phone, tone(100), 40)
    await takeAudio(app, 5)
    // A client without format support takes over.
    const headless = await connect()
    headless.send(Uint8Array.of(1, 2, 3, 4))
    await flushMessages(headless)
    assert.deepEqual(await takeAudio(app, 1), Buffer.of(1, 2, 3, 4))
    const again = await connect()
    await configured(lc3(20))
    await sendLc3(again, tone(200), 20)
    assert.ok(toneShare((await takeAudio(app, 10)).subarray(640), 440) > 0.95)
  })

  test('MIC-34 MIC-36 SIM-56: a phone that reconnects configures its format again, and audio continues', async (t) => {
    const { cloud, token, startListener, recent } = await createAudioRig(t)
    const sound = { format: 'lc3', frameSizeBytes: 40 } as const
    const glasses = new Glasses({
      url: cloud.url,
      token,
      audioFormat: sound,
      reconnect: { firstMs: 1, maxMs: 1 },
    })
    t.after(() => glasses.disconnect())
    await glasses.connect()
    const app = await startListener(glasses)
    let flushMessages = Buffer.alloc(0)
    for (const frequency of [300, 700]) {
      await glasses.waitForMicrophone(true)
      await glasses.playAudio(tone(400, frequency), { pace: 'fast' })
      const pcmChunk = await takeAudio(app, 20)
      assert.ok(toneShare(pcmChunk.subarray(640), frequency) > 0.99)
      flushMessages = Buffer.concat([flushMessages, pcmChunk])
      glasses.loseConnection()
      await glasses.waitForMicrophone(false)
    }
    assert.deepEqual((await recent()).sound, flushMessages)
  })

  test('MIC-37 MIC-39 RAU-15: frames of wrong length', async (t) => {
    const { cloud, connect, configured, listening, recent, metrics } = await createAudioRig(t)
    const glasses = await connect()
    const app = await listening(glasses)
    await configured(lc3(40))
    for (let n = 0; n < 20; n += 1) glasses.send(damaged(80))
    for (let n = 0; n < 20; n += 1) glasses.send(Buffer.alloc(70))
    await flushMessages(glasses)
    assert.match(await metrics(), /glasses_audio_undecodable_total 60\n/)
    const undecodableLogs = () => cloud.logged.filter(({ event }) => event === 'audio_undecodable').length
    assert.equal(undecodableLogs(), 1)
    const { status, sound } = await recent()
    assert.deepEqual([status, JSON.parse(String(sound))], [404, { error: 'No decodable audio available' }])
    await sendLc3(glasses, tone(200), 40)
    const decoded = await takeAudio(app, 10)
    assert.equal(decoded.length, 200 * 32, 'damaged frames were forwarded')
    assert.deepEqual((await recent()).sound, decoded)
    await configured(lc3(20))
    for (let n = 0; n < 2; n += 1) glasses.send(damaged(20))
    await flushMessages(glasses)
    assert.equal(undecodableLogs(), 2)
  })

  test('MIC-40: LC3 audio is limited by the size of its decoded PCM', async (t) => {
    const { connect, configured, listening, recent } = await createAudioRig(t, { limits: defaultLimits })
    const glasses = await connect()
    await listening(glasses)
    await configured(lc3(20))
    // The budget admits four seconds at once: 400 frames. A message of 64 KiB would be 30 s.
    glasses.send(damaged(65_520))
    assert.equal((await glasses.next('connection_error')).code, 'RATE_LIMITED')
    assert.equal((await recent()).status, 404)
    glasses.send(damaged(65_540))
    assert.equal((await glasses.next('connection_error')).code, 'FRAME_TOO_LARGE')
    await sendLc3(glasses, tone(500), 20)
    assert.equal((await recent()).sound.length, 500 * 32)
  })

  test('MIC-2 MIC-9: a change of the setting bypassVad is sent to the glasses, whatever its source', async (t) => {
    const { cloud, token, connect } = await createAudioRig(t, { clock: systemClock })
    const glasses = await connect()
    assert.equal((await glasses.next('microphone_state_change')).bypassVad, false)
    const settings = { bypass_vad_for_debugging: true }
    await cloud.request('POST', '/api/client/user/settings', { token, body: { settings } })
    assert.equal((await glasses.next('microphone_state_change')).bypassVad, true)
    const status = {
      core_info: { bypass_vad_for_debugging: false },
      connected_glasses: {},
      glasses_settings: {},
    }
    glasses.send({ type: 'core_status_update', status: { status } })
    assert.equal((await glasses.next('microphone_state_change')).bypassVad, false)
    glasses.ws.close()
    await glasses.closed()
    await cloud.request('POST', '/api/client/user/settings', { token, body: { settings } })
    const again = await connect()
    while ((await again.next('microphone_state_change')).bypassVad !== true);
  })
})
