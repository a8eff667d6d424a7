import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAppDefinition, SessionRig } from '../testing/session-rig.ts'
import { Buttons } from './buttons.ts'

const A = 'dev.example.a'
const press = { buttonId: 'camera', pressType: 'short' }

test('PHN-50 PHN-51: a press is relayed to subscribers; without any it requests a photo', () => {
  const rig = new SessionRig([createAppDefinition(A)])
  rig.connectGlasses()
  const app = rig.runApp(A)
  rig.subscribe(app, 'head_position')
  const requestId = rig.session.part(Buttons).press(press)
  assert.ok(requestId)
  assert.deepEqual(app.messagesOfType('data_stream'), [])
  rig.subscribe(app, 'button_press')
  assert.equal(rig.session.part(Buttons).press(press), undefined)
  const frame = app.lastOfType('data_stream')
  assert.equal(frame?.streamType, 'button_press')
  const { timestamp, ...data } = Object(frame?.data)
  assert.deepEqual(data, { type: 'button_press', ...press })
  assert.ok(Date.parse(String(timestamp)) > 0)
})

test('PHN-51: a photo is pending for a minute, and at most the newest twenty are', () => {
  let drawn = 0
  const random = () => {
    drawn += 1
    return drawn / 1_000
  }
  const rig = new SessionRig([], { random })
  const buttons = rig.session.part(Buttons)
  const first = String(buttons.press(press))
  assert.ok(buttons.isPhotoPending(first))
  assert.ok(!buttons.isPhotoPending('another'))
  rig.connectGlasses()
  rig.clock.advance(59_999)
  assert.ok(buttons.isPhotoPending(first))
  const more = Array.from({ length: 20 }, () => String(buttons.press(press)))
  assert.equal(new Set(more).size, 20)
  assert.ok(!buttons.isPhotoPending(first))
  assert.ok(more.every((id) => buttons.isPhotoPending(id)))
  rig.clock.advance(60_000)
  assert.ok(!more.some((id) => buttons.isPhotoPending(id)))
})
