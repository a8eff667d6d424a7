import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AppMessageHub } from '../features/app-messages/hub.ts'
import { VirtualClock } from '../time/testing/virtual-clock.ts'
import { createAppDefinition, SessionRig } from './testing/session-rig.ts'

const A = 'dev.example.a'
const B = 'dev.example.b'
const failure = new Error('injected')

/** A session with glasses and one running app, whose exceptions are recorded. */
function failingRig(options: ConstructorParameters<typeof SessionRig>[1] = {}) {
  const rig = new SessionRig([createAppDefinition(A), createAppDefinition(B)], options)
  const glasses = rig.connectGlasses()
  const app = rig.runApp(A)
  rig.expectsFailure = true
  return { rig, glasses, app }
}

function assertFailed({ rig, glasses, app }: ReturnType<typeof failingRig>): void {
  assert.ok(rig.session.isEnded)
  assert.deepEqual(new Set(rig.failures), new Set([failure]), 'the cause is reported')
  assert.ok(rig.events.includes('session_failed'))
  assert.equal(glasses.closed?.code, 1011)
  assert.equal(app.closed?.code, 1000)
  assert.equal(rig.endCount, 1)
  assert.equal(rig.clock.pendingTimers, 0)
}

test('SES-26: an exception in a message handler ends only the session', () => {
  const failing = failingRig()
  failing.glasses.sendError = failure
  failing.rig.session.handleGlassesMessage(failing.glasses, { type: 'connection_init' })
  assertFailed(failing)
  assert.ok(failing.app.lastOfType('app_stopped'))
})

test('SES-26: an exception in a message handler of an app ends only the session', () => {
  const failing = failingRig()
  failing.glasses.sendError = failure
  failing.rig.session.handleAppMessage(A, failing.app, {
    type: 'audio_play_request',
    requestId: 's1',
    audioUrl: 'https://sounds.test/a',
  })
  assertFailed(failing)
})

test('SES-26: an exception in a timer ends only the session', () => {
  const failing = failingRig()
  failing.rig.subscribe(failing.app, 'audio_chunk')
  failing.glasses.sendError = failure
  failing.rig.clock.advance(10_000)
  assertFailed(failing)
})

test('SES-26: an exception while an audio frame is forwarded ends only the session', () => {
  const failing = failingRig()
  failing.rig.subscribe(failing.app, 'audio_chunk')
  failing.app.sendError = failure
  failing.rig.session.handleGlassesAudio(failing.glasses, new Uint8Array(2))
  assertFailed(failing)
})

test('SES-26: an exception in the result of a port ends only the session and completes the start', () => {
  const failing = failingRig()
  const { rig, glasses } = failing
  const start = rig.startApp(B)
  glasses.sendError = failure
  rig.answerWebhooks('session_request', { ok: false, code: 'REFUSED_500', message: 'no', retryable: true })
  assertFailed(failing)
  assert.equal(start.value?.ok, false)
})

test('SES-26: an exception in a start or a stop ends only the session and completes the call', () => {
  for (const operation of ['startApp', 'stopApp'] as const) {
    const failing = failingRig()
    failing.glasses.sendError = failure
    const result = failing.rig[operation](operation === 'startApp' ? B : A)
    assertFailed(failing)
    assert.notEqual(result.value, undefined, operation)
  }
})

test('SES-26: an exception in a call of the rest of the cloud ends the session and rejects the call', () => {
  const failing = failingRig()
  failing.app.sendError = failure
  const report = () => failing.rig.session.run('reportDevice', [{ batteryLevel: 50 }])
  assert.throws(report, failure)
  assertFailed(failing)
})

test('SES-26: an exception in the delivery of a message does not reach the session that sent it', () => {
  const slices: (() => void)[] = []
  const appMessages = new AppMessageHub(new VirtualClock(), (run) => slices.push(run))
  const sender = new SessionRig([createAppDefinition(A)], { appMessages, userEmail: 'ann@example.com' })
  sender.connectGlasses()
  const from = sender.runApp(A)
  const failing = failingRig({ appMessages })
  const other = new SessionRig([createAppDefinition(A)], { appMessages, userEmail: 'bob@example.com' })
  other.connectGlasses()
  const receiver = other.runApp(A)
  failing.app.sendError = failure
  sender.session.handleAppMessage(A, from, { type: 'app_broadcast_message', messageId: 'm', payload: 1 })
  for (let run = slices.shift(); run; run = slices.shift()) run()
  assertFailed(failing)
  assert.deepEqual([sender.session.isEnded, other.session.isEnded], [false, false])
  assert.equal(receiver.messagesOfType('app_message_received').length, 1)
})
