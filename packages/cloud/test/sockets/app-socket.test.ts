import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { before, describe, test } from 'node:test'
import { VirtualClock } from '../../src/session/testing/virtual-clock.ts'
import { bearer, type Frame, refusedUpgrade, SocketClient } from '../../src/sockets/testing/socket-client.ts'
import { startAppServer } from '../support/app-server.ts'
import { sendRaw } from '../support/raw-http.ts'
import { type Scope, suiteScope } from '../support/scope.ts'
import { type LocalCloud, startCloud, testSecret } from '../support/test-cloud.ts'

const base64url = (value: string | Buffer) => Buffer.from(value).toString('base64url')

/** A token of an app as signed by clients that authenticate by header. */
function appToken(claims: object, secret = testSecret): string {
  const signed = `${base64url('{"alg":"HS256","typ":"JWT"}')}.${base64url(JSON.stringify(claims))}`
  return `${signed}.${base64url(createHmac('sha256', secret).update(signed).digest())}`
}

describe('app socket', () => {
  const scope = suiteScope()
  const clock = new VirtualClock(Date.now())
  let cloud: LocalCloud
  let url: string
  let counter = 0

  before(async () => {
    cloud = await startCloud(scope, { overrides: { clock } })
    url = `${cloud.wsUrl}/app-ws`
  })

  /** Connects glasses and starts an app; its webhook was called, its socket is not connected yet. */
  async function startApp(t: Scope) {
    counter += 1
    const packageName = `dev.my-app.number-${counter}`
    const server = await startAppServer(t, packageName)
    server.behavior = 'never-connect'
    const { apiKey } = await cloud.registerApp({
      packageName,
      publicUrl: server.url,
      permissions: [{ type: 'MICROPHONE' }],
    })
    const email = `ann-marie-${counter}@ex-ample.com`
    const glasses = await SocketClient.open(t, `${cloud.wsUrl}/glasses-ws`, bearer(await cloud.token(email)))
    await glasses.next('connection_ack')
    glasses.send({ type: 'start_app', packageName })
    const { sessionId } = await server.called('session_request')
    const init: Frame = { type: 'tpa_connection_init', packageName, apiKey, sessionId }
    return { packageName, apiKey, email, glasses, sessionId, init }
  }

  /** Starts an app and connects its socket. */
  async function startConnectedApp(t: Scope, path = '/app-ws') {
    const started = await startApp(t)
    const app = await SocketClient.open(t, cloud.wsUrl + path)
    app.send(started.init)
    const ack = await app.next('tpa_connection_ack')
    return { ...started, app, ack }
  }

  /** Sends a `tpa_connection_init` that must be rejected; returns the error code and the close code. */
  async function rejectionOf(t: Scope, init: Frame): Promise<unknown[]> {
    const app = await SocketClient.open(t, url)
    app.send(init)
    const { code } = await app.next('tpa_connection_error')
    const closing = await app.closed()
    return [code, closing.code]
  }

  describe('authentication', () => {
    test('SOC-5 SOC-32: an app authenticates with its first message, at both paths', async (t) => {
      for (const path of ['/app-ws', '/ws/miniapp']) {
        const { ack, sessionId, packageName, glasses } = await startConnectedApp(t, path)
        assert.equal(ack.sessionId, sessionId)
        assert.deepEqual(ack.settings, [])
        assert.equal((await glasses.next('app_started')).packageName, packageName)
      }
    })

    test('SOC-32: the e-mail may replace the user session id, with any case and hyphens', async (t) => {
      const { email, packageName, init, sessionId } = await startApp(t)
      const app = await SocketClient.open(t, url)
      app.send({ ...init, sessionId: `${email.replace('ann', 'Ann')}-${packageName}` })
      assert.equal((await app.next('tpa_connection_ack')).sessionId, sessionId)
    })

    test('SOC-5: a token in the header authenticates at the handshake', async (t) => {
      const { packageName, apiKey, email, sessionId } = await startApp(t)
      const token = appToken({ packageName, apiKey })
      const app = await SocketClient.open(t, url, {
        headers: { ...bearer(token).headers, 'x-user-id': email, 'x-session-id': sessionId },
      })
      assert.equal((await app.next('tpa_connection_ack')).sessionId, sessionId)
    })

    test('SOC-5: an invalid token or a missing header returns 401', async (t) => {
      const { packageName, apiKey, email, sessionId } = await startApp(t)
      const session = { 'x-user-id': email, 'x-session-id': sessionId }
      const valid = bearer(appToken({ packageName, apiKey })).headers
      const tokens = [
        appToken({ packageName, apiKey }, 'another secret of the same length'),
        appToken({ packageName }),
        await cloud.token(email),
        'garbage',
      ]
      for (const token of tokens) {
        const { status, body } = await refusedUpgrade(url, {
          headers: { ...bearer(token).headers, ...session },
        })
        assert.deepEqual([status, body.type, body.code], [401, 'tpa_connection_error', 'JWT_INVALID'])
        assert.ok(body.message && body.timestamp)
      }
      for (const [name, value] of Object.entries(session)) {
        const { status, body } = await refusedUpgrade(url, { headers: { ...valid, [name]: value } })
        assert.deepEqual([status, body.code], [401, 'MISSING_HEADERS'])
      }
    })

    test('SOC-5 SOC-31: the API key inside the token is verified', async (t) => {
      const { packageName, email, sessionId } = await startApp(t)
      const token = appToken({ packageName, apiKey: 'gck_wrong_wrong' })
      const app = await SocketClient.open(t, url, {
        headers: { ...bearer(token).headers, 'x-user-id': email, 'x-session-id': sessionId },
      })
      assert.equal((await app.next('tpa_connection_error')).code, 'INVALID_API_KEY')
      assert.equal((await app.closed()).code, 1008)
    })

    test('SOC-31: an invalid key or the key of another app closes with 1008', async (t) => {
      const { init, glasses } = await startApp(t)
      const other = await cloud.registerApp({ packageName: `dev.other.number-${counter}` })
      for (const apiKey of ['', 'gck_x_y', other.apiKey])
        assert.deepEqual(await rejectionOf(t, { ...init, apiKey }), ['INVALID_API_KEY', 1008])
      clock.advance(5_000)
      assert.equal((await glasses.next('app_stopped')).reason, 'error', 'the start did not fail')
    })

    test('SOC-31: an unknown or malformed session id closes with 1008', async (t) => {
      const { init, packageName, sessionId } = await startApp(t)
      for (const wrong of [
        `nobody-${packageName}`,
        `nobody@ex-ample.com-${packageName}`,
        packageName,
        `-${packageName}`,
        '',
        sessionId.slice(0, -1),
      ])
        assert.deepEqual(await rejectionOf(t, { ...init, sessionId: wrong }), ['SESSION_NOT_FOUND', 1008])
    })

    test('SOC-31: an app that was not started closes with 1008', async (t) => {
      const { sessionId, packageName } = await startApp(t)
      const other = await cloud.registerApp({ packageName: `dev.not-started.number-${counter}` })
      const init = {
        type: 'tpa_connection_init',
        packageName: other.packageName,
        apiKey: other.apiKey,
        sessionId: sessionId.replace(packageName, other.packageName),
      }
      assert.deepEqual(await rejectionOf(t, init), ['APP_NOT_STARTED', 1008])
    })

    test('SOC-30: another first message returns NOT_AUTHENTICATED and keeps the socket open', async (t) => {
      const { init } = await startApp(t)
      const app = await SocketClient.open(t, url)
      app.send({ type: 'subscription_update', subscriptions: [] })
      assert.equal((await app.next('tpa_connection_error')).code, 'NOT_AUTHENTICATED')
      app.send('no json')
      assert.equal((await app.next('tpa_connection_error')).code, 'MALFORMED_MESSAGE')
      app.send(init)
      await app.next('tpa_connection_ack')
    })

    test('SOC-33: only tpa_connection_init is validated before authentication', async (t) => {
      const { init } = await startApp(t)
      const app = await SocketClient.open(t, url)
      for (const message of [
        { type: 'subscription_update', subscriptions: 'all' },
        { type: 'make_coffee' },
        { type: 'display_event', layout: { layoutType: 'hologram' } },
      ]) {
        app.send(message)
        assert.equal((await app.next('tpa_connection_error')).code, 'NOT_AUTHENTICATED')
      }
      app.send({ ...init, apiKey: 7 })
      assert.equal((await app.next('tpa_connection_error')).code, 'MALFORMED_MESSAGE')
      app.send(init)
      app.send({ type: 'subscription_update', subscriptions: 'all' })
      assert.equal((await app.next('tpa_connection_error')).code, 'MALFORMED_MESSAGE')
      await app.next('tpa_connection_ack')
    })

    test('SOC-25: an app has five seconds to authenticate', async (t) => {
      const { app } = await startConnectedApp(t)
      const silent = await SocketClient.open(t, url)
      clock.advance(4_999)
      silent.send({ type: 'ping' })
      await silent.next('tpa_connection_error')
      clock.advance(1)
      assert.equal((await silent.next('tpa_connection_error')).code, 'NOT_AUTHENTICATED')
      assert.equal((await silent.closed()).code, 1008)
      app.send({ type: 'still there?' })
      await app.next('tpa_connection_error')
    })

    test('SOC-25: an app may send 16 KiB before it authenticates', async (t) => {
      const { app } = await startConnectedApp(t)
      const excessive = await SocketClient.open(t, url)
      excessive.send('x'.repeat(10_000))
      await excessive.next('tpa_connection_error')
      excessive.send('x'.repeat(10_000))
      assert.equal((await excessive.closed()).code, 1009)
      app.send({ type: 'x', text: 'x'.repeat(500_000) })
      assert.equal((await app.next('tpa_connection_error')).code, 'UNKNOWN_MESSAGE_TYPE')
    })
  })

  test('SOC-6: an invalid WebSocket handshake returns 400 with a JSON body', async () => {
    const valid = {
      method: 'GET',
      version: 'Sec-WebSocket-Version: 13',
      key: 'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
    }
    for (const invalid of [
      { method: 'POST' },
      { version: 'Sec-WebSocket-Version: 99' },
      { key: 'X: none' },
    ]) {
      const { method, version, key } = { ...valid, ...invalid }
      const request = `${method} /app-ws HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${version}\r\n${key}\r\n\r\n`
      const answer = await sendRaw(Number(new URL(cloud.url).port), Buffer.from(request), 5_000)
      const { message, timestamp, ...rest } = JSON.parse(answer.body)
      assert.deepEqual(
        [answer.status, answer.headers.get('sec-websocket-version'), rest],
        [400, '13', { type: 'connection_error', code: 'BAD_HANDSHAKE' }],
      )
      assert.ok(message.length > 5 && timestamp)
    }
  })

  test('SOC-28: the oldest unauthenticated socket is closed to admit a new one', async (t) => {
    const clock = new VirtualClock(Date.now())
    const limits = { unauthenticatedSockets: 2 }
    const limitedCloud = await startCloud(t, { overrides: { clock, limits } })
    const path = `${limitedCloud.wsUrl}/app-ws`
    const [oldest, next] = [await SocketClient.open(t, path), await SocketClient.open(t, path)]
    clock.advance(999)
    assert.equal((await refusedUpgrade(path)).status, 503)
    clock.advance(1)
    const late = await SocketClient.open(t, path)
    assert.equal((await oldest.closed()).code, 1008)
    for (const client of [next, late]) {
      client.send({ type: 'subscription_update', subscriptions: [] })
      assert.equal((await client.next('tpa_connection_error')).code, 'NOT_AUTHENTICATED')
    }
  })

  test('SOC-29: a client that does not answer a close frame is disconnected', async (t) => {
    const impatientCloud = await startCloud(t, {
      overrides: { limits: { closeMs: 50, unauthenticatedMs: 50 } },
    })
    const { hostname, port } = new URL(impatientCloud.url)
    const silent = connect(Number(port), hostname)
    t.after(() => silent.destroy())
    silent.write(
      'GET /app-ws HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' +
        'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
    )
    silent.resume()
    await once(silent, 'end', { signal: AbortSignal.timeout(10_000) })
  })

  describe('messages', () => {
    test('SOC-11 SOC-15: an invalid message returns an error and keeps the socket open', async (t) => {
      const { app } = await startConnectedApp(t)
      for (const [message, expected] of [
        ['{', 'MALFORMED_MESSAGE'],
        ['{"type":"display_event","layout":{"layoutType":"hologram"}}', 'MALFORMED_MESSAGE'],
        ['{"type":"subscription_update","subscriptions":"all"}', 'MALFORMED_MESSAGE'],
        ['{"type":"make_coffee"}', 'UNKNOWN_MESSAGE_TYPE'],
        ['{"type":"constructor"}', 'UNKNOWN_MESSAGE_TYPE'],
        [new Uint8Array(8), 'MALFORMED_MESSAGE'],
      ] as const) {
        app.send(message)
        const { code, message: reason, timestamp } = await app.next('tpa_connection_error')
        assert.equal(code, expected, String(message))
        assert.ok(String(reason).length > 5 && timestamp)
      }
      assert.equal(app.ws.readyState, app.ws.OPEN)
    })

    test('SOC-12: the cloud sends flat messages until the app has sent one, then uses its dialect', async (t) => {
      const { init } = await startApp(t)
      const { type, ...data } = init
      const app = await SocketClient.open(t, url)
      app.send({ type, data })
      const { data: ack } = await app.next('tpa_connection_ack')
      assert.equal((ack as Frame).sessionId, init.sessionId)
      app.send({ type: 'make_coffee', data: {} })
      const { data: error } = await app.next('tpa_connection_error')
      assert.equal((error as Frame).code, 'UNKNOWN_MESSAGE_TYPE')
    })

    test('SOC-14: messages sent before the acknowledgement are processed in order', async (t) => {
      const { init, glasses, packageName } = await startApp(t)
      const app = await SocketClient.open(t, url)
      app.send(init)
      app.send({ type: 'subscription_update', subscriptions: ['button_press'] })
      app.send({ type: 'subscription_update', subscriptions: ['head_position'] })
      await app.next('tpa_connection_ack')
      app.send({ type: 'make_coffee' })
      await app.next('tpa_connection_error')
      glasses.send({ type: 'connection_init' })
      const { userSession } = await glasses.next('connection_ack')
      assert.deepEqual((userSession as Frame).appSubscriptions, { [packageName]: ['head_position'] })
    })

    test('SOC-16: the socket identifies the app, not the fields of a message', async (t) => {
      const victim = await startConnectedApp(t)
      const { app, glasses, packageName } = await startConnectedApp(t)
      const claims = { packageName: victim.packageName, sessionId: victim.sessionId }
      app.send({ type: 'subscription_update', subscriptions: ['button_press'], ...claims })
      app.send({ type: 'ownership_release', ...claims })
      app.send({ type: 'make_coffee' })
      await app.next('tpa_connection_error')
      glasses.send({ type: 'connection_init' })
      const { userSession } = await glasses.next('connection_ack')
      assert.deepEqual((userSession as Frame).appSubscriptions, { [packageName]: ['button_press'] })
      victim.glasses.send({ type: 'connection_init' })
      const untouched = await victim.glasses.next('connection_ack')
      assert.deepEqual((untouched.userSession as Frame).appSubscriptions, {})
    })

    test('MIC-20 SUB-13: audio and stream data reach the app unchanged', async (t) => {
      const { app, glasses, sessionId } = await startConnectedApp(t)
      app.send({ type: 'subscription_update', subscriptions: ['audio_chunk', 'touch_event:swipe'] })
      await glasses.next('microphone_state_change')
      const audio = Uint8Array.from({ length: 1_001 }, (_, n) => n % 256)
      glasses.send(audio)
      glasses.send(Uint8Array.of(7))
      await app.heard(2)
      assert.deepEqual(Buffer.concat(app.sound), Buffer.from([...audio, 7]))
      const touch = { type: 'touch_event', gesture_name: 'swipe', device_model: 'X', timestamp: 1 }
      glasses.send(touch)
      const { timestamp, ...frame } = await app.next('data_stream')
      assert.deepEqual(frame, {
        type: 'data_stream',
        sessionId,
        streamType: 'touch_event:swipe',
        data: touch,
      })
      assert.ok(timestamp)
    })

    test('SOC-20: the message limit applies to apps', async (t) => {
      const { app } = await startConnectedApp(t)
      for (let n = 0; n < 70; n += 1) app.send({ type: 'make_coffee' })
      app.send(new Uint8Array(2))
      await app.next('tpa_connection_error')
      let codes: unknown[] = []
      while (!codes.includes('MALFORMED_MESSAGE')) {
        await app.next('tpa_connection_error')
        codes = app.of('tpa_connection_error').map(({ code }) => code)
      }
      assert.equal(codes.filter((code) => code === 'RATE_LIMITED').length, 1)
      // One of the fifty was the authentication.
      assert.equal(codes.filter((code) => code === 'UNKNOWN_MESSAGE_TYPE').length, 49)
    })
  })

  test('SES-5 SES-9: the end of a session stops its apps; a restart of the cloud does not', async (t) => {
    const { app, glasses } = await startConnectedApp(t)
    glasses.ws.close()
    await glasses.closed()
    const deadline = Date.now() + 5_000
    while (app.ws.readyState === app.ws.OPEN && Date.now() < deadline) {
      clock.advance(10_000)
      await cloud.request('GET', '/healthz')
    }
    assert.equal((await app.next('app_stopped')).reason, 'system_stop')
    assert.deepEqual(await app.closed(), { code: 1000, reason: 'Session over' })

    const other = await startCloud(t)
    const early = await SocketClient.open(t, `${other.wsUrl}/app-ws`)
    await other.stop()
    assert.equal((await early.closed()).code, 1012)
    assert.deepEqual(early.of('app_stopped'), [])
  })
})
