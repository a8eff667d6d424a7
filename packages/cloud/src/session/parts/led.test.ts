import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAppDefinition, SessionRig } from '../testing/session-rig.ts'
import { GlassesDevice } from './glasses-device.ts'

const A = 'dev.example.a'
const B = 'dev.example.b'

function setUp() {
  const rig = new SessionRig([
    createAppDefinition(A),
    createAppDefinition(B),
    createAppDefinition('dev.example.c'),
  ])
  const glasses = rig.connectGlasses()
  return { rig, glasses, a: rig.runApp(A), b: rig.runApp(B) }
}

const on = (requestId: string) => ({ type: 'rgb_led_control', requestId, action: 'on' }) as const

test('PLAY-20: a request is sent to the glasses with the package name of the requesting app', () => {
  const { rig, glasses, a } = setUp()
  rig.session.handleAppMessage(A, a, { ...on('l1'), packageName: B })
  rig.session.handleAppMessage(A, a, { ...on('l2'), color: 'blue', ontime: 50, offtime: 60, count: 3 })
  rig.session.handleAppMessage(A, a, { ...on('l3'), action: 'off' })
  const [plain, own, off] = glasses.messagesOfType('rgb_led_control')
  assert.deepEqual(plain, {
    type: 'rgb_led_control',
    sessionId: 'us1',
    requestId: 'l1',
    appId: A,
    packageName: A,
    action: 'on',
    color: 'red',
    ontime: 1_000,
    offtime: 0,
    count: 1,
    timestamp: plain?.timestamp,
  })
  assert.deepEqual([own?.color, own?.ontime, own?.offtime, own?.count], ['blue', 50, 60, 3])
  assert.equal(off?.action, 'off')
})

test('PLAY-25: a request in progress is sent again to a phone that reconnected, and answered once', () => {
  const { rig, a } = setUp()
  rig.session.handleAppMessage(A, a, on('l1'))
  rig.clock.advance(5_000)
  const next = rig.connectGlasses()
  assert.equal(next.lastOfType('rgb_led_control')?.requestId, 'l1')
  for (let n = 0; n < 2; n += 1)
    rig.session.handleGlassesMessage(next, {
      type: 'rgb_led_control_response',
      requestId: 'l1',
      success: true,
    })
  assert.equal(a.messagesOfType('rgb_led_control_response').length, 1)
  assert.deepEqual(rig.connectGlasses().messagesOfType('rgb_led_control'), [])
})

test('PLAY-21: the response is sent to the requesting app and to subscribers', () => {
  const { rig, glasses, a, b } = setUp()
  const subscriber = rig.runApp('dev.example.c')
  rig.subscribe(subscriber, 'rgb_led_control_response')
  rig.session.handleAppMessage(A, a, on('l1'))
  const report = {
    type: 'rgb_led_control_response',
    requestId: 'l1',
    success: false,
    error: 'json_error',
  } as const
  rig.session.handleGlassesMessage(glasses, report)
  const response = a.lastOfType('rgb_led_control_response')
  assert.deepEqual([response?.requestId, response?.success, response?.error], ['l1', false, 'json_error'])
  assert.deepEqual(b.messagesOfType('rgb_led_control_response'), [])
  assert.deepEqual(subscriber.messagesOfType('rgb_led_control_response'), [])
  const frame = subscriber.lastOfType('data_stream')
  assert.deepEqual([frame?.streamType, frame?.data], ['rgb_led_control_response', report])
  rig.clock.advance(60_000)
  assert.equal(a.messagesOfType('rgb_led_control_response').length, 1)
})

test('PLAY-22: a request that cannot succeed is answered with the reason', () => {
  const { rig, glasses, a } = setUp()
  const error = () => a.lastOfType('rgb_led_control_response')?.error
  rig.session.part(GlassesDevice).report({ connected: false })
  rig.session.handleAppMessage(A, a, on('off'))
  assert.equal(error(), 'glasses_not_connected')
  rig.session.part(GlassesDevice).report({ connected: true, modelName: 'Even Realities G1' })
  rig.session.handleAppMessage(A, a, on('dark'))
  assert.equal(error(), 'device_not_supported')
  rig.session.part(GlassesDevice).report({ connected: true, modelName: 'Mentra Live' })
  assert.deepEqual(glasses.messagesOfType('rgb_led_control'), [])
  rig.session.handleAppMessage(A, a, on('late'))
  rig.clock.advance(29_999)
  assert.equal(a.messagesOfType('rgb_led_control_response').length, 2)
  rig.clock.advance(1)
  assert.match(String(error()), /in time/)
})

test('PLAY-23: an app that stopped receives no response', () => {
  const { rig, glasses, a } = setUp()
  rig.session.handleAppMessage(A, a, on('l1'))
  rig.stopApp(A)
  rig.session.handleGlassesMessage(glasses, {
    type: 'rgb_led_control_response',
    requestId: 'l1',
    success: true,
  })
  rig.clock.advance(60_000)
  assert.deepEqual(a.messagesOfType('rgb_led_control_response'), [])
})

test('PLAY-24: a repeated request is the same one, even if it would be rejected now', () => {
  const { rig, glasses, a } = setUp()
  rig.session.handleAppMessage(A, a, on('same'))
  rig.session.handleAppMessage(A, a, on('same'))
  assert.equal(glasses.messagesOfType('rgb_led_control').length, 1)
  rig.session.detachGlasses(glasses)
  rig.session.handleAppMessage(A, a, on('same'))
  assert.deepEqual(a.messagesOfType('rgb_led_control_response'), [])
})
