import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AppMessageHub } from '../../features/app-messages/hub.ts'
import { nobodyElse } from '../testing/nobody-else.ts'
import { appOf, REFUSED, SessionRig } from '../testing/session-rig.ts'

const A = 'dev.example.a'
const press = { type: 'button_press', buttonId: 'x', pressType: 'short' } as const
const sound = { type: 'audio_play_request', requestId: 's1', audioUrl: 'https://sounds.test/a' } as const
const ended = { type: 'audio_play_response', requestId: 's1', success: true } as const

test('APS-25: an app that is started while its socket is away begins anew', () => {
  const rig = new SessionRig([appOf(A)])
  const glasses = rig.glasses()
  const app = rig.run(A)
  rig.subscribe(app, 'button_press', 'audio_chunk')
  rig.session.fromApp(A, app, sound)
  rig.session.detachApp(A, app)
  rig.session.fromGlasses(glasses, press)
  rig.start(A)
  assert.equal(glasses.of('audio_stop_request').length, 1, 'its sounds are over')
  const back = rig.connect(A)
  rig.session.fromGlasses(glasses, press)
  rig.session.fromGlasses(glasses, ended)
  assert.deepEqual([back?.of('data_stream'), back?.of('audio_play_response')], [[], []])
  rig.clock.advance(5_000)
  assert.equal(glasses.last('microphone_state_change')?.isMicrophoneEnabled, false)
})

test('APS-26: an app that is stopped before its acknowledgement gets none', () => {
  const hub = new AppMessageHub(() => 0)
  const rig = new SessionRig([appOf(A)], { appMessages: hub })
  rig.glasses()
  rig.start(A)
  const app = rig.connectLater(A)
  rig.session.stopApp(A, 'user_disabled', () => {})
  rig.settle()
  rig.takeWebhooks('session_request')
  rig.takeWebhooks('stop_request')
  assert.deepEqual(
    app.sent.map(({ type }) => type),
    ['app_stopped'],
  )
  assert.deepEqual(hub.usersOf(A), [], 'nor is it taken for one that runs')
})

test('APS-15: what an app asked is answered when it is back, after its acknowledgement', () => {
  const rig = new SessionRig([appOf(A)])
  const glasses = rig.glasses()
  const app = rig.run(A)
  rig.session.fromApp(A, app, sound)
  rig.session.fromApp(A, app, { type: 'rgb_led_control', requestId: 'l1', action: 'on' })
  rig.session.detachApp(A, app)
  rig.session.fromGlasses(glasses, ended)
  rig.session.fromGlasses(glasses, { type: 'rgb_led_control_response', requestId: 'l1', success: true })
  const types = rig.connect(A)?.sent.map(({ type }) => type) ?? []
  assert.equal(types[0], 'tpa_connection_ack')
  assert.deepEqual(types.slice(-2), ['audio_play_response', 'rgb_led_control_response'])
})

test('APS-15: an app that stays away is not given answers of its former session', () => {
  const rig = new SessionRig([appOf(A)])
  const glasses = rig.glasses()
  const app = rig.run(A)
  rig.session.fromApp(A, app, sound)
  rig.session.detachApp(A, app)
  rig.session.fromGlasses(glasses, ended)
  rig.clock.advance(5_000)
  assert.deepEqual(rig.connect(A)?.of('audio_play_response'), [])
})

test('PRM-21: what waits for an app is not given to it once it may not have it', () => {
  const rig = new SessionRig([appOf(A, { permissions: [{ type: 'LOCATION' }] })])
  const glasses = rig.glasses()
  const app = rig.run(A)
  rig.subscribe(app, 'location_update', 'button_press')
  rig.session.detachApp(A, app)
  rig.session.location.report({ lat: 1, lng: 2 })
  rig.session.fromGlasses(glasses, press)
  const edited = appOf(A, { permissions: [] })
  rig.apps.set(A, edited)
  rig.session.appChanged(edited)
  const frames = rig.connect(A)?.of('data_stream')
  assert.deepEqual(
    frames?.map(({ streamType }) => streamType),
    ['button_press'],
  )
})

test('A2A-7: an outcome that comes late is for who asked, not for who came after', () => {
  const outcomes: (() => void)[] = []
  const appMessages = {
    ...nobodyElse,
    direct: (_from: unknown, _to: unknown, _message: unknown, done: () => void) => void outcomes.push(done),
  }
  const rig = new SessionRig([appOf(A)], { appMessages })
  rig.glasses()
  const app = rig.run(A)
  const direct = { type: 'app_direct_message', targetUserId: 'bob@example.com' } as const
  rig.session.fromApp(A, app, { ...direct, messageId: 'd1' })
  rig.session.detachApp(A, app)
  rig.clock.advance(5_000)
  const next = rig.connect(A)
  assert.ok(next)
  rig.session.fromApp(A, next, { ...direct, messageId: 'd2' })
  for (const done of outcomes) done()
  assert.deepEqual(
    next.of('app_direct_message_response').map(({ messageId }) => messageId),
    ['d2'],
  )
})

test('APS-27: an app that comes back while its restart waits is not called any more', () => {
  const rig = new SessionRig([appOf(A)], { running: [appOf(A)], resumed: true })
  rig.glasses()
  rig.clock.advance(5_000)
  rig.takeWebhooks('session_request', REFUSED)
  rig.glasses('others')
  rig.connect(A)
  rig.clock.advance(20_000)
  assert.equal(rig.takeWebhooks('session_request').length, 0)
  assert.deepEqual(rig.session.appState.activeApps, [A])
  assert.ok(rig.running.has(A))
})

test('APS-16: glasses that come and go put off no restart that waits', () => {
  for (const resumed of [false, true]) {
    const rig = new SessionRig([appOf(A)], { running: [appOf(A)], resumed })
    rig.glasses()
    rig.clock.advance(resumed ? 5_000 : 0)
    assert.equal(rig.takeWebhooks('session_request', REFUSED).length, 1)
    rig.clock.advance(900)
    rig.glasses('others')
    assert.deepEqual(rig.session.appState.loadingApps, [A])
    rig.clock.advance(100)
    assert.equal(rig.takeWebhooks('session_request').length, 1)
  }
})
