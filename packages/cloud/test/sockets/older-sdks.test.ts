import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type Frame, SocketClient } from '../../src/sockets/testing/socket-client.ts'
import type { AppServer } from '../support/app-server.ts'
import { AppSocketRig } from '../support/app-socket-rig.ts'
import { suiteScope } from '../support/scope.ts'

/** Makes the cloud send messages that some SDKs do not know. */
function changeGlasses(glasses: SocketClient): void {
  glasses.send({ type: 'glasses_connection_state', modelName: 'Mentra Live', status: 'CONNECTED' })
  glasses.send({ type: 'glasses_battery_update', level: 55, charging: false })
}

const KNOWN_LATER = ['capabilities_update', 'dashboard_mode_changed', 'device_state_update']

describe('older SDKs', () => {
  const scope = suiteScope()
  let rig: AppSocketRig

  before(async () => {
    rig = await AppSocketRig.start(scope)
  })

  /** Starts an app, changes the glasses and returns the types it received of those that some SDKs do not know. */
  async function typesReceived(
    t: Parameters<AppSocketRig['startApp']>[0],
    sdk: AppServer['sdk'],
    extra: Frame = {},
  ): Promise<unknown[]> {
    const { glasses, init } = await rig.startApp(t, sdk)
    const app = await SocketClient.open(t, rig.url)
    app.send({ ...init, ...extra })
    await app.next('tpa_connection_ack')
    app.send({ type: 'subscription_update', subscriptions: ['button_press'] })
    app.send({ type: 'ping' })
    await app.next('pong')
    changeGlasses(glasses)
    glasses.send({ type: 'button_press', buttonId: 'main', pressType: 'short' })
    await app.next('data_stream')
    return KNOWN_LATER.filter((type) => app.frames.some((frame) => frame.type === type))
  }

  const cases: [name: string, sdk: AppServer['sdk'], announced: string | undefined, types: string[]][] = [
    ['1.0 to 2.0.2', 'first', undefined, []],
    ['2.0.3 to 2.1.28', 'second', undefined, KNOWN_LATER.filter((type) => type !== 'device_state_update')],
    ['2.1.29 and newer', 'current', undefined, KNOWN_LATER],
    ['no SDK', 'other', undefined, ['capabilities_update']],
    ['a server that does not respond', undefined, undefined, KNOWN_LATER],
    [
      'an announced 2.1.28',
      undefined,
      '2.1.28',
      KNOWN_LATER.filter((type) => type !== 'device_state_update'),
    ],
    ['an announced 1.0.13', 'current', '1.0.13', []],
    ['an announced 3.0.0-hono.8', 'first', '3.0.0-hono.8', KNOWN_LATER],
  ]
  for (const [name, sdk, sdkVersion, types] of cases) {
    test(`CMP-1 CMP-2: ${name} receives only messages that it knows`, async (t) => {
      assert.deepEqual(await typesReceived(t, sdk, sdkVersion === undefined ? {} : { sdkVersion }), types)
    })
  }

  test('CMP-3: each message that shows it', async (t) => {
    const { app, glasses, email } = await rig.startConnectedApp(t, '/app-ws', 'first')
    changeGlasses(glasses)
    await rig.cloud.request('PUT', '/api/client/user/settings', {
      token: await rig.cloud.token(email),
      body: { settings: { metric_system_enabled: true } },
    })
    app.send({ type: 'dashboard_content_update', content: 'hi', modes: ['main'] })
    assert.equal((await app.next('dashboard_mode_changed')).mode, 'main')
    app.send({ type: 'subscription_update', subscriptions: ['augmentos:metricSystemEnabled'] })
    const { settings } = await app.next('augmentos_settings_update')
    assert.equal((settings as Frame).metricSystemEnabled, true)
    app.send({ type: 'subscription_update', subscriptions: ['device_state_update'] })
    const { state, fullSnapshot } = await app.next('device_state_update')
    const { modelName, batteryLevel } = state as Frame
    assert.deepEqual([modelName, batteryLevel, fullSnapshot], ['Mentra Live', 55, true])
  })

  test('CMP-4: a photo request without an id gets one', async (t) => {
    const { app, glasses } = await rig.startConnectedApp(t)
    changeGlasses(glasses)
    app.send({ type: 'photo_request', saveToGallery: false })
    const { requestId } = await glasses.next('photo_request')
    assert.match(String(requestId), /^[a-z0-9]{5,}$/)
  })

  test('CMP-5: frames for a subscription without a language fit every SDK', async (t) => {
    for (const [sdk, expected] of [
      ['first', undefined],
      ['current', 'en-US'],
    ] as const) {
      const { app, glasses } = await rig.startConnectedApp(t, '/app-ws', sdk)
      app.send({ type: 'subscription_update', subscriptions: ['transcription'] })
      app.send({ type: 'ping' })
      await app.next('pong')
      glasses.send({ type: 'local_transcription', text: 'hello', isFinal: true, transcribeLanguage: 'en-US' })
      const { streamType, data } = await app.next('data_stream')
      const { text, transcribeLanguage } = data as Frame
      assert.deepEqual([streamType, text, transcribeLanguage], ['transcription', 'hello', expected], sdk)
    }
  })
})

describe('SDK 3', () => {
  const scope = suiteScope()
  let rig: AppSocketRig

  before(async () => {
    rig = await AppSocketRig.start(scope)
  })

  /** Opens a socket with the headers of `MiniAppServer`. */
  const openWithHeaders = (
    t: Parameters<AppSocketRig['startApp']>[0],
    { email, sessionId, packageName, apiKey }: Awaited<ReturnType<AppSocketRig['startApp']>>,
    over: Record<string, string> = {},
  ) =>
    SocketClient.open(t, rig.url, {
      headers: {
        'x-user-id': email,
        'x-session-id': sessionId,
        'x-package-name': packageName,
        'x-api-key': apiKey,
        ...over,
      },
    })

  test('CMP-6: the headers of the handshake complete the first message', async (t) => {
    const started = await rig.startApp(t)
    const { packageName, apiKey, sessionId, glasses } = started
    const app = await openWithHeaders(t, started)
    app.send({ type: 'tpa_connection_init', packageName, apiKey, sdkVersion: '3.0.0-hono.8' })
    assert.equal((await app.next('tpa_connection_ack')).sessionId, sessionId)
    await glasses.next('app_started')
    app.ws.terminate()
    const again = await openWithHeaders(t, started)
    again.send({ type: 'reconnect', sessionId, sdkVersion: '3.0.0-hono.8' })
    assert.equal((await again.next('tpa_connection_ack')).sessionId, sessionId)
  })

  test('CMP-6: headers grant nothing without a valid key and session', async (t) => {
    const started = await rig.startApp(t)
    const { packageName, apiKey } = started
    const cases: [headers: Record<string, string>, message: Frame, code: string][] = [
      [{ 'x-api-key': 'gck_x_y' }, { type: 'reconnect' }, 'INVALID_API_KEY'],
      [
        { 'x-api-key': apiKey },
        { type: 'tpa_connection_init', packageName, apiKey: 'gck_x_y' },
        'INVALID_API_KEY',
      ],
      [{ 'x-session-id': `other-${packageName}` }, { type: 'reconnect' }, 'SESSION_NOT_FOUND'],
    ]
    for (const [headers, message, code] of cases) {
      const app = await openWithHeaders(t, started, headers)
      app.send(message)
      assert.equal((await app.next('tpa_connection_error')).code, code)
      assert.equal((await app.closed()).code, 1008)
    }
    const bare = await SocketClient.open(t, rig.url)
    bare.send({ type: 'tpa_connection_init', packageName, apiKey })
    assert.equal((await bare.next('tpa_connection_error')).code, 'SESSION_NOT_FOUND')
  })

  test('CMP-7: an app that is no longer running is told so when it reconnects', async (t) => {
    const { app, glasses, ...started } = await rig.startConnectedApp(t)
    glasses.send({ type: 'stop_app', packageName: started.packageName })
    await glasses.next('app_stopped')
    app.ws.terminate()
    const again = await openWithHeaders(t, { ...started, glasses })
    again.send({ type: 'reconnect', sessionId: started.sessionId })
    assert.equal((await again.next('reconnect_rejected')).code, 'NOT_RUNNING')
    assert.equal((await again.closed()).code, 1008)
  })

  test('CMP-8: a JSON ping is answered with pong', async (t) => {
    const { app } = await rig.startConnectedApp(t)
    app.send({ type: 'ping' })
    await app.next('pong')
  })

  test('STR-36: stream_request and stream_stop control a direct stream and are answered as stream_status', async (t) => {
    const { app, glasses } = await rig.startConnectedApp(t)
    glasses.send({
      type: 'glasses_connection_state',
      modelName: 'Mentra Live',
      status: 'CONNECTED',
      wifi: { connected: true, ssid: 'home' },
    })
    app.send({ type: 'subscription_update', subscriptions: ['stream_status'] })
    app.send({ type: 'stream_request', streamUrl: 'ftp://example.org' })
    assert.equal((await app.next('stream_status')).code, 'INVALID_URL')
    app.send({ type: 'stream_request', streamUrl: 'srt://stream.example.org:9000' })
    const { status, streamId } = await app.next('stream_status')
    assert.equal(status, 'initializing')
    const start = await glasses.next('start_stream')
    assert.deepEqual([start.streamUrl, start.streamId], ['srt://stream.example.org:9000', streamId])
    const frame = await app.next('data_stream')
    assert.equal(frame.streamType, 'stream_status')
    assert.equal((frame.data as Frame).status, 'initializing')
    app.send({ type: 'stream_stop', streamId: String(streamId) })
    assert.equal((await app.next('stream_status')).status, 'stopped')
    await glasses.next('stop_stream')
    assert.ok(!app.frames.some(({ type }) => type === 'rtmp_stream_status'))
  })

  test('CMP-9: a message that the cloud does not support is answered with an error', async (t) => {
    const { app } = await rig.startConnectedApp(t)
    for (const type of ['audio_stream_start', 'camera_fov_set', 'telemetry_response']) {
      app.send({ type, requestId: 'r' })
      const { code, message } = await app.next('tpa_connection_error')
      assert.deepEqual([code, message], ['UNKNOWN_MESSAGE_TYPE', `Unknown message type ${type}`])
    }
    assert.equal(app.ws.readyState, app.ws.OPEN)
  })
})
