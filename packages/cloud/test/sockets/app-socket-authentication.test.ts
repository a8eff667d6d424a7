import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { before, describe, test } from 'node:test'
import {
  bearer,
  type Frame,
  rejectedHandshake,
  SocketClient,
} from '../../src/sockets/testing/socket-client.ts'
import { VirtualClock } from '../../src/time/testing/virtual-clock.ts'
import { AppSocketRig } from '../support/app-socket-rig.ts'
import { sendRaw } from '../support/raw-http.ts'
import { recentToken } from '../support/recent-token.ts'
import { type Scope, suiteScope } from '../support/scope.ts'
import { startCloud, testSecret } from '../support/test-cloud.ts'

const base64url = (value: string | Buffer) => Buffer.from(value).toString('base64url')

/** A token of an app as signed by clients that authenticate by header. */
function appToken(claims: object, secret = testSecret): string {
  const signed = `${base64url('{"alg":"HS256","typ":"JWT"}')}.${base64url(JSON.stringify(claims))}`
  return `${signed}.${base64url(createHmac('sha256', secret).update(signed).digest())}`
}

const keyIdOf = (apiKey: string) => apiKey.split('_')[1] ?? ''

describe('app socket authentication', () => {
  const scope = suiteScope()
  let rig: AppSocketRig

  before(async () => {
    rig = await AppSocketRig.start(scope, { TRUST_PROXY: '127.0.0.1' })
  })

  test('SOC-5 SOC-32 CMP-20: an app authenticates with its first message, at every path', async (t) => {
    for (const path of ['/app-ws', '/ws/miniapp', '/tpa-ws']) {
      const { ack, sessionId, packageName, glasses } = await rig.startConnectedApp(t, path)
      assert.equal(ack.sessionId, sessionId)
      assert.deepEqual(ack.settings, [])
      assert.equal((await glasses.next('app_started')).packageName, packageName)
    }
  })

  test('SOC-32: the e-mail may replace the user session id, with any case and hyphens', async (t) => {
    const { email, packageName, init, sessionId } = await rig.startApp(t)
    const app = await SocketClient.open(t, rig.url)
    app.send({ ...init, sessionId: `${email.replace('ann', 'Ann')}-${packageName}` })
    assert.equal((await app.next('tpa_connection_ack')).sessionId, sessionId)
  })

  test('SOC-5: a token in the header authenticates at the handshake', async (t) => {
    const { packageName, apiKey, email, sessionId } = await rig.startApp(t)
    const token = appToken({ packageName, apiKey })
    const app = await SocketClient.open(t, rig.url, {
      headers: { ...bearer(token).headers, 'x-user-id': email, 'x-session-id': sessionId },
    })
    assert.equal((await app.next('tpa_connection_ack')).sessionId, sessionId)
  })

  test('SOC-5 AUTH-41: a token of another kind returns 401', async (t) => {
    const { packageName, apiKey, email, sessionId } = await rig.startApp(t)
    const session = { 'x-user-id': email, 'x-session-id': sessionId }
    const coreToken = await rig.cloud.token(email)
    const { body: glasses } = await rig.cloud.request<{ token: string }>('POST', '/api/auth/glasses-token', {
      token: coreToken,
    })
    const { body: login } = await rig.cloud.request<{ token: string }>('POST', '/api/auth/tokens', {
      token: await recentToken(rig.cloud, email),
      body: { name: 'test', scopes: ['apps:read'] },
    })
    const tokens = [
      appToken({ packageName, apiKey }, 'another secret of the same length'),
      appToken({ packageName }),
      coreToken,
      glasses.token,
      login.token,
      apiKey,
      'garbage',
    ]
    for (const token of tokens) {
      const { status, body } = await rejectedHandshake(rig.url, {
        headers: { ...bearer(token).headers, ...session },
      })
      assert.deepEqual([status, body.type, body.code], [401, 'tpa_connection_error', 'JWT_INVALID'])
      assert.ok(body.message && body.timestamp)
    }
  })

  test('SOC-5 SOC-31: the API key inside the token is verified', async (t) => {
    const { packageName, email, sessionId } = await rig.startApp(t)
    const token = appToken({ packageName, apiKey: 'gck_wrong_wrong' })
    const app = await SocketClient.open(t, rig.url, {
      headers: { ...bearer(token).headers, 'x-user-id': email, 'x-session-id': sessionId },
    })
    assert.equal((await app.next('tpa_connection_error')).code, 'INVALID_API_KEY')
    assert.equal((await app.closed()).code, 1008)
  })

  /** Gets an app token for an API key. */
  async function issueToken(key: Record<string, string>, path = '/api/auth/app-token', body?: unknown) {
    return rig.cloud.request<{ success: boolean; token: string; expiresIn: number; error?: string }>(
      'POST',
      path,
      { headers: key, ...(body === undefined ? {} : { body }) },
    )
  }

  test('AUTH-40: an API key is exchanged for an app token, in every form', async (t) => {
    const { packageName, apiKey } = await rig.startApp(t)
    const key = bearer(apiKey).headers
    const path = '/api/auth/app-token'
    for (const issued of [
      await issueToken({ 'x-api-key': apiKey, 'x-package-name': packageName }),
      await issueToken(key, path, { packageName }),
      await issueToken(key, `${path}?packageName=${packageName}`),
    ]) {
      const { token, ...rest } = issued.body
      assert.deepEqual([issued.status, rest], [200, { success: true, expiresIn: 86_400 }])
      assert.equal(token.split('.').length, 3)
    }
    for (const rejected of [
      await issueToken({}),
      await issueToken(key),
      await issueToken(key, path, { packageName: 'dev.other' }),
      await issueToken({ 'x-api-key': `${apiKey}x`, 'x-package-name': packageName }),
      await issueToken(bearer((await issueToken(key, path, { packageName })).body.token).headers, path, {
        packageName,
      }),
    ])
      assert.deepEqual(
        [rejected.status, rejected.body],
        [401, { error: 'UNAUTHORIZED', message: 'Unauthorized' }],
      )
  })

  /** Starts an app that has an app token. */
  async function startAppWithToken(t: Scope) {
    const started = await rig.startApp(t)
    const { apiKey, packageName } = started
    const { body } = await issueToken({ 'x-api-key': apiKey, 'x-package-name': packageName })
    return { ...started, token: body.token }
  }

  test('SOC-5: an app token and a session id authenticate at the handshake', async (t) => {
    const { token, sessionId } = await startAppWithToken(t)
    const app = await SocketClient.open(t, rig.url, {
      headers: { ...bearer(token).headers, 'x-session-id': sessionId },
    })
    assert.equal((await app.next('tpa_connection_ack')).sessionId, sessionId)
  })

  test('SOC-34: a token without x-session-id', async (t) => {
    const { token, sessionId, packageName, apiKey } = await startAppWithToken(t)
    const app = await SocketClient.open(t, rig.url, bearer(token))
    app.send({ type: 'subscription_update', subscriptions: [] })
    assert.equal((await app.next('tpa_connection_error')).code, 'NOT_AUTHENTICATED')
    app.send({ type: 'tpa_connection_init', sessionId })
    assert.equal((await app.next('tpa_connection_ack')).sessionId, sessionId)

    // The token authenticates, whatever key an older client adds; and so does a JWT that the operator signed.
    for (const header of [token, appToken({ packageName, apiKey })]) {
      const again = await SocketClient.open(t, rig.url, bearer(header))
      again.send({ type: 'tpa_connection_init', sessionId, packageName, apiKey: '' })
      assert.equal((await again.next('tpa_connection_ack')).sessionId, sessionId)
    }
  })

  test('SOC-34: a token opens sessions of its own app only, and a message without token needs package and key', async (t) => {
    const { token, sessionId, packageName } = await startAppWithToken(t)
    const other = await rig.startApp(t)
    const rejections = [
      [{ sessionId: other.sessionId }, 'SESSION_NOT_FOUND'],
      [{ sessionId: other.sessionId, packageName: other.packageName }, 'INVALID_API_KEY'],
      [{ sessionId, packageName: other.packageName }, 'INVALID_API_KEY'],
      [{}, 'SESSION_NOT_FOUND'],
    ] as const
    for (const [fields, code] of rejections) {
      const app = await SocketClient.open(t, rig.url, bearer(token))
      app.send({ type: 'tpa_connection_init', ...fields })
      assert.equal((await app.next('tpa_connection_error')).code, code)
      assert.equal((await app.closed()).code, 1008)
    }
    const app = await SocketClient.open(t, rig.url)
    for (const fields of [{ sessionId }, { sessionId, packageName }, { sessionId, apiKey: other.apiKey }]) {
      app.send({ type: 'tpa_connection_init', ...fields })
      assert.equal((await app.next('tpa_connection_error')).code, 'MALFORMED_MESSAGE')
    }
  })

  test('AUTH-41: an app token opens nothing but the app socket', async (t) => {
    const { token, packageName, email } = await startAppWithToken(t)
    const { status, body } = await rejectedHandshake(`${rig.cloud.wsUrl}/glasses-ws`, bearer(token))
    assert.deepEqual([status, body.code], [401, 'INVALID_TOKEN'])
    for (const [method, path] of [
      ['GET', '/api/account/me'],
      ['GET', '/api/gallery'],
      ['GET', `/api/sdk/simple-storage/${email}`],
      ['POST', `/api/app-communication/discover-users?packageName=${packageName}`],
      ['GET', `/api/console/apps/${packageName}`],
    ] as const)
      assert.equal((await rig.cloud.request(method, path, { token })).status, 401, path)
  })

  test('AUTH-42: a revoked key with an open socket', async (t) => {
    const { token, sessionId, apiKey, init } = await startAppWithToken(t)
    const headers = { ...bearer(token).headers, 'x-session-id': sessionId }
    const app = await SocketClient.open(t, rig.url, { headers })
    await app.next('tpa_connection_ack')
    const waiting = await SocketClient.open(t, rig.url, bearer(token))
    await rig.cloud.cloud.apiKeyStore.remove(keyIdOf(apiKey))
    await rig.cloud.cloud.changes.catchUp()
    assert.deepEqual(await app.closed(), { code: 1008, reason: 'The API key was revoked' })
    waiting.send({ type: 'tpa_connection_init', sessionId })
    assert.equal((await waiting.next('tpa_connection_error')).code, 'INVALID_API_KEY')
    for (const given of [bearer(token), { headers }]) {
      const { status, body } = await rejectedHandshake(rig.url, given)
      assert.deepEqual([status, body.code], [401, 'JWT_INVALID'])
    }
    assert.deepEqual(await rig.rejectionOf(t, init), ['INVALID_API_KEY', 1008])
  })

  test('AUTH-70: every use of an API key counts, with the address of the client behind a proxy', async (t) => {
    const address = '192.0.2.7'
    const from = (headers: object = {}) => ({ headers: { ...headers, 'x-forwarded-for': address } })
    const headersOf = ({
      apiKey,
      packageName,
    }: {
      readonly apiKey: string
      readonly packageName: string
    }) => ({
      'x-api-key': apiKey,
      'x-package-name': packageName,
    })
    type App = Awaited<ReturnType<typeof rig.startApp>>
    const acknowledged = async (headers: object, init: Frame) => {
      const app = await SocketClient.open(t, rig.url, from(headers))
      app.send(init)
      await app.next('tpa_connection_ack')
    }
    const tokenOf = ({ packageName, apiKey }: App) =>
      rig.cloud.cloud.appTokens.issue({ packageName, keyId: keyIdOf(apiKey) })
    const uses: Record<string, (app: App) => Promise<unknown>> = {
      request: (app) =>
        rig.cloud.request('GET', `/api/transcripts/${app.sessionId}?duration=1`, from(headersOf(app))),
      'key in the path of simple storage': ({ packageName, apiKey, email }) => {
        const headers = bearer(`${packageName}:${apiKey}`).headers
        return rig.cloud.request('GET', `/api/sdk/simple-storage/${email}`, from(headers))
      },
      'settings with session id and key': (app) => {
        const headers = { ...bearer(app.sessionId).headers, 'x-api-key': app.apiKey }
        return rig.cloud.request('GET', `/appsettings/user/${app.packageName}`, from(headers))
      },
      'app token': (app) => rig.cloud.request('POST', '/api/auth/app-token', from(headersOf(app))),
      socket: ({ init }) => acknowledged({}, init),
      'socket with an app token': (app) => acknowledged(bearer(tokenOf(app)).headers, app.init),
    }
    const lastUseOf = async ({ apiKey }: App) => {
      await rig.cloud.cloud.credentialUses.flush()
      return (await rig.cloud.cloud.apiKeyStore.findByKeyId(keyIdOf(apiKey)))?.lastUse
    }
    for (const [name, use] of Object.entries(uses)) {
      const app = await rig.startApp(t)
      assert.equal(await lastUseOf(app), undefined)
      await use(app)
      assert.deepEqual(await lastUseOf(app), { at: rig.clock.now(), address }, name)
    }
    const app = await rig.startApp(t)
    const guessed = headersOf({ ...app, apiKey: `${app.apiKey.slice(0, -1)}!` })
    await rig.cloud.request('POST', '/api/auth/app-token', from(guessed))
    await rig.rejectionOf(t, { ...app.init, sessionId: 'nobody' })
    assert.equal(await lastUseOf(app), undefined)
  })

  test('SOC-31: an invalid key or the key of another app closes with 1008', async (t) => {
    const { init, glasses } = await rig.startApp(t)
    const other = await rig.cloud.registerApp({ packageName: 'dev.other' })
    for (const apiKey of ['', 'gck_x_y', other.apiKey])
      assert.deepEqual(await rig.rejectionOf(t, { ...init, apiKey }), ['INVALID_API_KEY', 1008])
    rig.clock.advance(5_000)
    assert.equal((await glasses.next('app_stopped')).reason, 'error', 'the start did not fail')
  })

  test('SOC-31: an unknown or malformed session id closes with 1008', async (t) => {
    const { init, packageName, sessionId } = await rig.startApp(t)
    for (const wrong of [
      `nobody-${packageName}`,
      `nobody@ex-ample.com-${packageName}`,
      packageName,
      `-${packageName}`,
      '',
      sessionId.slice(0, -1),
    ])
      assert.deepEqual(await rig.rejectionOf(t, { ...init, sessionId: wrong }), ['SESSION_NOT_FOUND', 1008])
  })

  test('SOC-31: an app that was not started closes with 1008', async (t) => {
    const { sessionId, packageName } = await rig.startApp(t)
    const other = await rig.cloud.registerApp({ packageName: 'dev.not-started' })
    const init = {
      type: 'tpa_connection_init',
      packageName: other.packageName,
      apiKey: other.apiKey,
      sessionId: sessionId.replace(packageName, other.packageName),
    }
    assert.deepEqual(await rig.rejectionOf(t, init), ['APP_NOT_STARTED', 1008])
  })

  test('SOC-30: another first message returns NOT_AUTHENTICATED and keeps the socket open', async (t) => {
    const { init } = await rig.startApp(t)
    const app = await SocketClient.open(t, rig.url)
    app.send({ type: 'subscription_update', subscriptions: [] })
    assert.equal((await app.next('tpa_connection_error')).code, 'NOT_AUTHENTICATED')
    app.send('no json')
    assert.equal((await app.next('tpa_connection_error')).code, 'MALFORMED_MESSAGE')
    app.send(init)
    await app.next('tpa_connection_ack')
  })

  test('SOC-33: only tpa_connection_init is validated before authentication', async (t) => {
    const { init } = await rig.startApp(t)
    const app = await SocketClient.open(t, rig.url)
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
    const { app } = await rig.startConnectedApp(t)
    const silent = await SocketClient.open(t, rig.url)
    rig.clock.advance(4_999)
    silent.send({ type: 'ping' })
    await silent.next('tpa_connection_error')
    rig.clock.advance(1)
    assert.equal((await silent.next('tpa_connection_error')).code, 'NOT_AUTHENTICATED')
    assert.equal((await silent.closed()).code, 1008)
    app.send({ type: 'still there?' })
    await app.next('tpa_connection_error')
  })

  test('SOC-25: an app may send 16 KiB before it authenticates', async (t) => {
    const { app } = await rig.startConnectedApp(t)
    const excessive = await SocketClient.open(t, rig.url)
    excessive.send('x'.repeat(10_000))
    await excessive.next('tpa_connection_error')
    excessive.send('x'.repeat(10_000))
    assert.equal((await excessive.closed()).code, 1009)
    app.send({ type: 'x', text: 'x'.repeat(500_000) })
    assert.equal((await app.next('tpa_connection_error')).code, 'UNKNOWN_MESSAGE_TYPE')
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
      const response = await sendRaw(Number(new URL(rig.cloud.url).port), Buffer.from(request), 20_000)
      const { message, timestamp, ...rest } = JSON.parse(response.body)
      assert.deepEqual(
        [response.status, response.headers.get('sec-websocket-version'), rest],
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
    assert.equal((await rejectedHandshake(path)).status, 503)
    clock.advance(1)
    const late = await SocketClient.open(t, path)
    assert.equal((await oldest.closed()).code, 1013)
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
    await once(silent, 'end', { signal: AbortSignal.timeout(20_000) })
  })
})
