import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type Frame, SocketClient } from '../../src/sockets/testing/socket-client.ts'
import { AppSocketRig } from '../support/app-socket-rig.ts'
import { suiteScope } from '../support/scope.ts'
import { startCloud } from '../support/test-cloud.ts'

describe('app socket', () => {
  const scope = suiteScope()
  let rig: AppSocketRig

  before(async () => {
    rig = await AppSocketRig.start(scope)
  })

  test('SOC-11 SOC-15: an invalid message returns an error and keeps the socket open', async (t) => {
    const { app } = await rig.startConnectedApp(t)
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
    const { init } = await rig.startApp(t)
    const { type, ...data } = init
    const app = await SocketClient.open(t, rig.url)
    app.send({ type, data })
    const { data: ack } = await app.next('tpa_connection_ack')
    assert.equal((ack as Frame).sessionId, init.sessionId)
    app.send({ type: 'make_coffee', data: {} })
    const { data: error } = await app.next('tpa_connection_error')
    assert.equal((error as Frame).code, 'UNKNOWN_MESSAGE_TYPE')
  })

  test('SOC-14: messages sent before the acknowledgement are processed in order', async (t) => {
    const { init, glasses, packageName } = await rig.startApp(t)
    const app = await SocketClient.open(t, rig.url)
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
    const victim = await rig.startConnectedApp(t)
    const { app, glasses, packageName } = await rig.startConnectedApp(t)
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
    const { app, glasses, sessionId } = await rig.startConnectedApp(t)
    app.send({ type: 'subscription_update', subscriptions: ['audio_chunk', 'touch_event:swipe'] })
    await glasses.next('microphone_state_change')
    const audio = Uint8Array.from({ length: 1_001 }, (_, n) => n % 256)
    glasses.send(audio)
    glasses.send(Uint8Array.of(7))
    await app.waitForAudio(2)
    assert.deepEqual(Buffer.concat(app.audio), Buffer.from([...audio, 7]))
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

  test('SOC-20 SOC-48: the message limit applies to each client of a user', async (t) => {
    const { app, glasses } = await rig.startConnectedApp(t)
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
    glasses.ws.send('no JSON')
    assert.equal((await glasses.next('connection_error')).code, 'MALFORMED_MESSAGE')
  })

  test('SES-5 SES-9: the end of a session stops its apps; a restart of the cloud does not', async (t) => {
    const { app, glasses } = await rig.startConnectedApp(t)
    glasses.ws.close()
    await glasses.closed()
    const deadline = Date.now() + 20_000
    while (app.ws.readyState === app.ws.OPEN && Date.now() < deadline) {
      rig.clock.advance(10_000)
      await rig.cloud.request('GET', '/healthz')
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
