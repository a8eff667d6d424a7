import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { closeFrames, type Message } from '@glasses-cloud/contract'
import { GlassesDevice } from './parts/glasses-device.ts'
import { createAppDefinition, glassesOf, SessionRig } from './testing/session-rig.ts'

const A = 'dev.example.a-b'
const B = 'dev.example.b'
const wall = (text: string) => ({ layoutType: 'text_wall', text }) as const

describe('glasses', () => {
  test('SES-1 SES-3: connecting glasses receive an acknowledgement with a snapshot first', () => {
    const rig = new SessionRig([createAppDefinition(A)])
    rig.clock.advance(1_500)
    const glasses = rig.connectGlasses()
    const [ack] = glasses.sent
    assert.deepEqual(ack, {
      type: 'connection_ack',
      sessionId: 'us1',
      userId: 'a-b@example.com',
      userSession: {
        userId: 'a-b@example.com',
        startTime: '2026-01-01T00:00:00.000Z',
        activeAppSessions: [],
        loadingApps: [],
        appSubscriptions: {},
        requiresAudio: false,
        minimumTranscriptionLanguages: [],
        isTranscribing: false,
      },
      timestamp: '2026-01-01T00:00:01.500Z',
    })
  })

  test('SES-2: connection_init is acknowledged again and changes nothing', () => {
    const rig = new SessionRig([createAppDefinition(A)])
    const glasses = rig.connectGlasses()
    const app = rig.runApp(A)
    app.takeMessages()
    glasses.takeMessages()
    rig.session.handleGlassesMessage(glasses, { type: 'connection_init' })
    const [ack, ...more] = glasses.takeMessages()
    assert.equal(ack?.type, 'connection_ack')
    const { userSession } = ack ?? {}
    assert.deepEqual((userSession as { activeAppSessions: string[] }).activeAppSessions, [A])
    assert.deepEqual(more, [])
    assert.deepEqual(app.takeMessages(), [])
    assert.deepEqual(rig.webhooks, [])
  })

  test('SES-4: the newest glasses socket replaces the older one, which is closed and ignored', () => {
    const rig = new SessionRig([createAppDefinition(A)])
    const old = rig.connectGlasses('old')
    const app = rig.runApp(A)
    rig.subscribe(app, 'button_press', 'strange')
    old.onClose = undefined
    const fresh = rig.connectGlasses('fresh')
    assert.deepEqual(old.closed, { code: 4409, reason: 'Replaced by a newer connection' })
    app.takeMessages()
    fresh.takeMessages()
    rig.session.handleGlassesMessage(old, { type: 'button_press', buttonId: 'x', pressType: 'short' })
    rig.session.handleGlassesMessage(old, { type: 'connection_init' })
    rig.session.handleGlassesMessage(old, { type: 'stop_app', packageName: A })
    rig.session.handleUnknownGlassesMessage(old, { type: 'strange' })
    rig.flush()
    assert.deepEqual(app.takeMessages(), [])
    assert.deepEqual(fresh.takeMessages(), [])
    rig.session.detachGlasses(old)
    rig.clock.advance(10 * 60_000)
    assert.equal(rig.endCount, 0, 'the late close of a replaced socket starts no grace period')
    assert.deepEqual(rig.session.appState.activeApps, [A])
  })

  test('SES-5: a session ends after sixty seconds without glasses', () => {
    const rig = new SessionRig([createAppDefinition(A), createAppDefinition(B)])
    const glasses = rig.connectGlasses()
    const app = rig.runApp(A)
    rig.session.detachApp(B, rig.runApp(B))
    rig.session.detachGlasses(glasses)
    rig.clock.advance(4_000)
    rig.answerWebhooks('session_request')
    rig.clock.advance(55_999)
    assert.equal(rig.endCount, 0)
    assert.equal(app.closed, undefined)
    rig.webhooks.length = 0
    rig.clock.advance(1)
    assert.equal(rig.endCount, 1)
    assert.equal(app.lastOfType('app_stopped')?.reason, 'system_stop')
    assert.deepEqual(app.closed, { code: 1000, reason: 'Session over' })
    assert.deepEqual(
      rig.webhooks.map(({ call }) => call),
      [{ type: 'stop_request', packageName: B, sessionId: `us1-${B}`, reason: 'system_stop' }],
    )
    assert.deepEqual([...rig.running], [A, B])
  })

  test('SES-5: a session that no glasses connect to ends after sixty seconds', () => {
    const rig = new SessionRig()
    rig.clock.advance(59_999)
    assert.equal(rig.endCount, 0)
    rig.clock.advance(1)
    assert.equal(rig.endCount, 1)
  })

  test('SES-6 DSP-15 DSP-16 MIC-6: glasses that reconnect in time find everything unchanged', () => {
    const rig = new SessionRig([createAppDefinition(A, { appType: 'STANDARD' })])
    const first = rig.connectGlasses()
    const app = rig.runApp(A)
    rig.subscribe(app, 'transcription:en-US')
    rig.clock.advance(5_000)
    rig.session.handleAppMessage(A, app, { type: 'display_event', view: 'main', layout: wall('before') })
    rig.session.detachGlasses(first)
    rig.clock.advance(30_000)
    first.takeMessages()
    app.takeMessages()
    rig.session.handleAppMessage(A, app, { type: 'display_event', view: 'main', layout: wall('meanwhile') })
    rig.clock.advance(29_999)
    const second = rig.connectGlasses()
    assert.deepEqual(
      second.sent.map(({ type }) => type),
      ['connection_ack', 'microphone_state_change', 'display_event', 'set_location_tier'],
    )
    assert.deepEqual(second.lastOfType('display_event')?.layout, wall('meanwhile'))
    assert.equal(second.lastOfType('microphone_state_change')?.isMicrophoneEnabled, true)
    const { userSession }: Message = second.lastOfType('connection_ack') ?? { type: 'nothing' }
    const snapshot = userSession as Record<string, unknown>
    assert.deepEqual(snapshot.activeAppSessions, [A])
    assert.deepEqual(snapshot.appSubscriptions, { [A]: ['transcription:en-US'] })
    assert.deepEqual([app.sent, first.sent, rig.webhooks], [[], [], []], 'other sockets receive nothing')
    rig.clock.advance(10 * 60_000)
    assert.equal(rig.endCount, 0)
  })

  test('SES-7 SES-10: an ended session rejects sockets and sends nothing', () => {
    const rig = new SessionRig([createAppDefinition(A), createAppDefinition(B)])
    const glasses = rig.connectGlasses()
    const app = rig.runApp(A)
    const starting = rig.startApp(B)
    rig.session.end(closeFrames.LOGGED_OUT)
    assert.deepEqual(glasses.closed, { code: 4401, reason: 'Logged out' })
    assert.equal(starting.value?.ok === false && starting.value.stage, 'STOPPED')
    assert.equal(rig.connectApp(A), undefined)
    const after = rig.startApp(A)
    assert.equal(after.value?.ok === false && after.value.stage, 'STOPPED')
    const late = rig.connectGlasses()
    assert.equal(late.closed?.code, 1012)
    assert.deepEqual(late.sent, [])
    const before = [glasses, app].map(({ sent }) => sent.length)
    rig.session.handleAppMessage(A, app, { type: 'display_event', view: 'main', layout: wall('late') })
    rig.session.handleGlassesMessage(glasses, { type: 'connection_init' })
    rig.session.end()
    rig.clock.advance(10 * 60_000)
    assert.deepEqual(
      [glasses, app].map(({ sent }) => sent.length),
      before,
    )
    assert.deepEqual([rig.endCount, rig.clock.pendingTimers], [1, 0])
  })

  test('SES-8: the glasses start and stop apps', () => {
    const rig = new SessionRig([createAppDefinition(A)])
    const glasses = rig.connectGlasses()
    rig.session.handleGlassesMessage(glasses, { type: 'start_app', packageName: A })
    rig.flush()
    const app = rig.connectApp(A)
    assert.ok(app)
    assert.deepEqual(rig.session.appState.activeApps, [A])
    rig.subscribe(app, 'ping', 'pong', 'start_app', 'stop_app', 'connection_init')
    rig.session.handleGlassesMessage(glasses, { type: 'ping' })
    rig.session.handleGlassesMessage(glasses, { type: 'pong' })
    rig.session.handleGlassesMessage(glasses, { type: 'connection_init' })
    rig.session.handleGlassesMessage(glasses, { type: 'stop_app', packageName: A })
    assert.deepEqual(app.messagesOfType('data_stream'), [])
    assert.deepEqual(rig.session.appState.activeApps, [])
    assert.equal(rig.webhooks.at(-1)?.call.type, 'stop_request')
  })

  test('SES-9: a suspended session closes all sockets with 1012 and stops no app', () => {
    const rig = new SessionRig([createAppDefinition(A), createAppDefinition(B)])
    const glasses = rig.connectGlasses()
    const app = rig.runApp(A)
    const starting = rig.startApp(B)
    rig.webhooks.length = 0
    rig.session.suspend()
    const expected = { code: 1012, reason: 'The cloud restarts' }
    assert.deepEqual([glasses.closed, app.closed], [expected, expected])
    assert.deepEqual(app.messagesOfType('app_stopped'), [])
    assert.deepEqual([rig.webhooks, rig.endCount, [...rig.running]], [[], 0, [A]])
    assert.equal(starting.value?.ok, false)
    assert.equal(rig.clock.pendingTimers, 0)
  })
})

describe('device', () => {
  test('SES-12: reports are merged, and apps receive the changes', () => {
    const rig = new SessionRig([createAppDefinition(A)])
    rig.connectGlasses()
    const app = rig.runApp(A)
    app.takeMessages()
    rig.session.part(GlassesDevice).report({ connected: true, modelName: 'Mentra Live', batteryLevel: 50 })
    rig.session.part(GlassesDevice).report({ batteryLevel: 50, charging: true })
    rig.session.part(GlassesDevice).report({ batteryLevel: 50 })
    assert.deepEqual(
      app.messagesOfType('device_state_update').map(({ state, fullSnapshot }) => [state, fullSnapshot]),
      [
        [{ connected: true, modelName: 'Mentra Live', batteryLevel: 50 }, false],
        [{ charging: true }, false],
      ],
    )
    assert.equal(app.messagesOfType('capabilities_update').length, 1)
  })

  test('SES-13 SES-16: a connecting app receives the full state without the hotspot password', () => {
    const rig = new SessionRig([createAppDefinition(A)])
    const glasses = rig.connectGlasses()
    rig.session
      .part(GlassesDevice)
      .report({ batteryLevel: 9, hotspotEnabled: true, hotspotPassword: 'secret' })
    const state = {
      type: 'glasses_connection_state',
      modelName: 'Mentra Live',
      status: 'CONNECTED',
      wifi: { connected: true, ssid: 'home' },
    } as const
    rig.session.handleGlassesMessage(glasses, state)
    const app = rig.runApp(A)
    const [ack, device, connection] = app.sent
    assert.equal(ack?.type, 'tpa_connection_ack')
    assert.equal((ack?.capabilities as { modelName: string } | undefined)?.modelName, 'Mentra Live')
    assert.deepEqual(device, {
      type: 'device_state_update',
      state: {
        batteryLevel: 9,
        hotspotEnabled: true,
        connected: true,
        modelName: 'Mentra Live',
        wifiConnected: true,
        wifiSsid: 'home',
      },
      fullSnapshot: true,
      sessionId: `us1-${A}`,
      timestamp: '2026-01-01T00:00:00.000Z',
    })
    assert.deepEqual(connection?.data, state)
    assert.equal(connection?.streamType, 'glasses_connection_state')
    rig.session.part(GlassesDevice).report({ hotspotPassword: 'another', hotspotEnabled: false })
    assert.doesNotMatch(JSON.stringify(app.sent), /secret|another|hotspotPassword/)
  })

  test('SES-14 SES-15: apps are notified when glasses are replaced or disconnect', () => {
    const rig = new SessionRig([createAppDefinition(A)])
    const glasses = rig.connectGlasses()
    const app = rig.runApp(A)
    const updates = () =>
      app
        .messagesOfType('capabilities_update')
        .map(({ capabilities, modelName }) => [
          (capabilities as { modelName: string } | null)?.modelName ?? null,
          modelName,
        ])
    rig.session.part(GlassesDevice).report({ modelName: 'Mentra Live' })
    rig.session.part(GlassesDevice).report({ modelName: 'Never Heard Of' })
    rig.session.handleGlassesMessage(glasses, {
      type: 'glasses_connection_state',
      modelName: 'Even Realities G1',
      status: 'RECONNECTED',
    })
    rig.session.part(GlassesDevice).report({ connected: false })
    assert.deepEqual(updates(), [
      ['Mentra Live', 'Mentra Live'],
      [null, 'Never Heard Of'],
      ['Even Realities G1', 'Even Realities G1'],
      [null, 'Even Realities G1'],
    ])
    assert.equal(glassesOf(rig), null)
  })
})
