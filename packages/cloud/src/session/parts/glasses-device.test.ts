import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DeviceReport } from '@glasses-cloud/contract'
import type { RecordingPeer } from '../testing/recording-peer.ts'
import { createAppDefinition, glassesOf, SessionRig } from '../testing/session-rig.ts'
import { GlassesDevice } from './glasses-device.ts'

const A = 'dev.example.a'
const now = '2026-01-01T00:00:00.000Z'

function setUp() {
  const rig = new SessionRig([createAppDefinition(A)])
  const glasses = rig.connectGlasses()
  const app = rig.runApp(A)
  rig.subscribe(app, 'glasses_connection_state', 'glasses_battery_update')
  app.takeMessages()
  return { rig, glasses, app }
}

const frames = (peer: RecordingPeer) =>
  peer.messagesOfType('data_stream').map(({ data }) => data as Record<string, unknown>)

test('DEV-1 DEV-2: the state of the glasses results from all reports together', () => {
  const { rig, glasses } = setUp()
  const steps: [DeviceReport, connected: boolean, model: string | null, profile: string | null][] = [
    [{ batteryLevel: 50 }, false, null, null],
    [{ modelName: 'Mentra Live' }, true, 'Mentra Live', 'Mentra Live'],
    [{ connected: false }, false, 'Mentra Live', null],
    [{ connected: true }, true, 'Mentra Live', 'Mentra Live'],
    [{ connected: null, batteryLevel: 3 }, true, 'Mentra Live', 'Mentra Live'],
    [{ modelName: 'Never Heard Of' }, true, 'Never Heard Of', null],
    [{ modelName: null }, false, null, null],
    [{ connected: true }, true, null, null],
    [{ modelName: '' }, false, null, null],
    [{ connected: false, modelName: 'Mentra Live' }, false, 'Mentra Live', null],
  ]
  for (const [report, isGlassesConnected, modelName, profile] of steps) {
    const { capabilities, ...applied } = rig.session.part(GlassesDevice).report(report)
    assert.deepEqual(
      [applied, capabilities?.modelName ?? null],
      [{ isGlassesConnected, isPhoneConnected: true, modelName }, profile],
      JSON.stringify(report),
    )
  }
  rig.session.detachGlasses(glasses)
  assert.equal(rig.session.part(GlassesDevice).report({}).isPhoneConnected, false)
})

test('DEV-2 DEV-13: connected glasses keep their model if a report omits it', () => {
  const { rig, glasses } = setUp()
  rig.session.part(GlassesDevice).report({ modelName: 'Mentra Live' })
  for (const modelName of [undefined, null, '']) {
    rig.session.handleGlassesMessage(glasses, {
      type: 'glasses_connection_state',
      status: 'RECONNECTED',
      modelName,
    })
    assert.equal(glassesOf(rig)?.capabilities.modelName, 'Mentra Live')
  }
  for (const status of ['DISCONNECTED', 'Connecting', 'SCANNING']) {
    rig.session.handleGlassesMessage(glasses, { type: 'glasses_connection_state', status, modelName: null })
    assert.equal(rig.session.part(GlassesDevice).report({}).modelName, null)
    rig.session.part(GlassesDevice).report({ modelName: 'Mentra Live' })
  }
})

test('DEV-11: reports about simulated glasses', () => {
  const { rig, glasses, app } = setUp()
  rig.clock.advance(2_000)
  const shown = (modelName: string) => {
    rig.session.part(GlassesDevice).report({ connected: false, modelName })
    glasses.takeMessages()
    const layout = { layoutType: 'text_wall', text: modelName } as const
    rig.session.handleAppMessage(A, app, { type: 'display_event', layout })
    rig.session.handleAppMessage(A, app, { type: 'rgb_led_control', requestId: modelName, action: 'on' })
    rig.clock.advance(1_000)
    return [
      glasses.lastOfType('display_event')?.layout,
      app.lastOfType('rgb_led_control_response')?.error,
      glassesOf(rig)?.capabilities.modelName,
    ]
  }
  assert.deepEqual(shown('Even Realities G1'), [undefined, 'glasses_not_connected', undefined])
  assert.deepEqual(shown('Simulated Glasses'), [
    { layoutType: 'text_wall', text: 'Simulated Glasses' },
    'device_not_supported',
    'Simulated Glasses',
  ])
})

test('DEV-3: a report without changes is sent to no one', () => {
  const { rig, glasses, app } = setUp()
  const report = { connected: true, modelName: 'Mentra Live', batteryLevel: 50, wifiSsid: 'home' }
  rig.session.part(GlassesDevice).report(report)
  rig.clock.advance(60_000)
  app.takeMessages()
  glasses.takeMessages()
  for (let n = 0; n < 3; n += 1) rig.session.part(GlassesDevice).report(report)
  rig.session.part(GlassesDevice).report({ modelName: 'Mentra Live' })
  rig.session.part(GlassesDevice).report({})
  assert.deepEqual([app.sent, glasses.sent], [[], []])
})

test('DEV-4: a report with every private key', () => {
  const { rig, app } = setUp()
  const secret = {
    hotspotPassword: 'hush',
    serialNumber: 'S-1',
    bluetoothName: 'B-1',
    timestamp: 5,
    made: 'up',
  }
  const kept = { fwVersion: '1.2', caseOpen: true, hotspotSsid: 'glasses' }
  rig.session.part(GlassesDevice).report(secret)
  assert.deepEqual(app.sent, [])
  rig.session.part(GlassesDevice).report({ ...secret, ...kept })
  const again = rig.connectApp(A)
  assert.deepEqual(app.lastOfType('device_state_update')?.state, kept)
  assert.deepEqual(again?.lastOfType('device_state_update')?.state, kept)
})

test('DEV-12: versions reported for two models', () => {
  const { rig } = setUp()
  const versionAfter = (report: DeviceReport) => {
    rig.session.part(GlassesDevice).report(report)
    return glassesOf(rig)?.version
  }
  assert.equal(versionAfter({ modelName: 'Mentra Live' }), null)
  assert.equal(versionAfter({ fwVersion: '1.9' }), '1.9')
  assert.equal(versionAfter({ connected: false }), undefined)
  assert.equal(versionAfter({ connected: true }), '1.9')
  assert.equal(versionAfter({ modelName: 'Even Realities G1' }), null, 'the version of other glasses')
  assert.equal(versionAfter({ modelName: 'Mentra Live' }), '1.9')
  assert.equal(versionAfter({ fwVersion: '' }), null)
  assert.equal(versionAfter({ modelName: null }), undefined)
  assert.equal(versionAfter({ fwVersion: '2.0' }), undefined)
  assert.equal(
    versionAfter({ modelName: 'Even Realities G1' }),
    '2.0',
    'a version that came before its model',
  )
  assert.equal(versionAfter({ modelName: 'Glasses of Tomorrow' }), undefined)
})

test('DEV-6: a change of the connection over REST is published as a stream frame', () => {
  const { rig, glasses, app } = setUp()
  rig.session.part(GlassesDevice).report({ wifiConnected: true })
  assert.deepEqual(frames(app), [], 'whether glasses are there is not known yet')
  rig.session.part(GlassesDevice).report({ connected: true, modelName: 'Mentra Live', wifiSsid: 'home' })
  rig.session.part(GlassesDevice).report({ connected: false, caseOpen: true })
  rig.session.part(GlassesDevice).report({ caseOpen: false })
  rig.session.part(GlassesDevice).report({ wifiConnected: false, wifiSsid: null })
  const state = { type: 'glasses_connection_state', modelName: 'Mentra Live', timestamp: now }
  const wifi = { connected: true, ssid: 'home' }
  assert.deepEqual(frames(app), [
    { ...state, status: 'CONNECTED', wifi },
    { ...state, status: 'DISCONNECTED', wifi },
    { ...state, status: 'DISCONNECTED', wifi: { connected: false } },
  ])
  app.takeMessages()
  const own = {
    type: 'glasses_connection_state',
    status: 'CONNECTED',
    modelName: 'Mentra Live',
    extra: 1,
  } as const
  rig.session.handleGlassesMessage(glasses, own)
  assert.deepEqual(frames(app), [own])
})

test('DEV-7 DEV-13: a change of the battery is published as a stream frame, and a frame changes the state', () => {
  const { rig, glasses, app } = setUp()
  rig.session.part(GlassesDevice).report({ charging: true })
  assert.deepEqual(frames(app), [], 'no level is known yet')
  rig.session.part(GlassesDevice).report({ batteryLevel: 50, caseBatteryLevel: 20 })
  rig.session.part(GlassesDevice).report({ charging: false })
  rig.session.part(GlassesDevice).report({ batteryLevel: 50, charging: false })
  const own = { type: 'glasses_battery_update', level: 49, timeRemaining: 90, timestamp: 1 } as const
  rig.session.handleGlassesMessage(glasses, own)
  const frame = { type: 'glasses_battery_update', level: 50, timestamp: now }
  assert.deepEqual(frames(app), [{ ...frame, charging: true }, { ...frame, charging: false }, own])
  assert.deepEqual(app.lastOfType('device_state_update')?.state, { batteryLevel: 49 })
  rig.session.handleGlassesMessage(glasses, { ...own, charging: true })
  assert.deepEqual(app.lastOfType('device_state_update')?.state, { charging: true })
  app.takeMessages()
  rig.session.handleGlassesMessage(glasses, { ...own, level: -1 })
  rig.session.part(GlassesDevice).report({ caseBatteryLevel: -1 })
  assert.deepEqual(frames(app), [], 'the level is unknown')
  assert.deepEqual(app.lastOfType('device_state_update')?.state, { caseBatteryLevel: null })
})

test('DEV-8: a new subscriber receives the last connection state', () => {
  const { rig, app } = setUp()
  rig.subscribe(app, 'button_press')
  rig.session.part(GlassesDevice).report({ modelName: 'Mentra Live' })
  assert.deepEqual(frames(app), [])
  rig.subscribe(app, 'button_press', 'glasses_connection_state')
  rig.subscribe(app, 'glasses_connection_state')
  assert.deepEqual(
    frames(app).map(({ modelName, status }) => [modelName, status]),
    [['Mentra Live', 'CONNECTED']],
  )
})
