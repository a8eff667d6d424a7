import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAppDefinition, SessionRig } from '../testing/session-rig.ts'
import { DateTime } from './date-time.ts'

const A = 'dev.example.a'
const B = 'dev.example.b'
const datetime = '2026-01-01T10:00:00+01:00'

test('CALE-11 CALE-12: every app receives the date and time, whatever its subscriptions, and again when it connects or subscribes', () => {
  const rig = new SessionRig([createAppDefinition(A), createAppDefinition(B)])
  rig.connectGlasses()
  const a = rig.runApp(A)
  rig.subscribe(a, 'custom_message')
  assert.deepEqual(a.messagesOfType('custom_message'), [], 'the phone has not reported it yet')
  rig.session.part(DateTime).report(datetime)
  const expected = {
    type: 'custom_message',
    action: 'update_datetime',
    payload: { datetime, section: 'topLeft' },
    timestamp: '2026-01-01T00:00:00.000Z',
  }
  assert.deepEqual(a.messagesOfType('custom_message'), [expected])
  const b = rig.runApp(B)
  assert.deepEqual(
    b.sent.slice(0, 1).map(({ type }) => type),
    ['tpa_connection_ack'],
  )
  assert.deepEqual(b.messagesOfType('custom_message'), [expected])
  rig.subscribe(b, 'button_press')
  assert.equal(b.messagesOfType('custom_message').length, 1)
  rig.subscribe(b, 'button_press', 'custom_message')
  rig.subscribe(b, 'custom_message')
  assert.deepEqual(b.messagesOfType('custom_message'), [expected, expected])
  rig.session.part(DateTime).report('2026-01-01T10:01:00+01:00')
  assert.deepEqual(b.lastOfType('custom_message')?.payload, {
    datetime: '2026-01-01T10:01:00+01:00',
    section: 'topLeft',
  })
})
