import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAppDefinition, SessionRig } from '../testing/session-rig.ts'

const A = 'dev.example.a'

test('PLAY-30: the phone receives show_wifi_setup', () => {
  const rig = new SessionRig([createAppDefinition(A)])
  const glasses = rig.connectGlasses()
  const app = rig.runApp(A)
  rig.session.handleAppMessage(A, app, {
    type: 'request_wifi_setup',
    reason: 'To stream',
    packageName: 'other',
  })
  rig.session.handleAppMessage(A, app, { type: 'request_wifi_setup' })
  const [reasoned, plain] = glasses.messagesOfType('show_wifi_setup')
  const timestamp = reasoned?.timestamp
  assert.deepEqual(reasoned, { type: 'show_wifi_setup', reason: 'To stream', appPackageName: A, timestamp })
  assert.deepEqual(plain, { type: 'show_wifi_setup', appPackageName: A, timestamp: plain?.timestamp })
})

test('PLAY-31: a request without a phone fails', () => {
  const rig = new SessionRig([createAppDefinition(A)])
  const glasses = rig.connectGlasses()
  const app = rig.runApp(A)
  glasses.close(1000, 'gone')
  rig.session.handleAppMessage(A, app, { type: 'request_wifi_setup' })
  assert.equal(app.lastOfType('tpa_connection_error')?.code, 'PHONE_DISCONNECTED')
  assert.equal(app.closed, undefined)
})
