import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Message } from '@glasses-cloud/contract'
import type { RecordingPeer } from '../testing/recording-peer.ts'
import { createAppDefinition, SessionRig } from '../testing/session-rig.ts'
import { GlassesDevice } from './glasses-device.ts'

const A = 'dev.example.a'
const B = 'dev.example.b'

const lensOf = (glasses: RecordingPeer) => {
  const { packageName, layout }: Message = glasses.lastOfType('display_event') ?? { type: 'nothing' }
  const { text, title } = (layout ?? {}) as { text?: string; title?: string }
  return [packageName, title ?? text]
}

function show(rig: SessionRig, app: RecordingPeer, text: string, durationMs?: number): void {
  const layout = { layoutType: 'text_wall', text } as const
  rig.session.handleAppMessage(app.name, app, { type: 'display_event', layout, durationMs })
}

test('DSP-1 DSP-2 DSP-6: a started app has its boot screen, then the display as the main app', () => {
  const rig = new SessionRig([
    createAppDefinition(A, { appType: 'STANDARD', name: 'Captions' }),
    createAppDefinition(B),
  ])
  const glasses = rig.connectGlasses()
  const app = rig.runApp(A)
  assert.deepEqual(lensOf(glasses), ['system.dashboard', 'Starting app'])
  show(rig, app, 'ready')
  rig.clock.advance(1_499)
  assert.deepEqual(lensOf(glasses), ['system.dashboard', 'Starting app'])
  rig.clock.advance(1)
  assert.deepEqual(lensOf(glasses), [A, 'ready'])
  const background = rig.runApp(B)
  rig.clock.advance(2_000)
  show(rig, background, 'ping')
  assert.deepEqual(lensOf(glasses), [B, 'ping'])
  rig.clock.advance(2_000)
  assert.deepEqual(lensOf(glasses), [A, 'ready'])
})

test("DSP-1: the dashboard's own package has no boot screen", () => {
  const rig = new SessionRig([createAppDefinition('system.dashboard', { appType: 'SYSTEM_DASHBOARD' })])
  const glasses = rig.connectGlasses()
  rig.runApp('system.dashboard')
  rig.clock.advance(5_000)
  assert.deepEqual(glasses.messagesOfType('display_event'), [])
})

test('DSP-14: the content of a stopped app is removed', () => {
  const rig = new SessionRig([createAppDefinition(A, { appType: 'STANDARD' })])
  const glasses = rig.connectGlasses()
  const app = rig.runApp(A)
  rig.clock.advance(2_000)
  show(rig, app, 'still here')
  rig.clock.advance(1_000)
  rig.stopApp(A)
  assert.deepEqual(lensOf(glasses), ['system.dashboard', ''])
  show(rig, app, 'too late')
  rig.clock.advance(5_000)
  assert.deepEqual(lensOf(glasses), ['system.dashboard', ''])
})

test('DSP-15 DSP-16: nothing is sent to glasses that the phone reports disconnected', () => {
  const rig = new SessionRig([createAppDefinition(A, { appType: 'STANDARD' })])
  const glasses = rig.connectGlasses()
  const app = rig.runApp(A)
  rig.session.part(GlassesDevice).report({ connected: true, modelName: 'Even Realities G1' })
  rig.clock.advance(2_000)
  show(rig, app, 'one')
  rig.session.part(GlassesDevice).report({ connected: false })
  rig.clock.advance(1_000)
  glasses.takeMessages()
  show(rig, app, 'two', 1_000)
  rig.clock.advance(20_000)
  show(rig, app, 'three', 1_000)
  rig.clock.advance(20_000)
  assert.deepEqual(glasses.messagesOfType('display_event'), [])
  rig.session.part(GlassesDevice).report({ connected: true })
  assert.deepEqual(lensOf(glasses), [A, 'three'])
  rig.clock.advance(1_000)
  assert.deepEqual(lensOf(glasses), ['system.dashboard', ''])
})
