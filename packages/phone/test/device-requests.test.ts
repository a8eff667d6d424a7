import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, type TestContext, test } from 'node:test'
import { Glasses, type GlassesOptions, type PlayedAudio } from '../src/index.ts'
import { type ClientConnection, FakeCloud } from './support/fake-cloud.ts'
import { ManualClock } from './support/manual-clock.ts'

const chime = await readFile(new URL('../../../apps/tour/public/chime.wav', import.meta.url))

/** A web server with an audio file, a text and an error; it rejects requests with credentials. */
async function startWebsite(t: TestContext): Promise<string> {
  const server = createServer((request, response) => {
    const { authorization, cookie } = request.headers
    if (authorization ?? cookie) response.writeHead(400).end()
    else if (request.url === '/chime.wav') response.setHeader('content-type', 'audio/wav').end(chime)
    else if (request.url === '/text') response.setHeader('content-type', 'audio/mpeg').end('not audio')
    else response.writeHead(500).end(JSON.stringify({ message: 'Synthesis failed' }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function connectGlasses(
  t: TestContext,
  options: Partial<GlassesOptions> = {},
): Promise<[Glasses, ClientConnection]> {
  const cloud = await FakeCloud.start(t)
  const glasses = new Glasses({ url: cloud.url, token: 'core-token', ...options })
  t.after(() => glasses.disconnect())
  await glasses.connect()
  return [glasses, await cloud.connection(0)]
}

/** Sends `audio_play_request` and waits for the end of the playback. */
async function play(glasses: Glasses, connection: ClientConnection, request: object): Promise<PlayedAudio> {
  const ended = once(glasses, 'audioPlayed', { signal: AbortSignal.timeout(20_000) })
  connection.send({ type: 'audio_play_request', requestId: 'r', appId: 'a.b', ...request })
  return (await ended)[0]
}

/** The `audio_play_response` frames sent so far. */
async function listResponses(glasses: Glasses, connection: ClientConnection): Promise<unknown[][]> {
  const marker = crypto.randomUUID()
  glasses.send({ type: 'ping', marker })
  while (!connection.frames('ping').some((ping) => ping.marker === marker))
    await once(connection, 'frame', { signal: AbortSignal.timeout(20_000) })
  return connection
    .frames('audio_play_response')
    .map(({ requestId, success, error, duration }) => [requestId, success, error, duration])
}

describe('Audio player', () => {
  test('a sound takes as long as its duration, and is answered with it', async (t) => {
    const clock = new ManualClock()
    const [glasses, connection] = await connectGlasses(t, { clock })
    const site = await startWebsite(t)
    const ended = once(glasses, 'audioPlayed', { signal: AbortSignal.timeout(20_000) })
    connection.send({
      type: 'audio_play_request',
      requestId: 'r1',
      appId: 'a.b',
      audioUrl: `${site}/chime.wav`,
    })
    let hasEnded = false
    void ended.then(() => {
      hasEnded = true
    })
    // The fetch takes real time, the playback takes time of the manual clock.
    const startedAt = clock.now()
    while (!hasEnded) await clock.advance(50)
    assert.ok(clock.now() - startedAt >= 300)
    const [played] = await ended
    const { durationSeconds, error, volume, trackId } = played
    assert.deepEqual([durationSeconds, error, volume, trackId], [0.3, undefined, 1, 0])
    assert.deepEqual(await listResponses(glasses, connection), [['r1', true, null, 0.3]])
  })

  test('audio that cannot be played is answered with the reason', async (t) => {
    const [glasses, connection] = await connectGlasses(t)
    const site = await startWebsite(t)
    for (const [audioUrl, message] of [
      [`${site}/text`, 'The audio URL returned no playable audio'],
      [`${site}/none`, 'The audio URL returned status 500: Synthesis failed'],
      ['http://127.0.0.1:1/', 'The audio URL is unreachable'],
      ['nonsense', 'The audio URL is unreachable'],
    ])
      assert.equal((await play(glasses, connection, { audioUrl })).error, message)
    glasses.audioPlayer.behavior = { kind: 'fail', error: 'The speaker does not work' }
    assert.equal((await play(glasses, connection, { audioUrl: site })).error, 'The speaker does not work')
    const responses = await listResponses(glasses, connection)
    assert.deepEqual(responses.at(-1), ['r', false, 'The speaker does not work', null])
    glasses.audioPlayer.behavior = { kind: 'ignore' }
    connection.send({ type: 'audio_play_request', requestId: 'r9', appId: 'a.b', audioUrl: site })
    await glasses.waitForMessage('audio_play_request', ({ requestId }) => requestId === 'r9')
    glasses.audioPlayer.behavior = { kind: 'play' }
    // If the ignored request were playing, this one would stop it, and that event would be first.
    assert.equal((await play(glasses, connection, { audioUrl: `${site}/text` })).requestId, 'r')
    assert.ok((await listResponses(glasses, connection)).every(([requestId]) => requestId !== 'r9'))
  })

  test('playback ends early at a stop, and when other audio starts', async (t) => {
    // With a manual clock no playback ends by itself.
    const [glasses, connection] = await connectGlasses(t, { clock: new ManualClock() })
    const site = await startWebsite(t)
    const ended: string[] = []
    glasses.on('audioPlayed', ({ requestId, error }) => ended.push(`${requestId} ${error}`))
    const request = (requestId: string, more: object) => {
      const audioUrl = `${site}/chime.wav`
      connection.send({ type: 'audio_play_request', requestId, appId: 'a.b', audioUrl, ...more })
    }
    const stop = async (more: object) => {
      connection.send({ type: 'audio_stop_request', ...more })
      await glasses.waitForMessage('audio_stop_request')
    }
    const parallel = { stopOtherAudio: false }
    request('r1', { ...parallel, trackId: 1 })
    request('r2', { ...parallel, trackId: 2 })
    request('r3', { ...parallel, appId: 'c.d' })
    await stop({ appId: 'a.b', trackId: 2 })
    await stop({ appId: 'c.d' })
    while (ended.length < 2) await once(glasses, 'audioPlayed', { signal: AbortSignal.timeout(20_000) })
    assert.deepEqual(ended.sort(), ['r2 The playback was stopped', 'r3 The playback was stopped'])
    request('r4', {})
    while (ended.length < 3) await once(glasses, 'audioPlayed', { signal: AbortSignal.timeout(20_000) })
    assert.equal(ended[2], 'r1 The playback was stopped')
  })
})

describe('LED', () => {
  test('the LED applies commands, or reports the reason', async (t) => {
    const [glasses, connection] = await connectGlasses(t)
    const control = async (more: object) => {
      const requestId = `r${connection.frames('rgb_led_control_response').length}`
      connection.send({ type: 'rgb_led_control', requestId, appId: 'a.b', ...more })
      for (;;) {
        const response = connection
          .frames('rgb_led_control_response')
          .find((frame) => frame.requestId === requestId)
        if (response) return [response.success, response.error]
        await once(connection, 'frame', { signal: AbortSignal.timeout(20_000) })
      }
    }
    assert.deepEqual(await control({ action: 'on', color: 'blue', count: 3 }), [true, undefined])
    assert.deepEqual(await control({}), [true, undefined])
    assert.deepEqual(await control({ action: 'dance' }), [false, 'unsupported_action'])
    glasses.led.behavior = { kind: 'fail', error: 'device_not_supported' }
    assert.deepEqual(await control({ action: 'on' }), [false, 'device_not_supported'])
    const common = { appId: 'a.b', ontime: 1_000, offtime: 0 }
    assert.deepEqual(glasses.led.commands, [
      { ...common, action: 'on', color: 'blue', count: 3 },
      { ...common, action: 'off', color: 'red', count: 1 },
    ])
    glasses.led.behavior = { kind: 'ignore' }
    connection.send({ type: 'rgb_led_control', requestId: 'silent', action: 'on' })
    await glasses.waitForMessage('rgb_led_control', ({ requestId }) => requestId === 'silent')
    glasses.led.behavior = { kind: 'apply' }
    await control({ action: 'off' })
    assert.ok(connection.frames('rgb_led_control_response').every(({ requestId }) => requestId !== 'silent'))
  })
})

describe('Phone responses', () => {
  const request = { type: 'request_single_location', accuracy: 'high', correlationId: 'poll/1' }

  test('SIM-94: a location poll is answered on the socket if the position is known', async (t) => {
    const [glasses, connection] = await connectGlasses(t)
    connection.send({ ...request, correlationId: 'poll0' })
    await glasses.waitForMessage('request_single_location')
    glasses.position = { lat: 1, lng: 2, accuracy: 3 }
    connection.send(request)
    const { timestamp, ...response } = await connection.frame('location_update')
    assert.deepEqual(response, {
      type: 'location_update',
      lat: 1,
      lng: 2,
      accuracy: 3,
      correlationId: 'poll/1',
    })
    assert.equal(typeof timestamp, 'number')
  })

  test('without a known position it is looked for, once for polls at the same time', async (t) => {
    let searches = 0
    let search = async (): Promise<{ lat: number; lng: number } | undefined> => undefined
    const [glasses, connection] = await connectGlasses(t, {
      locate: () => {
        searches += 1
        return search()
      },
    })
    const errors: string[] = []
    glasses.on('error', (error) => errors.push(error.message))
    connection.send({ ...request, correlationId: 'unknown' })
    await glasses.waitForMessage('request_single_location')
    search = async () => {
      throw new Error('Location is turned off')
    }
    connection.send({ ...request, correlationId: 'failed' })
    await glasses.waitForMessage('request_single_location')
    await new Promise((resolve) => setImmediate(resolve))
    const found = Promise.withResolvers<{ lat: number; lng: number }>()
    search = () => found.promise
    for (const correlationId of ['poll1', 'poll2']) {
      connection.send({ ...request, correlationId })
      await glasses.waitForMessage('request_single_location')
    }
    found.resolve({ lat: 1, lng: 2 })
    await connection.frame('location_update', ({ correlationId }) => correlationId === 'poll2')
    const answered = connection.frames('location_update').map(({ correlationId }) => correlationId)
    assert.deepEqual([answered, searches], [['poll1', 'poll2'], 3])
    assert.match(errors.join('\n'), /^An app asks where you are\. .*\nLocation is turned off$/)
  })

  test('SIM-94: newer phones respond over REST and report every photo', async (t) => {
    const calls: { path: string; body: Record<string, unknown> }[] = []
    const arrivals = new EventTarget()
    const cloud = await FakeCloud.start(t, {
      onRequest: async (incoming, response) => {
        const chunks: Buffer[] = []
        for await (const chunk of incoming) chunks.push(chunk)
        response.end('{}')
        if (incoming.url === '/photo-upload') return
        assert.equal(incoming.headers.authorization, 'Bearer core-token')
        calls.push({ path: String(incoming.url), body: JSON.parse(Buffer.concat(chunks).toString()) })
        arrivals.dispatchEvent(new Event('call'))
      },
    })
    const glasses = new Glasses({
      url: cloud.url,
      token: 'core-token',
      respondBy: 'rest',
      position: { lat: 1, lng: 2 },
    })
    t.after(() => glasses.disconnect())
    await glasses.connect()
    const connection = await cloud.connection(0)
    const next = async (count: number) => {
      while (calls.length < count) await once(arrivals, 'call', { signal: AbortSignal.timeout(20_000) })
      const { path, body } = calls[count - 1] ?? assert.fail()
      const { timestamp: _, ...rest } = body
      return [path, rest]
    }
    connection.send(request)
    assert.deepEqual(await next(1), ['/api/client/location/poll-response/poll%2F1', { lat: 1, lng: 2 }])
    const photo = { type: 'photo_request', appId: 'a.b', size: 'small' }
    connection.send({ ...photo, requestId: 'p1', webhookUrl: `${cloud.url}/photo-upload` })
    assert.deepEqual(await next(2), ['/api/client/photo/response', { requestId: 'p1', success: true }])
    glasses.camera = { kind: 'fail', errorCode: 'CAMERA_BUSY', errorMessage: 'busy' }
    connection.send({ ...photo, requestId: 'p2' })
    const failed = { requestId: 'p2', success: false, errorCode: 'CAMERA_BUSY', errorMessage: 'busy' }
    assert.deepEqual(await next(3), ['/api/client/photo/response', failed])
    assert.deepEqual([connection.frames('photo_response'), connection.frames('location_update')], [[], []])
  })

  test('a Wi-Fi setup request is emitted, and connecting and disconnecting are reported', async (t) => {
    const [glasses, connection] = await connectGlasses(t, { model: 'Mentra Live' })
    const requested = once(glasses, 'wifiSetupRequest', { signal: AbortSignal.timeout(20_000) })
    connection.send({ type: 'show_wifi_setup', reason: 'To stream', appPackageName: 'a.b' })
    assert.equal((await requested)[0].reason, 'To stream')
    glasses.joinWifi('home')
    glasses.leaveWifi()
    glasses.send({ type: 'ping' })
    await connection.frame('ping')
    assert.deepEqual(
      connection.frames('glasses_connection_state').map(({ wifi }) => wifi),
      [undefined, { connected: true, ssid: 'home' }, { connected: false }],
    )
  })
})
