import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { GlassesToCloud, Message, Permission } from '@glasses-cloud/contract'
import type { RecordingPeer } from '../testing/recording-peer.ts'
import { createAppDefinition, SessionRig } from '../testing/session-rig.ts'
import { Lifecycle } from './lifecycle.ts'

const A = 'dev.example.a-b'
const B = 'dev.example.b'
const press: GlassesToCloud = { type: 'button_press', buttonId: 'main', pressType: 'short' }

const streamsOf = (peer: RecordingPeer | undefined) =>
  peer?.messagesOfType('data_stream').map(({ streamType }) => streamType)

/** The last session snapshot that the glasses received. */
function snapshotOf(glasses: RecordingPeer): Record<string, unknown> {
  const { userSession }: Message = glasses.lastOfType('app_state_change') ?? { type: 'nothing' }
  return userSession as Record<string, unknown>
}

/** The subscriptions of all apps in the last snapshot. */
function listsOf(rig: SessionRig, glasses: RecordingPeer) {
  rig.session.part(Lifecycle).broadcastAppState()
  return snapshotOf(glasses).appSubscriptions
}

describe('permissions', () => {
  test('SUB-7 SUB-8: entries without permission are left out and reported, the others apply', () => {
    const rig = new SessionRig([createAppDefinition(A, { permissions: [{ type: 'CAMERA' }] })])
    const glasses = rig.connectGlasses()
    const app = rig.runApp(A)
    rig.subscribe(app, 'button_press', 'transcription:auto', 'audio_chunk', 'calendar_event', 'photo_taken')
    assert.deepEqual(listsOf(rig, glasses), { [A]: ['button_press', 'photo_taken'] })
    assert.equal(glasses.lastOfType('microphone_state_change')?.isMicrophoneEnabled, false)
    const [error, ...more] = app.messagesOfType('permission_error')
    assert.equal(more.length, 0)
    assert.equal(error?.sessionId, `us1-${A}`)
    const details = error?.details as { stream: string; requiredPermission: string; message: string }[]
    assert.deepEqual(
      details.map(({ stream, requiredPermission }) => [stream, requiredPermission]),
      [
        ['transcription:auto', 'MICROPHONE'],
        ['audio_chunk', 'MICROPHONE'],
        ['calendar_event', 'CALENDAR'],
      ],
    )
    assert.match(details[0]?.message ?? '', /transcription:auto needs the permission MICROPHONE/)
    rig.subscribe(app, 'button_press')
    assert.equal(app.messagesOfType('permission_error').length, 1, 'nothing was left out')
  })

  test('SUB-7: ALL and the legacy NOTIFICATIONS permit the streams that they grant', () => {
    const run = (type: Permission['type']) => {
      const rig = new SessionRig([createAppDefinition(A, { permissions: [{ type }] })])
      const glasses = rig.connectGlasses()
      rig.subscribe(rig.runApp(A), 'phone_notification', 'audio_chunk', 'location_update')
      return listsOf(rig, glasses)
    }
    assert.deepEqual(run('ALL'), { [A]: ['phone_notification', 'audio_chunk', 'location_update'] })
    assert.deepEqual(run('NOTIFICATIONS'), { [A]: ['phone_notification'] })
    assert.deepEqual(run('POST_NOTIFICATIONS'), {})
  })
})

describe('lists', () => {
  test('SUB-9 SUB-12: each list replaces the previous one; duplicates count once', () => {
    const rig = new SessionRig([createAppDefinition(A)])
    const glasses = rig.connectGlasses()
    const app = rig.runApp(A)
    rig.subscribe(app, 'button_press', 'touch_event', 'button_press')
    assert.deepEqual(listsOf(rig, glasses), { [A]: ['button_press', 'touch_event'] })
    rig.subscribe(app, 'head_position')
    rig.session.handleGlassesMessage(glasses, press)
    rig.session.handleGlassesMessage(glasses, { type: 'head_position', position: 'up' })
    assert.deepEqual(streamsOf(app), ['head_position'])
  })

  test('SUB-12: the snapshot contains the subscribed languages and whether audio is required', () => {
    const rig = new SessionRig([createAppDefinition(A), createAppDefinition(B)])
    const glasses = rig.connectGlasses()
    rig.subscribe(rig.runApp(A), 'transcription:es-ES', 'transcription:en-US?x=y')
    rig.subscribe(rig.runApp(B), 'transcription:en-US')
    rig.session.part(Lifecycle).broadcastAppState()
    const snapshot = snapshotOf(glasses)
    assert.deepEqual(snapshot.minimumTranscriptionLanguages, ['es-ES', 'en-US'])
    assert.deepEqual([snapshot.requiresAudio, snapshot.isTranscribing], [true, true])
  })

  test('SUB-10: a first empty list applies only if no other list follows within eight seconds', () => {
    const rig = new SessionRig([createAppDefinition(A)])
    const glasses = rig.connectGlasses()
    const app = rig.runApp(A)
    rig.subscribe(app, 'button_press')
    rig.clock.advance(1_000)
    rig.subscribe(app)
    rig.clock.advance(6_999)
    assert.deepEqual(listsOf(rig, glasses), { [A]: ['button_press'] })
    rig.clock.advance(1)
    assert.deepEqual(listsOf(rig, glasses), {})
    rig.subscribe(app, 'button_press')
    rig.subscribe(app)
    assert.deepEqual(listsOf(rig, glasses), {}, 'afterwards an empty list applies immediately')
  })

  test('SUB-10: a full list replaces a provisional empty one', () => {
    const rig = new SessionRig([createAppDefinition(A)])
    const glasses = rig.connectGlasses()
    const app = rig.runApp(A)
    rig.subscribe(app, 'button_press')
    rig.subscribe(app)
    rig.subscribe(app, 'touch_event')
    rig.clock.advance(20_000)
    assert.deepEqual(listsOf(rig, glasses), { [A]: ['touch_event'] })
  })

  test('SUB-10: each acknowledgement restarts the eight seconds', () => {
    const rig = new SessionRig([createAppDefinition(A)])
    const glasses = rig.connectGlasses()
    rig.subscribe(rig.runApp(A), 'button_press')
    rig.clock.advance(60_000)
    const back = rig.connectApp(A)
    assert.ok(back)
    rig.subscribe(back)
    rig.clock.advance(7_000)
    assert.deepEqual(listsOf(rig, glasses), { [A]: ['button_press'] })
    const again = rig.connectApp(A)
    assert.ok(again)
    rig.clock.advance(60_000)
    assert.deepEqual(listsOf(rig, glasses), { [A]: ['button_press'] }, 'the new socket has not sent a list')
  })

  test('SUB-10: an empty list right before the acknowledgement is provisional, too', () => {
    const rig = new SessionRig([createAppDefinition(A)])
    const glasses = rig.connectGlasses()
    rig.subscribe(rig.runApp(A), 'button_press')
    rig.clock.advance(1_000)
    rig.subscribe(rig.connectAppUnacknowledged(A))
    rig.flush()
    rig.clock.advance(7_999)
    assert.deepEqual(listsOf(rig, glasses), { [A]: ['button_press'] })
    rig.clock.advance(1)
    assert.deepEqual(listsOf(rig, glasses), {})
  })

  test('SUB-11: an app that stopped has no subscriptions and receives nothing', () => {
    const rig = new SessionRig([createAppDefinition(A)])
    const glasses = rig.connectGlasses()
    const app = rig.runApp(A)
    rig.subscribe(app, 'button_press', 'transcription:en-US')
    rig.stopApp(A)
    assert.deepEqual(listsOf(rig, glasses), {})
    rig.session.handleGlassesMessage(glasses, press)
    assert.deepEqual(streamsOf(app), [])
    rig.answerWebhooks('stop_request')
    const next = rig.runApp(A)
    rig.session.handleGlassesMessage(glasses, press)
    assert.deepEqual(streamsOf(next), [], 'its earlier subscriptions are removed')
  })
})

describe('frames', () => {
  test("SUB-13: one frame for every matching subscription, under the app's own string", () => {
    const rig = new SessionRig([createAppDefinition(A), createAppDefinition(B)])
    const glasses = rig.connectGlasses()
    const [a, b] = [rig.runApp(A), rig.runApp(B)]
    rig.subscribe(a, 'touch_event', 'touch_event:single_tap', 'touch_event:double_tap')
    rig.subscribe(b, 'button_press')
    const tap = { type: 'touch_event', gesture_name: 'single_tap', device_model: 'X', timestamp: 7 } as const
    rig.session.handleGlassesMessage(glasses, tap)
    assert.deepEqual(a.takeMessages().slice(-2), [
      {
        type: 'data_stream',
        sessionId: `us1-${A}`,
        streamType: 'touch_event',
        timestamp: '2026-01-01T00:00:00.000Z',
        data: tap,
      },
      {
        type: 'data_stream',
        sessionId: `us1-${A}`,
        streamType: 'touch_event:single_tap',
        timestamp: '2026-01-01T00:00:00.000Z',
        data: tap,
      },
    ])
    assert.deepEqual(streamsOf(b), [])
  })

  test('SUB-4 SUB-13: options are part of the subscription string of a frame', () => {
    const rig = new SessionRig([createAppDefinition(A)])
    const glasses = rig.connectGlasses()
    const app = rig.runApp(A)
    const withOptions = 'transcription:en-US?no-language-identification=true'
    rig.subscribe(app, withOptions, 'transcription:en-US', 'transcription:auto', 'transcription:es-ES')
    rig.session.handleGlassesMessage(glasses, { type: 'local_transcription', text: 'hi', isFinal: true })
    assert.deepEqual(streamsOf(app), [withOptions, 'transcription:en-US', 'transcription:auto'])
  })

  test('SUB-6: `*`, `all` and unknown streams match nothing', () => {
    const rig = new SessionRig([createAppDefinition(A)])
    const glasses = rig.connectGlasses()
    const app = rig.runApp(A)
    rig.subscribe(app, '*', 'all', 'transcription:english', 'nonsense', '')
    assert.deepEqual(listsOf(rig, glasses), { [A]: ['*', 'all', 'transcription:english', 'nonsense', ''] })
    rig.session.handleGlassesMessage(glasses, press)
    rig.session.handleGlassesMessage(glasses, { type: 'VAD', status: true })
    rig.session.handleGlassesMessage(glasses, { type: 'local_transcription', text: 'hi', isFinal: true })
    rig.session.handleGlassesAudio(glasses, new Uint8Array(2))
    rig.session.handleUnknownGlassesMessage(glasses, { type: 'swipe_volume_status', enabled: true })
    assert.deepEqual(streamsOf(app), [])
    assert.equal(app.audio.length, 0)
  })

  test('SUB-14: an unknown message is sent unchanged to the subscribers of its type', () => {
    const rig = new SessionRig([createAppDefinition(A), createAppDefinition(B)])
    const glasses = rig.connectGlasses()
    const [a, b] = [rig.runApp(A), rig.runApp(B)]
    rig.subscribe(a, 'switch_status')
    rig.subscribe(b, 'swipe_volume_status')
    const message = { type: 'switch_status', switch_type: 3, switch_value: 1, nested: { data: [1] } }
    rig.session.handleUnknownGlassesMessage(glasses, message)
    assert.deepEqual(a.lastOfType('data_stream')?.data, message)
    assert.deepEqual(streamsOf(b), [])
  })

  test('SUB-15: frames before the acknowledgement of a new socket are sent after it, in order', () => {
    const rig = new SessionRig([createAppDefinition(A)])
    const glasses = rig.connectGlasses()
    const app = rig.runApp(A)
    rig.subscribe(app, 'button_press')
    rig.session.detachApp(A, app)
    const press = (buttonId: string) =>
      rig.session.handleGlassesMessage(glasses, { type: 'button_press', buttonId, pressType: 'short' })
    press('one')
    const back = rig.connectAppUnacknowledged(A)
    press('two')
    assert.deepEqual(streamsOf(back), [])
    rig.flush()
    press('three')
    assert.equal(back.sent[0]?.type, 'tpa_connection_ack')
    const buttons = back
      .messagesOfType('data_stream')
      .map(({ data }) => (data as { buttonId: string }).buttonId)
    assert.deepEqual(buttons, ['one', 'two', 'three'])
  })
})
