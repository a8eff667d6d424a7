import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { before, describe, test } from 'node:test'
import { VirtualClock } from '../../src/session/testing/virtual-clock.ts'
import { bearer, type Frame, refusedUpgrade, SocketClient } from '../../src/sockets/testing/socket-client.ts'
import { startAppServer } from '../support/app-server.ts'
import { sendRaw } from '../support/raw-http.ts'
import { type LocalCloud, type Scope, startCloud, suiteScope, testSecret } from '../support/test-cloud.ts'

const text = (value: string | Buffer) => Buffer.from(value).toString('base64url')

/** The token of an app, as clients make it that authenticate by header. */
function appToken(claims: object, secret = testSecret): string {
  const signed = `${text('{"alg":"HS256","typ":"JWT"}')}.${text(JSON.stringify(claims))}`
  return `${signed}.${text(createHmac('sha256', secret).update(signed).digest())}`
}

describe('the app socket', () => {
  const scope = suiteScope()
  const clock = new VirtualClock(Date.now())
  let cloud: LocalCloud
  let url: string
  let serial = 0

  before(async () => {
    cloud = await startCloud(scope, { overrides: { clock } })
    url = `${cloud.wsUrl}/app-ws`
  })

  /** A wearer with glasses on who has just started an app; its server was called, its socket has not come yet. */
  async function starting(t: Scope) {
    serial += 1
    const packageName = `dev.my-app.number-${serial}`
    const server = await startAppServer(t, packageName)
    server.behaviour = 'never-connect'
    const { apiKey } = await cloud.registerApp({
      packageName,
      publicUrl: server.url,
      permissions: [{ type: 'MICROPHONE' }],
    })
    const email = `ann-marie-${serial}@ex-ample.com`
    const glasses = await SocketClient.open(t, `${cloud.wsUrl}/glasses-ws`, bearer(await cloud.token(email)))
    await glasses.next('connection_ack')
    glasses.send({ type: 'start_app', packageName })
    const { sessionId } = await server.called('session_request')
    const init: Frame = { type: 'tpa_connection_init', packageName, apiKey, sessionId }
    return { packageName, apiKey, email, glasses, sessionId, init }
  }

  /** The same with the app's socket there and acknowledged. */
  async function running(t: Scope, path = '/app-ws') {
    const world = await starting(t)
    const app = await SocketClient.open(t, cloud.wsUrl + path)
    app.send(world.init)
    const ack = await app.next('tpa_connection_ack')
    return { ...world, app, ack }
  }

  /** Sends an introduction that must be refused, and tells how. */
  async function refused(t: Scope, init: Frame): Promise<unknown[]> {
    const app = await SocketClient.open(t, url)
    app.send(init)
    const { code } = await app.next('tpa_connection_error')
    const closing = await app.closed()
    return [code, closing.code]
  }

  describe('introduction', () => {
    test('SOC-5 SOC-32: an app introduces itself in its first message, under both paths', async (t) => {
      for (const path of ['/app-ws', '/ws/miniapp']) {
        const { ack, sessionId, packageName, glasses } = await running(t, path)
        assert.equal(ack.sessionId, sessionId)
        assert.deepEqual(ack.settings, [])
        assert.equal((await glasses.next('app_started')).packageName, packageName)
      }
    })

    test('SOC-32: the e-mail does in the place of the session id, whatever its case and hyphens', async (t) => {
      const { email, packageName, init, sessionId } = await starting(t)
      const app = await SocketClient.open(t, url)
      app.send({ ...init, sessionId: `${email.replace('ann', 'Ann')}-${packageName}` })
      assert.equal((await app.next('tpa_connection_ack')).sessionId, sessionId)
    })

    test('SOC-5: a token in the header introduces at once', async (t) => {
      const { packageName, apiKey, email, sessionId } = await starting(t)
      const token = appToken({ packageName, apiKey })
      const app = await SocketClient.open(t, url, {
        headers: { ...bearer(token).headers, 'x-user-id': email, 'x-session-id': sessionId },
      })
      assert.equal((await app.next('tpa_connection_ack')).sessionId, sessionId)
    })

    test('SOC-5: a bad token and missing headers are refused with 401', async (t) => {
      const { packageName, apiKey, email, sessionId } = await starting(t)
      const session = { 'x-user-id': email, 'x-session-id': sessionId }
      const good = bearer(appToken({ packageName, apiKey })).headers
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
        const { status, body } = await refusedUpgrade(url, { headers: { ...good, [name]: value } })
        assert.deepEqual([status, body.code], [401, 'MISSING_HEADERS'])
      }
    })

    test('SOC-5 SOC-31: the key inside the token is checked as any other', async (t) => {
      const { packageName, email, sessionId } = await starting(t)
      const token = appToken({ packageName, apiKey: 'gck_wrong_wrong' })
      const app = await SocketClient.open(t, url, {
        headers: { ...bearer(token).headers, 'x-user-id': email, 'x-session-id': sessionId },
      })
      assert.equal((await app.next('tpa_connection_error')).code, 'INVALID_API_KEY')
      assert.equal((await app.closed()).code, 1008)
    })

    test('SOC-31: a wrong key, or the key of another app', async (t) => {
      const { init, glasses } = await starting(t)
      const other = await cloud.registerApp({ packageName: `dev.other.number-${serial}` })
      for (const apiKey of ['', 'gck_x_y', other.apiKey])
        assert.deepEqual(await refused(t, { ...init, apiKey }), ['INVALID_API_KEY', 1008])
      clock.advance(5_000)
      assert.equal((await glasses.next('app_stopped')).reason, 'error', 'the start failed')
    })

    test('SOC-31: a session that is not there, or not named as it must be', async (t) => {
      const { init, packageName, sessionId } = await starting(t)
      for (const wrong of [
        `nobody-${packageName}`,
        `nobody@ex-ample.com-${packageName}`,
        packageName,
        `-${packageName}`,
        '',
        sessionId.slice(0, -1),
      ])
        assert.deepEqual(await refused(t, { ...init, sessionId: wrong }), ['SESSION_NOT_FOUND', 1008])
    })

    test('SOC-31: an app that nobody started', async (t) => {
      const { sessionId, packageName } = await starting(t)
      const other = await cloud.registerApp({ packageName: `dev.uninvited.number-${serial}` })
      const init = {
        type: 'tpa_connection_init',
        packageName: other.packageName,
        apiKey: other.apiKey,
        sessionId: sessionId.replace(packageName, other.packageName),
      }
      assert.deepEqual(await refused(t, init), ['APP_NOT_STARTED', 1008])
    })

    test('SOC-30: another first message is answered, and the socket waits on', async (t) => {
      const { init } = await starting(t)
      const app = await SocketClient.open(t, url)
      app.send({ type: 'subscription_update', subscriptions: [] })
      assert.equal((await app.next('tpa_connection_error')).code, 'NOT_AUTHENTICATED')
      app.send('no json')
      assert.equal((await app.next('tpa_connection_error')).code, 'MALFORMED_MESSAGE')
      app.send(init)
      await app.next('tpa_connection_ack')
    })

    test('SOC-25: five seconds, and no more', async (t) => {
      const { app } = await running(t)
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

    test('SOC-25: sixteen KiB, and no more', async (t) => {
      const { app } = await running(t)
      const chatty = await SocketClient.open(t, url)
      chatty.send('x'.repeat(10_000))
      await chatty.next('tpa_connection_error')
      chatty.send('x'.repeat(10_000))
      assert.equal((await chatty.closed()).code, 1009)
      app.send({ type: 'x', text: 'x'.repeat(500_000) })
      assert.equal((await app.next('tpa_connection_error')).code, 'UNKNOWN_MESSAGE_TYPE')
    })
  })

  test('SOC-6: what is no handshake of WebSocket 13 is refused like any other', async () => {
    const good = {
      method: 'GET',
      version: 'Sec-WebSocket-Version: 13',
      key: 'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
    }
    for (const bad of [{ method: 'POST' }, { version: 'Sec-WebSocket-Version: 99' }, { key: 'X: none' }]) {
      const { method, version, key } = { ...good, ...bad }
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

  test('SOC-28: who says nothing keeps nobody out', async (t) => {
    const clock = new VirtualClock(Date.now())
    const limits = { unauthenticatedSockets: 2 }
    const full = await startCloud(t, { overrides: { clock, limits } })
    const path = `${full.wsUrl}/app-ws`
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

  test('SOC-29: who does not answer a close is cut off', async (t) => {
    const brisk = await startCloud(t, { overrides: { limits: { closeMs: 50, unauthenticatedMs: 50 } } })
    const { hostname, port } = new URL(brisk.url)
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
    test('SOC-11 SOC-15: what cannot be understood is answered, and the socket stays open', async (t) => {
      const { app } = await running(t)
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

    test('SOC-12: flat until the app has spoken, then in its own dialect', async (t) => {
      const { init } = await starting(t)
      const { type, ...data } = init
      const app = await SocketClient.open(t, url)
      app.send({ type, data })
      const { data: ack } = await app.next('tpa_connection_ack')
      assert.equal((ack as Frame).sessionId, init.sessionId)
      app.send({ type: 'make_coffee', data: {} })
      const { data: error } = await app.next('tpa_connection_error')
      assert.equal((error as Frame).code, 'UNKNOWN_MESSAGE_TYPE')
    })

    test('SOC-14: what an app sends before its acknowledgement counts, in order', async (t) => {
      const { init, glasses, packageName } = await starting(t)
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

    test('SOC-16: the socket says who speaks, not the message', async (t) => {
      const victim = await running(t)
      const { app, glasses, packageName } = await running(t)
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

    test('MIC-20 SUB-13: sound and frames reach the app as they came', async (t) => {
      const { app, glasses, sessionId } = await running(t)
      app.send({ type: 'subscription_update', subscriptions: ['audio_chunk', 'touch_event:swipe'] })
      await glasses.next('microphone_state_change')
      const sound = Uint8Array.from({ length: 1_001 }, (_, n) => n % 256)
      glasses.send(sound)
      glasses.send(Uint8Array.of(7))
      await app.heard(2)
      assert.deepEqual(Buffer.concat(app.sound), Buffer.from([...sound, 7]))
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

    test('SOC-20: the limit of messages counts for apps too', async (t) => {
      const { app } = await running(t)
      for (let n = 0; n < 70; n += 1) app.send({ type: 'make_coffee' })
      app.send(new Uint8Array(2))
      await app.next('tpa_connection_error')
      let codes: unknown[] = []
      while (!codes.includes('MALFORMED_MESSAGE')) {
        await app.next('tpa_connection_error')
        codes = app.of('tpa_connection_error').map(({ code }) => code)
      }
      assert.equal(codes.filter((code) => code === 'RATE_LIMITED').length, 1)
      // One went for the introduction.
      assert.equal(codes.filter((code) => code === 'UNKNOWN_MESSAGE_TYPE').length, 49)
    })
  })

  test('SES-5 SES-9: the end of the session tells its apps, a restart does not', async (t) => {
    const { app, glasses } = await running(t)
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
