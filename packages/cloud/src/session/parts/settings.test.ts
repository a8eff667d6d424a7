import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OS_SETTING_DEFAULTS } from '@glasses-cloud/contract'
import type { StoreResult } from '../ports.ts'
import type { RecordingPeer } from '../testing/recording-peer.ts'
import { createAppDefinition, glassesOf, SessionRig } from '../testing/session-rig.ts'
import { GlassesDevice } from './glasses-device.ts'
import { CoalescedReader, Settings } from './settings.ts'

test('SET-8: each caller receives the result of a read that started after its call, in order', () => {
  const reads: ((value: StoreResult<string>) => void)[] = []
  const got: string[] = []
  const ordered = new CoalescedReader<string>((done) => reads.push(done))
  const read = (caller: string) =>
    ordered.read((value) => got.push(`${caller} ${value.ok ? value.value : 'failed'}`))
  const finish = (value: string) => reads.shift()?.({ ok: true, value })
  read('first')
  read('second')
  read('third')
  assert.equal(reads.length, 1, 'one read at a time')
  finish('old')
  assert.deepEqual(got, ['first old'])
  assert.equal(reads.length, 1)
  read('fourth')
  reads.shift()?.({ ok: false })
  finish('new')
  assert.deepEqual(got, ['first old', 'second failed', 'third failed', 'fourth new'])
  assert.equal(ordered.isReading, false)
})

const A = 'dev.example.a'
const B = 'dev.example.b'
const LATE = 'dev.example.late'

/** A session with glasses and two running apps. */
function setUp() {
  const rig = new SessionRig([A, B, LATE].map((packageName) => createAppDefinition(packageName)))
  const glasses = rig.connectGlasses()
  const apps = [rig.runApp(A), rig.runApp(B)]
  for (const peer of [glasses, ...apps]) peer.takeMessages()
  return { rig, glasses, apps }
}

interface Status {
  core?: object
  glasses?: object
  model?: string | null
}

/** Sends a status of a headless client and waits until it is stored. */
function report(rig: SessionRig, glasses: RecordingPeer, status: Status = {}): void {
  sendStatus(rig, glasses, status)
  rig.flush()
}

function sendStatus(
  rig: SessionRig,
  glasses: RecordingPeer,
  { core = {}, glasses: on = {}, model = 'Even Realities G1' }: Status,
): void {
  rig.session.handleGlassesMessage(glasses, {
    type: 'core_status_update',
    status: {
      status: {
        core_info: { metric_system_enabled: false, ...core },
        connected_glasses: model === null ? {} : { model_name: model },
        glasses_settings: { brightness: 50, head_up_angle: 20, ...on },
      },
    },
  })
}

const osUpdates = (peer: RecordingPeer) =>
  peer.messagesOfType('augmentos_settings_update').map(({ settings }) => settings)

test('SET-20: all OS settings are sent to every connected app after a change, and not without one', () => {
  const { rig, apps } = setUp()
  rig.osSettings = { ...OS_SETTING_DEFAULTS, brightness: 70 }
  for (let times = 0; times < 2; times += 1) rig.session.part(Settings).osChanged(() => {})
  rig.flush()
  rig.flush()
  for (const app of apps) assert.deepEqual(osUpdates(app), [{ ...OS_SETTING_DEFAULTS, brightness: 70 }])
  const late = rig.runApp(LATE)
  const ack = late.lastOfType('tpa_connection_ack')
  for (const settings of [ack?.mentraosSettings, ack?.augmentosSettings])
    assert.deepEqual(settings, rig.osSettings)
})

test('SET-21: each request for the OS settings is answered with the current ones', () => {
  const { rig, glasses } = setUp()
  rig.osSettings = { ...OS_SETTING_DEFAULTS, dashboardDepth: 2 }
  rig.session.part(Settings).osChanged(() => {})
  rig.flush()
  for (const type of [
    'request_settings',
    'settings_update_request',
    'augmentos_settings_update_request',
  ] as const) {
    rig.session.handleGlassesMessage(glasses, { type })
    const [response] = glasses.takeMessages()
    assert.equal(response?.type, 'settings_update', type)
    assert.deepEqual(response?.settings, rig.osSettings)
    assert.equal(response?.success, type === 'request_settings' ? undefined : true)
  }
})

test('SET-22: only the changes in a status are stored and sent', () => {
  const { rig, glasses, apps } = setUp()
  report(rig, glasses, { glasses: { brightness: 30 }, core: { metric_system_enabled: true } })
  const changed = { ...OS_SETTING_DEFAULTS, brightness: 30, metricSystemEnabled: true }
  assert.deepEqual(rig.osSettings, changed)
  assert.deepEqual(osUpdates(apps[0] as RecordingPeer), [changed])

  // The user changes the brightness on the phone; a repeated status does not undo it.
  rig.osSettings = { ...changed, brightness: 90 }
  rig.session.part(Settings).osChanged(() => {})
  rig.flush()
  for (let times = 0; times < 3; times += 1)
    report(rig, glasses, { glasses: { brightness: 30 }, core: { metric_system_enabled: true } })
  assert.equal(rig.osSettings.brightness, 90)
  report(rig, glasses, { glasses: { brightness: 31 }, core: { metric_system_enabled: true } })
  assert.deepEqual(rig.osSettings, { ...changed, brightness: 31 })
  for (const app of apps)
    assert.deepEqual(
      osUpdates(app).map((settings) => (settings as typeof changed).brightness),
      [30, 90, 31],
    )
})

test('SET-25: the last status that arrives during a save wins', () => {
  for (const last of [50, 30, 31]) {
    const { rig, glasses, apps } = setUp()
    for (const brightness of [30, 31, last, last]) sendStatus(rig, glasses, { glasses: { brightness } })
    for (let times = 0; times < 4; times += 1) rig.flush()
    assert.equal(rig.osSettings.brightness, last)
    assert.deepEqual(osUpdates(apps[0] as RecordingPeer).at(-1), rig.osSettings)
  }
})

test('SET-22: a model connects once and disconnects once', () => {
  const { rig, glasses, apps } = setUp()
  const models = () => apps[0]?.messagesOfType('capabilities_update').map(({ modelName }) => modelName)
  report(rig, glasses, { model: null })
  assert.deepEqual(models(), [])
  for (let times = 0; times < 3; times += 1) report(rig, glasses)
  assert.deepEqual(models(), ['Even Realities G1'])
  // The phone reports a disconnect; a repeated status does not connect them again.
  rig.session.part(GlassesDevice).report({ connected: false })
  report(rig, glasses)
  assert.equal(glassesOf(rig), null)
  report(rig, glasses, { model: 'Vuzix Z100' })
  report(rig, glasses, { model: null })
  assert.deepEqual(models(), ['Even Realities G1', 'Even Realities G1', 'Vuzix Z100', null])
})

test('SET-22: a status with missing parts or values that cannot be read changes nothing', () => {
  const { rig, glasses, apps } = setUp()
  const whole = {
    core_info: { sensing_enabled: false },
    connected_glasses: { model_name: 'Vuzix Z100' },
    glasses_settings: { brightness: 1 },
  }
  for (const part of Object.keys(whole)) {
    const status = { status: { ...whole, [part]: null } }
    rig.session.handleGlassesMessage(glasses, { type: 'core_status_update', status })
  }
  rig.session.handleGlassesMessage(glasses, { type: 'core_status_update', status: whole })
  report(rig, glasses, { model: null, core: { sensing_enabled: 'perhaps' }, glasses: { brightness: 'high' } })
  assert.deepEqual(rig.osSettings, OS_SETTING_DEFAULTS)
  assert.deepEqual(apps[0]?.takeMessages(), [])
})

test('SET-23: changes that cannot be stored are not sent, and are stored with the next status', () => {
  const { rig, glasses, apps } = setUp()
  rig.isStoreAvailable = false
  report(rig, glasses, { model: null, glasses: { brightness: 30 } })
  assert.equal(glasses.lastOfType('augmentos_settings_update_error')?.success, false)
  assert.deepEqual(apps[0]?.takeMessages(), [])
  assert.deepEqual(rig.session.part(Settings).os, OS_SETTING_DEFAULTS)
  rig.isStoreAvailable = true
  report(rig, glasses, { model: null, glasses: { brightness: 30 } })
  assert.equal(rig.session.part(Settings).os.brightness, 30)
})

test('SET-6: the messages after a save', () => {
  const { rig, apps } = setUp()
  const settings = [{ key: 'size', type: 'text', value: 'big' }]
  rig.appSettings = settings
  let sent: boolean | undefined
  rig.session.part(Settings).appChanged(A, (is) => {
    sent = is
  })
  rig.flush()
  assert.equal(sent, true)
  const [update, os] = apps[0]?.takeMessages() ?? []
  assert.deepEqual([update?.type, update?.packageName, update?.sessionId], ['settings_update', A, `us1-${A}`])
  assert.deepEqual(update?.settings, settings)
  assert.deepEqual([os?.type, os?.settings], ['augmentos_settings_update', OS_SETTING_DEFAULTS])
  assert.deepEqual(apps[1]?.takeMessages(), [])
})

test('SET-7: the caller learns that an app is not connected or its settings cannot be loaded', () => {
  const { rig, apps } = setUp()
  const outcomes: boolean[] = []
  const change = (packageName: string) => {
    rig.session.part(Settings).appChanged(packageName, (sent) => outcomes.push(sent))
    rig.flush()
  }
  change('dev.example.absent')
  rig.isStoreAvailable = false
  change(A)
  rig.isStoreAvailable = true
  rig.session.part(Settings).appChanged(A, (sent) => outcomes.push(sent))
  apps[0]?.close(1006, 'gone')
  rig.flush()
  rig.session.part(Settings).appChanged(B, (sent) => outcomes.push(sent))
  rig.session.end()
  rig.flush()
  assert.deepEqual(outcomes, [false, false, false, false])
})

test('SET-8: an app that connects while its settings change receives the newest last', () => {
  const { rig } = setUp()
  const old = [{ key: 'size', value: 'old' }]
  const fresh = [{ key: 'size', value: 'new' }]
  rig.appSettings = old
  rig.startApp(LATE)
  const peer = rig.connectAppUnacknowledged(LATE)
  rig.session.part(Settings).appChanged(LATE, () => {})
  // The read for the acknowledgement is in progress and may return either; later reads return the new value.
  rig.clock.advance(0)
  rig.appSettings = fresh
  rig.session.part(Settings).appChanged(LATE, () => {})
  rig.flush()
  rig.flush()
  const types = peer.sent.map(({ type }) => type)
  assert.ok(types.indexOf('tpa_connection_ack') < types.indexOf('settings_update'))
  assert.deepEqual(peer.lastOfType('settings_update')?.settings, fresh)
})
