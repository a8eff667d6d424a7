import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Permission } from '@glasses-cloud/contract'
import { createAppDefinition, SessionRig } from '../testing/session-rig.ts'
import { Lifecycle } from './lifecycle.ts'

const A = 'dev.example.a'
const requested = ['transcription:en-US', 'button_press', 'location_update']

function running(permissions: Permission[]) {
  const rig = new SessionRig([createAppDefinition(A, { permissions })])
  const glasses = rig.connectGlasses()
  const app = rig.runApp(A)
  rig.subscribe(app, ...requested)
  const subscriptions = () => {
    rig.session.part(Lifecycle).broadcastAppState()
    const snapshot = glasses.lastOfType('app_state_change')?.userSession
    return (snapshot as { appSubscriptions: Record<string, string[]> }).appSubscriptions[A] ?? []
  }
  return { rig, glasses, app, subscriptions }
}

test('PRM-20: streams of a removed permission stop immediately, and the app is notified', () => {
  const { rig, glasses, app, subscriptions } = running([{ type: 'MICROPHONE' }, { type: 'LOCATION' }])
  assert.deepEqual(subscriptions(), requested)
  assert.equal(glasses.lastOfType('microphone_state_change')?.isMicrophoneEnabled, true)
  app.takeMessages()
  rig.session.updateApp(createAppDefinition(A, { permissions: [{ type: 'LOCATION' }] }))
  assert.deepEqual(subscriptions(), ['button_press', 'location_update'])
  const details = app.lastOfType('permission_error')?.details as { stream: string }[]
  assert.deepEqual(
    details.map(({ stream }) => stream),
    ['transcription:en-US'],
  )
  rig.session.handleGlassesMessage(glasses, { type: 'local_transcription', text: 'secret', isFinal: true })
  assert.deepEqual(app.messagesOfType('data_stream'), [])
  rig.clock.advance(5_000)
  assert.equal(glasses.lastOfType('microphone_state_change')?.isMicrophoneEnabled, false)
})

test('PRM-20: streams of an added permission start immediately, without a new subscription', () => {
  const { rig, glasses, app, subscriptions } = running([])
  assert.deepEqual(subscriptions(), ['button_press'])
  app.takeMessages()
  rig.session.updateApp(createAppDefinition(A, { permissions: [{ type: 'ALL' }] }))
  assert.deepEqual(subscriptions(), requested)
  assert.deepEqual(app.messagesOfType('permission_error'), [])
  rig.session.handleGlassesMessage(glasses, { type: 'local_transcription', text: 'hello', isFinal: true })
  assert.equal(app.messagesOfType('data_stream').length, 1)
})

test('PRM-20: an app that does not run is unaffected, and a restarted one has no subscriptions', () => {
  const { rig, subscriptions } = running([])
  rig.session.updateApp(createAppDefinition('dev.example.other'))
  assert.deepEqual(rig.session.appState.activeApps, [A])
  rig.stopApp(A)
  rig.answerWebhooks('stop_request')
  rig.runApp(A)
  rig.session.updateApp(createAppDefinition(A, { permissions: [{ type: 'ALL' }] }))
  assert.deepEqual(subscriptions(), [])
})
