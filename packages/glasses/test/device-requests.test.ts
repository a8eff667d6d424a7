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

/** A web server with a chime, a text and a refusal, which takes no credentials. */
async function website(t: TestContext): Promise<string> {
  const server = createServer((request, response) => {
    const { authorization, cookie } = request.headers
    if (authorization ?? cookie) response.writeHead(400).end()
    else if (request.url === '/chime.wav') response.setHeader('content-type', 'audio/wav').end(chime)
    else if (request.url === '/text') response.setHeader('content-type', 'audio/mpeg').end('no sound at all')
    else response.writeHead(500).end(JSON.stringify({ message: 'Nobody speaks here' }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function wearing(
  t: TestContext,
  options: Partial<GlassesOptions> = {},
): Promise<[Glasses, ClientConnection]> {
  const cloud = await FakeCloud.open(t)
  const glasses = new Glasses({ url: cloud.url, token: 'core-token', ...options })
  t.after(() => glasses.disconnect())
  await glasses.connect()
  return [glasses, await cloud.connection(0)]
}

/** Plays a sound and waits for its end. */
async function play(glasses: Glasses, connection: ClientConnection, request: object): Promise<PlayedAudio> {
  const over = once(glasses, 'sound', { signal: AbortSignal.timeout(20_000) })
  connection.send({ type: 'audio_play_request', requestId: 'r', appId: 'a.b', ...request })
  return (await over)[0]
}

/** What the cloud was answered about sounds: which, whether it was played, and why not. */
async function answers(glasses: Glasses, connection: ClientConnection): Promise<unknown[][]> {
  const last = crypto.randomUUID()
  glasses.send({ type: 'ping', last })
  while (!connection.frames('ping').some((ping) => ping.last === last))
    await once(connection, 'frame', { signal: AbortSignal.timeout(20_000) })
  return connection
    .frames('audio_play_response')
    .map(({ requestId, success, error, duration }) => [requestId, success, error, duration])
}

describe('Speaker', () => {
  test('SIM-90: a sound is fetched, plays as long as it is, and is answered then', async (t) => {
    const clock = new ManualClock()
    const [glasses, connection] = await wearing(t, { clock })
    const site = await website(t)
    const over = once(glasses, 'sound', { signal: AbortSignal.timeout(20_000) })
    connection.send({
      type: 'audio_play_request',
      requestId: 'r1',
      appId: 'a.b',
      audioUrl: `${site}/chime.wav`,
    })
    let ended = false
    void over.then(() => {
      ended = true
    })
    // The fetch takes time of the machine, the sound takes time of the clock.
    const began = clock.now()
    while (!ended) await clock.advance(50)
    assert.ok(clock.now() - began >= 300)
    const [played] = await over
    const { seconds, error, volume, trackId } = played
    assert.deepEqual([seconds, error, volume, trackId], [0.3, undefined, 1, 0])
    assert.deepEqual(await answers(glasses, connection), [['r1', true, null, 0.3]])
  })

  test('SIM-91: what cannot be played is answered with the reason', async (t) => {
    const [glasses, connection] = await wearing(t)
    const site = await website(t)
    for (const [audioUrl, sentence] of [
      [`${site}/text`, 'What is at the address is no sound that can be played'],
      [`${site}/none`, 'The address of the sound answered with 500: Nobody speaks here'],
      ['http://127.0.0.1:1/', 'The address of the sound cannot be reached'],
      ['nonsense', 'The address of the sound cannot be reached'],
    ])
      assert.equal((await play(glasses, connection, { audioUrl })).error, sentence)
    glasses.audioPlayer.behavior = { kind: 'fail', error: 'There is no speaker' }
    assert.equal((await play(glasses, connection, { audioUrl: site })).error, 'There is no speaker')
    const told = await answers(glasses, connection)
    assert.deepEqual(told.at(-1), ['r', false, 'There is no speaker', null])
    glasses.audioPlayer.behavior = { kind: 'ignore' }
    connection.send({ type: 'audio_play_request', requestId: 'r9', appId: 'a.b', audioUrl: site })
    await glasses.waitForMessage('audio_play_request', ({ requestId }) => requestId === 'r9')
    glasses.audioPlayer.behavior = { kind: 'play' }
    // If the ignored one played, this one would end it, and that would be heard first.
    assert.equal((await play(glasses, connection, { audioUrl: `${site}/text` })).requestId, 'r')
    assert.ok((await answers(glasses, connection)).every(([requestId]) => requestId !== 'r9'))
  })

  test('SIM-92: a sound ends with the order to stop, and with the next that wants to be alone', async (t) => {
    // Time stands still: nothing ends by itself.
    const [glasses, connection] = await wearing(t, { clock: new ManualClock() })
    const site = await website(t)
    const ended: string[] = []
    glasses.on('sound', ({ requestId, error }) => ended.push(`${requestId} ${error}`))
    const request = (requestId: string, more: object) => {
      const audioUrl = `${site}/chime.wav`
      connection.send({ type: 'audio_play_request', requestId, appId: 'a.b', audioUrl, ...more })
    }
    const stop = async (more: object) => {
      connection.send({ type: 'audio_stop_request', ...more })
      await glasses.waitForMessage('audio_stop_request')
    }
    const beside = { stopOtherAudio: false }
    request('r1', { ...beside, trackId: 1 })
    request('r2', { ...beside, trackId: 2 })
    request('r3', { ...beside, appId: 'c.d' })
    await stop({ appId: 'a.b', trackId: 2 })
    await stop({ appId: 'c.d' })
    while (ended.length < 2) await once(glasses, 'sound', { signal: AbortSignal.timeout(20_000) })
    assert.deepEqual(ended.sort(), ['r2 The sound was stopped', 'r3 The sound was stopped'])
    request('r4', {})
    while (ended.length < 3) await once(glasses, 'sound', { signal: AbortSignal.timeout(20_000) })
    assert.equal(ended[2], 'r1 The sound was stopped')
  })
})

describe('Light', () => {
  test('SIM-93: the light does what it is told, or says why not', async (t) => {
    const [glasses, connection] = await wearing(t)
    const control = async (more: object) => {
      const requestId = `r${connection.frames('rgb_led_control_response').length}`
      connection.send({ type: 'rgb_led_control', requestId, appId: 'a.b', ...more })
      for (;;) {
        const answer = connection
          .frames('rgb_led_control_response')
          .find((frame) => frame.requestId === requestId)
        if (answer) return [answer.success, answer.error]
        await once(connection, 'frame', { signal: AbortSignal.timeout(20_000) })
      }
    }
    assert.deepEqual(await control({ action: 'on', color: 'blue', count: 3 }), [true, undefined])
    assert.deepEqual(await control({}), [true, undefined])
    assert.deepEqual(await control({ action: 'dance' }), [false, 'unsupported_action'])
    glasses.led.behavior = { kind: 'fail', error: 'device_not_supported' }
    assert.deepEqual(await control({ action: 'on' }), [false, 'device_not_supported'])
    const done = { appId: 'a.b', ontime: 1_000, offtime: 0 }
    assert.deepEqual(glasses.led.commands, [
      { ...done, action: 'on', color: 'blue', count: 3 },
      { ...done, action: 'off', color: 'red', count: 1 },
    ])
    glasses.led.behavior = { kind: 'ignore' }
    connection.send({ type: 'rgb_led_control', requestId: 'silent', action: 'on' })
    await glasses.waitForMessage('rgb_led_control', ({ requestId }) => requestId === 'silent')
    glasses.led.behavior = { kind: 'shine' }
    await control({ action: 'off' })
    assert.ok(connection.frames('rgb_led_control_response').every(({ requestId }) => requestId !== 'silent'))
  })
})

describe('Answers of the phone', () => {
  const request = { type: 'request_single_location', accuracy: 'high', correlationId: 'poll/1' }

  test('SIM-94: a question for the place is answered on the socket, when there is an answer', async (t) => {
    const [glasses, connection] = await wearing(t)
    connection.send({ ...request, correlationId: 'poll0' })
    await glasses.waitForMessage('request_single_location')
    glasses.position = { lat: 1, lng: 2, accuracy: 3 }
    connection.send(request)
    const { timestamp, ...answer } = await connection.frame('location_update')
    assert.deepEqual(answer, {
      type: 'location_update',
      lat: 1,
      lng: 2,
      accuracy: 3,
      correlationId: 'poll/1',
    })
    assert.equal(typeof timestamp, 'number')
  })

  test('SIM-94 SIM-95: newer phones answer over REST, and say of every photo how it went', async (t) => {
    const calls: { path: string; body: Record<string, unknown> }[] = []
    const arrivals = new EventTarget()
    const cloud = await FakeCloud.open(t, {
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

  test('SIM-96: an app’s wish for Wi-Fi is told to the wearer, and Wi-Fi to the cloud', async (t) => {
    const [glasses, connection] = await wearing(t, { model: 'Mentra Live' })
    const wished = once(glasses, 'wifiSetup', { signal: AbortSignal.timeout(20_000) })
    connection.send({ type: 'show_wifi_setup', reason: 'To stream', appPackageName: 'a.b' })
    assert.equal((await wished)[0].reason, 'To stream')
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
