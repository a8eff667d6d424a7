import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AppToCloud } from '@glasses-cloud/contract'
import { SdkAdapter } from './sdk-adapter.ts'
import { generationOf } from './sdk-generations.ts'

const settings = (brightness: number) => ({ type: 'augmentos_settings_update', settings: { brightness } })
const subscribe = (...subscriptions: string[]) => ({ type: 'subscription_update', subscriptions }) as const

test('CMP-2: the generation of a version', () => {
  const versions = [
    '1.0.13',
    '2.0.2',
    '2.0.3',
    '2.1.28',
    '2.1.29',
    '2.1.31-beta.5',
    '3.0.0-alpha.4',
    '10.0.0',
  ]
  assert.deepEqual(versions.map(generationOf), [
    'first',
    'first',
    'second',
    'second',
    'current',
    'current',
    'mini',
    'mini',
  ])
  for (const text of ['', 'latest', '2.1', '2.1.29.0', ' 2.1.29', '2.1.x'])
    assert.equal(generationOf(text), undefined, text)
})

test('CMP-1 CMP-3: the last withheld message of a type is sent once the app shows that it knows it', () => {
  const adapter = new SdkAdapter('first')
  for (const brightness of [1, 2]) assert.equal(adapter.withholds(settings(brightness)), true)
  assert.equal(adapter.withholds({ type: 'data_stream' }), false)
  assert.deepEqual(adapter.learn(subscribe('button_press')), [])
  assert.deepEqual(adapter.learn(subscribe('augmentos:brightness')), [settings(2)])
  assert.equal(adapter.withholds(settings(3)), false)
  assert.deepEqual(adapter.learn(subscribe('augmentos:brightness')), [])
})

test('CMP-3: other software receives the device state once it subscribes, and the dashboard mode once it uses it', () => {
  const adapter = new SdkAdapter('other')
  const [state, mode] = [
    { type: 'device_state_update', state: { connected: true }, fullSnapshot: true },
    { type: 'dashboard_mode_changed', mode: 'main' },
  ]
  for (const message of [state, mode]) assert.equal(adapter.withholds(message), true)
  assert.equal(adapter.withholds(settings(1)), false)
  assert.deepEqual(adapter.learn(subscribe('device_state_update')), [state])
  assert.deepEqual(
    adapter.learn({ type: 'dashboard_content_update', content: 'hi', modes: ['main'] } as AppToCloud),
    [mode],
  )
})

test('CMP-3: withheld changes of the device state are merged', () => {
  const adapter = new SdkAdapter('second')
  adapter.withholds({
    type: 'device_state_update',
    state: { connected: true, batteryLevel: 1 },
    fullSnapshot: true,
  })
  adapter.withholds({ type: 'device_state_update', state: { batteryLevel: 2 }, fullSnapshot: false })
  assert.deepEqual(adapter.learn(subscribe('device_state_update')), [
    { type: 'device_state_update', state: { connected: true, batteryLevel: 2 }, fullSnapshot: true },
  ])
})
