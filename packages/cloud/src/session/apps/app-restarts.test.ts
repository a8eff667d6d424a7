import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AppMessageHub } from '../../features/app-messages/hub.ts'
import { VirtualClock } from '../../time/testing/virtual-clock.ts'
import { Lifecycle } from '../parts/lifecycle.ts'
import { Location } from '../parts/location.ts'
import { createAppDefinition, isolatedAppMessaging, REFUSED, SessionRig } from '../testing/session-rig.ts'

const A = 'dev.example.a'
const press = { type: 'button_press', buttonId: 'x', pressType: 'short' } as const
const sound = { type: 'audio_play_request', requestId: 's1', audioUrl: 'https://sounds.test/a' } as const
const TIMED_OUT = { ok: false, code: 'TIMEOUT', message: 'too late', retryable: true } as const
const ended = { type: 'audio_play_response', requestId: 's1', success: true } as const

test('APS-25: a start while the app is reconnecting starts it over', () => {
  const rig = new SessionRig([createAppDefinition(A)])
  const glasses = rig.connectGlasses()
  const app = rig.runApp(A)
  rig.subscribe(app, 'button_press', 'audio_chunk')
  rig.session.handleAppMessage(A, app, sound)
  rig.session.detachApp(A, app)
  rig.session.handleGlassesMessage(glasses, press)
  rig.startApp(A)
  assert.equal(glasses.messagesOfType('audio_stop_request').length, 1, 'its audio playback is stopped')
  const back = rig.connectApp(A)
  rig.session.handleGlassesMessage(glasses, press)
  rig.session.handleGlassesMessage(glasses, ended)
  assert.deepEqual(
    [back?.messagesOfType('data_stream'), back?.messagesOfType('audio_play_response')],
    [[], []],
  )
  rig.clock.advance(5_000)
  assert.equal(glasses.lastOfType('microphone_state_change')?.isMicrophoneEnabled, false)
})

test('APS-26: an app that is stopped before its acknowledgement receives none', () => {
  const hub = new AppMessageHub(new VirtualClock())
  const rig = new SessionRig([createAppDefinition(A)], { appMessages: hub })
  rig.connectGlasses()
  rig.startApp(A)
  const app = rig.connectAppUnacknowledged(A)
  rig.session.part(Lifecycle).stopApp(A, 'user_disabled', () => {})
  rig.flush()
  rig.answerWebhooks('session_request')
  rig.answerWebhooks('stop_request')
  assert.deepEqual(
    app.sent.map(({ type }) => type),
    ['app_stopped'],
  )
  assert.deepEqual(hub.usersOf(A), [], 'the app is not registered as running')
})

test('APS-15: responses to requests are delivered after a reconnect, following the acknowledgement', () => {
  const rig = new SessionRig([createAppDefinition(A)])
  const glasses = rig.connectGlasses()
  const app = rig.runApp(A)
  rig.session.handleAppMessage(A, app, sound)
  rig.session.handleAppMessage(A, app, { type: 'rgb_led_control', requestId: 'l1', action: 'on' })
  rig.session.detachApp(A, app)
  rig.session.handleGlassesMessage(glasses, ended)
  rig.session.handleGlassesMessage(glasses, {
    type: 'rgb_led_control_response',
    requestId: 'l1',
    success: true,
  })
  const types = rig.connectApp(A)?.sent.map(({ type }) => type) ?? []
  assert.equal(types[0], 'tpa_connection_ack')
  assert.deepEqual(types.slice(-2), ['audio_play_response', 'rgb_led_control_response'])
})

test('APS-15: a restarted app receives no responses to requests of its previous session', () => {
  const rig = new SessionRig([createAppDefinition(A)])
  const glasses = rig.connectGlasses()
  const app = rig.runApp(A)
  rig.session.handleAppMessage(A, app, sound)
  rig.session.detachApp(A, app)
  rig.session.handleGlassesMessage(glasses, ended)
  rig.clock.advance(5_000)
  assert.deepEqual(rig.connectApp(A)?.messagesOfType('audio_play_response'), [])
})

test('PRM-21: queued frames are dropped when the app loses the permission', () => {
  const rig = new SessionRig([createAppDefinition(A, { permissions: [{ type: 'LOCATION' }] })])
  const glasses = rig.connectGlasses()
  const app = rig.runApp(A)
  rig.subscribe(app, 'location_update', 'button_press')
  rig.session.detachApp(A, app)
  rig.session.part(Location).report({ lat: 1, lng: 2 })
  rig.session.handleGlassesMessage(glasses, press)
  const edited = createAppDefinition(A, { permissions: [] })
  rig.apps.set(A, edited)
  rig.session.updateApp(edited)
  const frames = rig.connectApp(A)?.messagesOfType('data_stream')
  assert.deepEqual(
    frames?.map(({ streamType }) => streamType),
    ['button_press'],
  )
})

test('A2A-7: a late result goes to the session that sent the request, not to its successor', () => {
  const outcomes: (() => void)[] = []
  const appMessages = {
    ...isolatedAppMessaging,
    direct: (_from: unknown, _to: unknown, _message: unknown, done: () => void) => void outcomes.push(done),
  }
  const rig = new SessionRig([createAppDefinition(A)], { appMessages })
  rig.connectGlasses()
  const app = rig.runApp(A)
  const direct = { type: 'app_direct_message', targetUserId: 'bob@example.com' } as const
  rig.session.handleAppMessage(A, app, { ...direct, messageId: 'd1' })
  rig.session.detachApp(A, app)
  rig.clock.advance(5_000)
  const next = rig.connectApp(A)
  assert.ok(next)
  rig.session.handleAppMessage(A, next, { ...direct, messageId: 'd2' })
  for (const done of outcomes) done()
  assert.deepEqual(
    next.messagesOfType('app_direct_message_response').map(({ messageId }) => messageId),
    ['d2'],
  )
})

test('APS-27: an app that reconnects during the restart delay is not called again', () => {
  const rig = new SessionRig([createAppDefinition(A)], {
    runningApps: [createAppDefinition(A)],
    isResumed: true,
  })
  rig.connectGlasses()
  rig.clock.advance(5_000)
  rig.answerWebhooks('session_request', REFUSED)
  rig.connectGlasses('others')
  rig.connectApp(A)
  rig.clock.advance(20_000)
  assert.equal(rig.answerWebhooks('session_request').length, 0)
  assert.deepEqual(rig.session.appState.activeApps, [A])
  assert.ok(rig.running.has(A))
})

/** A session that another node has taken over, whose app is called because it has not reconnected. */
function takeOver(): SessionRig {
  const runningApps = [createAppDefinition(A)]
  const rig = new SessionRig(runningApps, { runningApps, isResumed: true })
  rig.connectGlasses()
  rig.clock.advance(5_000)
  return rig
}

test('APS-16: an app that is called after a take-over and fails to connect is called again', () => {
  const rig = takeOver()
  for (const backoffMs of [1_000, 2_000, 4_000]) {
    assert.equal(rig.webhooks.length, 1)
    // Its connection is one to a node that is frozen.
    rig.clock.advance(5_000)
    rig.answerWebhooks('session_request', REFUSED)
    rig.clock.advance(backoffMs)
  }
  const app = rig.connectApp(A)
  rig.answerWebhooks('session_request')
  assert.ok(app)
  rig.subscribe(app, 'audio_chunk')
  rig.clock.advance(60_000)
  assert.deepEqual([rig.session.appState.activeApps, [...rig.running]], [[A], [A]])
  assert.equal(rig.webhooks.length, 0)
})

test('APS-28: an app that is called while it reconnects by itself replaces its socket and is not stopped', () => {
  for (const isLate of [false, true]) {
    const rig = takeOver()
    // The call has no answer yet, or gets none in time.
    if (isLate) rig.clock.advance(5_000)
    if (isLate) rig.answerWebhooks('session_request', TIMED_OUT)
    const own = rig.connectApp(A)
    assert.ok(own)
    rig.session.handleAppMessage(A, own, { type: 'ownership_release', reason: 'switching_clouds' })
    rig.session.detachApp(A, own)
    const next = rig.connectApp(A)
    assert.ok(next, 'the second socket is rejected')
    rig.answerWebhooks('session_request')
    assert.deepEqual([rig.session.appState.activeApps, [...rig.running]], [[A], [A]])
    // It is stopped again by what it sends once the call is answered.
    if (isLate) continue
    rig.session.handleAppMessage(A, next, { type: 'ownership_release', reason: 'switching_clouds' })
    rig.session.detachApp(A, next)
    rig.flush()
    assert.deepEqual([rig.session.appState.activeApps, [...rig.running]], [[], []])
  }
})

test('APS-28: an app that shuts down while it is called is stopped', () => {
  const rig = takeOver()
  const own = rig.connectApp(A)
  assert.ok(own)
  rig.session.handleAppMessage(A, own, { type: 'ownership_release', reason: 'clean_shutdown' })
  rig.session.detachApp(A, own)
  rig.flush()
  assert.deepEqual([rig.session.appState.activeApps, [...rig.running]], [[], []])
})

test('APS-16: glasses that reconnect do not delay a pending restart', () => {
  for (const resumed of [false, true]) {
    const rig = new SessionRig([createAppDefinition(A)], {
      runningApps: [createAppDefinition(A)],
      isResumed: resumed,
    })
    rig.connectGlasses()
    rig.clock.advance(resumed ? 5_000 : 0)
    assert.equal(rig.answerWebhooks('session_request', REFUSED).length, 1)
    rig.clock.advance(900)
    rig.connectGlasses('others')
    assert.deepEqual(rig.session.appState.loadingApps, [A])
    rig.clock.advance(100)
    assert.equal(rig.answerWebhooks('session_request').length, 1)
  }
})

/** Lets attempts to start the app fail, each once it is made. */
function refuse(rig: SessionRig, attempts: number): void {
  for (let n = 0; n < attempts; n += 1) {
    while (rig.answerWebhooks('session_request', REFUSED).length === 0) rig.clock.advance(100)
  }
}

test('APS-29: the wearer reads once that an app does not respond, and its session goes on', () => {
  const rig = new SessionRig([createAppDefinition(A, { name: 'Captions' })], {
    runningApps: [createAppDefinition(A, { name: 'Captions' })],
  })
  const glasses = rig.connectGlasses()
  refuse(rig, 2)
  const notices = () =>
    glasses
      .messagesOfType('display_event')
      .map(({ layout }) => layout as { title?: string; text?: string })
      .filter(({ text }) => text?.includes('respond'))
  assert.deepEqual([notices(), rig.failedRestores], [[], []], 'a server that is only replaced')
  refuse(rig, 2)
  assert.deepEqual(
    notices().map(({ title, text }) => [title, text]),
    [['Captions', 'It does not respond.']],
  )
  assert.deepEqual(rig.failedRestores, [A])
  assert.ok(rig.connectApp(A), 'the app may still come back')
  assert.deepEqual(rig.restored, [A])
})

test('APS-30: an app that could not be started in several sessions is stopped and no longer counts as running', () => {
  const rig = new SessionRig([createAppDefinition(A)], { runningApps: [createAppDefinition(A)] })
  rig.isLastRestore = true
  const glasses = rig.connectGlasses()
  refuse(rig, 3)
  rig.flush()
  assert.deepEqual([...rig.running], [])
  assert.equal(glasses.lastOfType('app_stopped')?.reason, 'error')
  const texts = glasses
    .messagesOfType('display_event')
    .map(({ layout }) => (layout as { text?: string }).text)
  assert.equal(texts.filter((text) => text === 'It does not respond and was stopped.').length, 1)
})
