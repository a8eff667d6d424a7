import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { GlassesDevice } from '../parts/glasses-device.ts'
import { createAppDefinition, REFUSED, SessionRig } from '../testing/session-rig.ts'
import type { StartOutcome } from './app-launch.ts'

const A = 'dev.example.a-b'
const B = 'dev.example.b'

/** The stage of a failed start. */
function stageOf({ value }: { value?: StartOutcome }): string | undefined {
  return value?.ok === false ? value.stage : undefined
}

test('APS-1: the steps of a start, in order', () => {
  const rig = new SessionRig([createAppDefinition(A)])
  const glasses = rig.connectGlasses()
  const outcome = rig.startApp(A)
  assert.deepEqual(
    rig.webhooks.map(({ call }) => call),
    [{ type: 'session_request', packageName: A, sessionId: `us1-${A}` }],
  )
  assert.equal(outcome.value, undefined)
  assert.deepEqual(rig.session.appState.loadingApps, [A])
  const app = rig.connectApp(A)
  assert.deepEqual(outcome.value, { ok: true })
  assert.ok(rig.running.has(A))
  assert.deepEqual(rig.session.appState.activeApps, [A])
  assert.equal(glasses.lastOfType('app_started')?.packageName, A)
  assert.equal(app?.messagesOfType('tpa_connection_ack').length, 1)
})

test('APS-2: a start succeeds if the webhook answers after the socket connects, or never', () => {
  const rig = new SessionRig([createAppDefinition(A)])
  rig.connectGlasses()
  const outcome = rig.startApp(A)
  rig.connectApp(A)
  rig.answerWebhooks('session_request', REFUSED)
  rig.clock.advance(20_000)
  assert.deepEqual(outcome.value, { ok: true })
  assert.deepEqual(rig.session.appState.activeApps, [A])
})

test('APS-3: a start times out at one deadline and reports the stage', () => {
  const rig = new SessionRig([createAppDefinition(A)])
  rig.connectGlasses()
  const silent = rig.startApp(A)
  rig.clock.advance(4_999)
  assert.equal(silent.value, undefined)
  rig.clock.advance(1)
  assert.equal(stageOf(silent), 'TIMEOUT')
  rig.answerWebhooks('stop_request')
  rig.answerWebhooks('session_request')

  const answered = rig.startApp(A)
  rig.answerWebhooks('session_request')
  rig.clock.advance(5_000)
  assert.equal(stageOf(answered), 'CONNECTION')
  assert.deepEqual(rig.session.appState.activeApps, [])
  assert.equal(rig.running.size, 0)
})

test('APS-3: the stage is TIMEOUT if the webhook call times out first', () => {
  const rig = new SessionRig([createAppDefinition(A)])
  rig.connectGlasses()
  const outcome = rig.startApp(A)
  rig.clock.advance(4_999)
  const late = { ok: false, code: 'TIMEOUT', message: 'no answer', retryable: true } as const
  rig.answerWebhooks('session_request', late)
  assert.equal(outcome.value, undefined)
  rig.clock.advance(1)
  assert.equal(stageOf(outcome), 'TIMEOUT')
})

test('APS-4: a webhook that returns an error', () => {
  const rig = new SessionRig([createAppDefinition(A)])
  const glasses = rig.connectGlasses()
  const outcome = rig.startApp(A)
  rig.answerWebhooks('session_request', REFUSED)
  assert.equal(stageOf(outcome), 'WEBHOOK')
  assert.equal(outcome.value?.ok === false && outcome.value.code, 'REFUSED_500')
  assert.equal(glasses.lastOfType('app_stopped')?.reason, 'error')
})

test('APS-5: a start that fails after an invalid key reports AUTHENTICATION', () => {
  const ends = [
    (rig: SessionRig) => void rig.answerWebhooks('session_request', REFUSED),
    (rig: SessionRig) => rig.clock.advance(5_000),
  ]
  for (const end of ends) {
    const rig = new SessionRig([createAppDefinition(A)])
    rig.connectGlasses()
    const outcome = rig.startApp(A)
    rig.session.recordInvalidAppKey(A)
    rig.flush()
    assert.equal(stageOf(outcome), undefined, 'not yet')
    end(rig)
    rig.flush()
    assert.equal(stageOf(outcome), 'AUTHENTICATION')
    assert.equal(outcome.value?.ok === false && outcome.value.retryable, false)
  }
})

test('APS-5: an invalid key prevents neither a start nor a restart', () => {
  const rig = new SessionRig([createAppDefinition(A)])
  rig.connectGlasses()
  const outcome = rig.startApp(A)
  rig.session.recordInvalidAppKey(A)
  const app = rig.connectApp(A)
  assert.ok(app)
  assert.deepEqual(outcome.value, { ok: true })
  rig.session.detachApp(A, app)
  rig.clock.advance(5_000)
  rig.session.recordInvalidAppKey(A)
  rig.answerWebhooks('session_request', REFUSED)
  rig.clock.advance(60_000)
  rig.connectApp(A)
  assert.deepEqual(rig.session.appState.activeApps, [A])
})

test('APS-6: concurrent starts of an app share one launch, and every caller receives the outcome', () => {
  const rig = new SessionRig([createAppDefinition(A)])
  rig.connectGlasses()
  const first = rig.startApp(A)
  const second = rig.startApp(A)
  assert.equal(rig.webhooks.length, 1)
  rig.connectApp(A)
  assert.deepEqual([first.value, second.value], [{ ok: true }, { ok: true }])
  assert.deepEqual(rig.startApp(A).value, { ok: true })
  assert.equal(rig.webhooks.length, 1)
})

test('APS-7: a start that cannot be stored fails and stops the app', () => {
  const rig = new SessionRig([createAppDefinition(A)])
  rig.connectGlasses()
  const outcome = rig.startApp(A)
  rig.isStoreAvailable = false
  const app = rig.connectApp(A)
  assert.equal(stageOf(outcome), 'STORE')
  rig.answerWebhooks('stop_request')
  assert.equal(app?.closed?.code, 1000)
  assert.deepEqual(rig.session.appState.apps, [])
})

test('APS-8: starting a standard app stops the other standard app', () => {
  const rig = new SessionRig([
    createAppDefinition(A, { appType: 'STANDARD' }),
    createAppDefinition(B, { appType: 'STANDARD' }),
  ])
  rig.connectGlasses()
  const a = rig.runApp(A)
  rig.runApp(B)
  assert.deepEqual(rig.answerWebhooks('stop_request'), [
    { type: 'stop_request', packageName: A, sessionId: `us1-${A}`, reason: 'system_stop' },
  ])
  assert.deepEqual(a.closed, { code: 1000, reason: 'App stopped' })
  assert.deepEqual(rig.session.appState.activeApps, [B])
  assert.deepEqual([...rig.running], [B])
})

test('APS-9: an app whose hardware requirements are not met does not start', () => {
  const rig = new SessionRig([
    createAppDefinition(A, { hardwareRequirements: [{ type: 'CAMERA', level: 'REQUIRED' }] }),
  ])
  const glasses = rig.connectGlasses()
  rig.session.handleGlassesMessage(glasses, {
    type: 'glasses_connection_state',
    modelName: 'Even Realities G1',
    status: 'CONNECTED',
  })
  const outcome = rig.startApp(A)
  assert.equal(stageOf(outcome), 'HARDWARE_CHECK')
  assert.equal(rig.answerWebhooks('session_request').length, 0)
})

test('APS-9: glasses with an older version', () => {
  const rig = new SessionRig([createAppDefinition(A, { minHardwareVersion: '2.0.0' })])
  rig.connectGlasses()
  rig.session.part(GlassesDevice).report({ modelName: 'Mentra Live', fwVersion: '1.9.9' })
  assert.equal(stageOf(rig.startApp(A)), 'HARDWARE_CHECK')
  assert.equal(rig.answerWebhooks('session_request').length, 0)
  rig.session.part(GlassesDevice).report({ fwVersion: '2.0' })
  rig.runApp(A)
  assert.deepEqual(rig.session.appState.activeApps, [A])
})

test('APS-10: a stop completes when it is stored, without waiting for the app server', () => {
  const rig = new SessionRig([createAppDefinition(A)])
  const glasses = rig.connectGlasses()
  const app = rig.runApp(A)
  const stored = rig.stopApp(A)
  assert.equal(stored.value, true)
  assert.equal(rig.running.size, 0)
  assert.deepEqual(rig.session.appState.activeApps, [])
  assert.equal(glasses.lastOfType('app_stopped')?.reason, 'user_disabled')
  assert.equal(app.closed, undefined)
  rig.answerWebhooks('stop_request')
  assert.equal(app.messagesOfType('app_stopped').length, 1)
  assert.deepEqual(app.closed, { code: 1000, reason: 'App stopped' })
  assert.deepEqual(rig.session.appState.apps, [])
})

test('APS-11: an app that disconnects on its stop webhook receives no further message', () => {
  const rig = new SessionRig([createAppDefinition(A)])
  rig.connectGlasses()
  const app = rig.runApp(A)
  rig.stopApp(A)
  rig.session.detachApp(A, app)
  rig.answerWebhooks('stop_request')
  assert.equal(app.messagesOfType('app_stopped').length, 0)
  assert.equal(app.closed, undefined)
})

test('APS-12: an app that does not run, and a store that fails', () => {
  const rig = new SessionRig([createAppDefinition(A)])
  rig.connectGlasses()
  assert.equal(rig.stopApp(A).value, true)
  rig.runApp(A)
  rig.isStoreAvailable = false
  assert.equal(rig.stopApp(A).value, false)
})

test('APS-13: a start during a stop begins when the stop is complete', () => {
  const rig = new SessionRig([createAppDefinition(A)])
  rig.connectGlasses()
  rig.runApp(A)
  rig.stopApp(A)
  const again = rig.startApp(A)
  assert.equal(rig.answerWebhooks('session_request').length, 0)
  rig.answerWebhooks('stop_request')
  assert.equal(rig.answerWebhooks('session_request').length, 1)
  rig.connectApp(A)
  assert.deepEqual(again.value, { ok: true })
})

test('APS-13: the time that a start waits for a stop counts toward its deadline', () => {
  const rig = new SessionRig([createAppDefinition(A)])
  rig.connectGlasses()
  rig.runApp(A)
  rig.stopApp(A)
  const again = rig.startApp(A)
  rig.clock.advance(3_000)
  rig.answerWebhooks('stop_request')
  assert.deepEqual(
    rig.webhooks.map(({ call, timeoutMs }) => [call.type, timeoutMs]),
    [['session_request', 2_000]],
  )
  rig.clock.advance(2_000)
  assert.equal(stageOf(again), 'TIMEOUT')
})

test('APS-13: a start that waits for a stop times out at its deadline, without a webhook call', () => {
  const rig = new SessionRig([createAppDefinition(A)])
  rig.connectGlasses()
  rig.runApp(A)
  rig.stopApp(A)
  rig.clock.advance(1_000)
  const [first, second] = [rig.startApp(A), rig.startApp(A)]
  rig.clock.advance(4_999)
  assert.equal(first.value, undefined)
  rig.clock.advance(1)
  assert.deepEqual([stageOf(first), stageOf(second)], ['TIMEOUT', 'TIMEOUT'])
  const later = rig.startApp(A)
  rig.answerWebhooks('stop_request')
  assert.equal(rig.answerWebhooks('session_request').length, 1, 'only the later start is launched')
  rig.connectApp(A)
  assert.deepEqual(later.value, { ok: true })
})

test('APS-14: a stop during a start fails the start with STOPPED', () => {
  const rig = new SessionRig([createAppDefinition(A)])
  rig.connectGlasses()
  const outcome = rig.startApp(A)
  rig.stopApp(A)
  assert.equal(stageOf(outcome), 'STOPPED')
  assert.equal(rig.connectApp(A), undefined)
})

test('APS-15: a reconnect with queued frames', () => {
  const rig = new SessionRig([createAppDefinition(A)])
  const glasses = rig.connectGlasses()
  const app = rig.runApp(A)
  rig.subscribe(app, 'button_press')
  rig.session.detachApp(A, app)
  assert.deepEqual(rig.session.appState.apps[0]?.state, 'reconnecting')
  rig.session.handleGlassesMessage(glasses, { type: 'button_press', buttonId: 'x', pressType: 'short' })
  rig.clock.advance(4_000)
  const back = rig.connectApp(A)
  assert.equal(rig.answerWebhooks('session_request').length, 0)
  assert.deepEqual(
    back?.messagesOfType('data_stream').map(({ streamType }) => streamType),
    ['button_press'],
  )
  assert.equal(back?.sent[0]?.type, 'tpa_connection_ack')
})

test('APS-16: an app that does not reconnect is restarted with growing delays, then stopped', () => {
  const rig = new SessionRig([createAppDefinition(A)])
  const glasses = rig.connectGlasses()
  const app = rig.runApp(A)
  rig.session.detachApp(A, app)
  rig.clock.advance(5_000)
  assert.equal(rig.session.appState.apps[0]?.state, 'restarting')
  let attempts = 0
  for (let second = 0; second < 200; second += 1) {
    attempts += rig.answerWebhooks('session_request', REFUSED).length
    rig.clock.advance(1_000)
  }
  assert.equal(attempts, 9)
  assert.deepEqual(rig.session.appState.activeApps, [])
  assert.equal(glasses.lastOfType('app_stopped')?.reason, 'error')
  assert.ok(rig.running.has(A), 'the stored row remains for the next session')
})

test('APS-17: an app that reconnects during a restart runs again and its attempts are reset', () => {
  const rig = new SessionRig([createAppDefinition(A)])
  rig.connectGlasses()
  rig.session.detachApp(A, rig.runApp(A))
  rig.clock.advance(5_000)
  rig.answerWebhooks('session_request', REFUSED)
  rig.clock.advance(1_000)
  assert.equal(rig.answerWebhooks('session_request').length, 1)
  const back = rig.connectApp(A)
  assert.ok(back)
  assert.deepEqual(rig.session.appState.activeApps, [A])
})

test('APS-18: only the newest socket of an app is used', () => {
  const rig = new SessionRig([createAppDefinition(A)])
  rig.connectGlasses()
  const old = rig.runApp(A)
  const fresh = rig.connectApp(A)
  assert.deepEqual(old.closed, { code: 1000, reason: 'Replaced by a newer connection' })
  rig.session.detachApp(A, old)
  assert.deepEqual(rig.session.appState.activeApps, [A])
  rig.subscribe(old, 'button_press')
  assert.equal(fresh?.messagesOfType('permission_error').length, 0)
  assert.deepEqual(rig.session.appState.apps[0]?.state, 'running')
})

test('APS-19: a released socket stops its app when it closes; a newer socket is unaffected', () => {
  const rig = new SessionRig([createAppDefinition(A)])
  rig.connectGlasses()
  const app = rig.runApp(A)
  rig.session.handleAppMessage(A, app, { type: 'ownership_release', reason: 'switching_clouds' })
  rig.session.detachApp(A, app)
  rig.flush()
  assert.deepEqual(rig.session.appState.activeApps, [])
  assert.equal(rig.running.size, 0)

  const rig2 = new SessionRig([createAppDefinition(A)])
  rig2.connectGlasses()
  const old = rig2.runApp(A)
  rig2.session.handleAppMessage(A, old, { type: 'ownership_release' })
  rig2.connectApp(A)
  rig2.session.detachApp(A, old)
  assert.deepEqual(rig2.session.appState.activeApps, [A])
})

test('APS-20: an app that was not started is rejected', () => {
  const rig = new SessionRig([createAppDefinition(A)])
  rig.connectGlasses()
  assert.equal(rig.connectApp(A), undefined)
})

test('APS-21: revisions of several changes', () => {
  const rig = new SessionRig([createAppDefinition(A)])
  const glasses = rig.connectGlasses()
  rig.runApp(A)
  rig.stopApp(A)
  rig.answerWebhooks('stop_request')
  const revisions = glasses.messagesOfType('app_state_change').map(({ revision }) => revision)
  assert.deepEqual(revisions, [1, 2, 3, 4])
  const states = glasses
    .messagesOfType('app_state_change')
    .map(({ apps }) => (apps as { state: string }[]).map(({ state }) => state))
  assert.deepEqual(states, [['starting'], ['running'], ['stopping'], []])
})

test('APS-22: a session with stored apps', () => {
  const rig = new SessionRig([createAppDefinition(A), createAppDefinition(B)], {
    runningApps: [createAppDefinition(A), createAppDefinition(B)],
  })
  assert.equal(rig.webhooks.length, 0)
  const glasses = rig.connectGlasses()
  rig.flush()
  assert.equal(glasses.sent[0]?.type, 'connection_ack')
  assert.deepEqual(
    rig.answerWebhooks('session_request').map(({ packageName }) => packageName),
    [A, B],
  )
})

test('APS-23: a resumed session whose app reconnects, and one whose app does not', () => {
  const rig = new SessionRig([createAppDefinition(A), createAppDefinition(B)], {
    runningApps: [createAppDefinition(A), createAppDefinition(B)],
    isResumed: true,
  })
  assert.ok(rig.connectApp(A))
  rig.connectGlasses()
  rig.clock.advance(5_000)
  assert.deepEqual(
    rig.answerWebhooks('session_request').map(({ packageName }) => packageName),
    [B],
  )
  assert.deepEqual(rig.session.appState.activeApps, [A])
})

test('APS-24: an app is stopped when the glasses report an older version than it requires', () => {
  const rig = new SessionRig([createAppDefinition(A, { minHardwareVersion: '2.0.0' })])
  rig.connectGlasses()
  const app = rig.runApp(A)
  rig.session.part(GlassesDevice).report({ modelName: 'Mentra Live' })
  assert.deepEqual(rig.session.appState.activeApps, [A])
  app.takeMessages()
  rig.session.part(GlassesDevice).report({ fwVersion: '1.9' })
  assert.deepEqual(rig.session.appState.activeApps, [])
  assert.equal(app.lastOfType('capabilities_update'), undefined)
})

test('APS-24: other glasses without the required hardware', () => {
  const rig = new SessionRig([
    createAppDefinition(A, { hardwareRequirements: [{ type: 'CAMERA', level: 'REQUIRED' }] }),
  ])
  const glasses = rig.connectGlasses()
  const app = rig.runApp(A)
  const state = (modelName: string) =>
    rig.session.handleGlassesMessage(glasses, {
      type: 'glasses_connection_state',
      modelName,
      status: 'CONNECTED',
    })
  state('Mentra Live')
  assert.deepEqual(rig.session.appState.activeApps, [A])
  assert.equal(app.lastOfType('capabilities_update')?.modelName, 'Mentra Live')
  state('Even Realities G1')
  assert.deepEqual(rig.session.appState.activeApps, [])
})

describe('a start that was requested with an app', () => {
  const stored = createAppDefinition(A, { publicUrl: 'https://stored.test' })
  const requested = createAppDefinition(A, { publicUrl: 'https://requested.test' })
  const servers = (rig: SessionRig) => rig.webhooks.map(({ app }) => app.publicUrl)

  test('LIFE-43: it calls the server of that app, and the next start loads the app', () => {
    const rig = new SessionRig([stored])
    void rig.session.run('startApp', [requested])
    rig.flush()
    assert.deepEqual(servers(rig), ['https://requested.test'])
    rig.answerWebhooks('session_request', { ok: false, code: 'REFUSED_500', message: 'no', retryable: false })
    rig.answerWebhooks('stop_request')
    rig.startApp(A)
    assert.deepEqual(servers(rig), ['https://stored.test'])
  })

  test('LIFE-43: after a stop in progress it uses that app, or its edited version', () => {
    const rig = new SessionRig([stored])
    rig.runApp(A)
    rig.stopApp(A)
    void rig.session.run('startApp', [requested])
    rig.session.updateApp(createAppDefinition(A, { publicUrl: 'https://edited.test' }))
    rig.answerWebhooks('stop_request')
    assert.deepEqual(servers(rig), ['https://edited.test'])
  })
})
