import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { GlassesToCloud, Message } from '@glasses-cloud/contract'
import type { RecordingPeer } from '../testing/recording-peer.ts'
import { createAppDefinition, SessionRig } from '../testing/session-rig.ts'
import { first, lastManagedStatus, rtmpStatuses, StreamingRig } from '../testing/streaming-rig.ts'
import { GlassesDevice } from './glasses-device.ts'

const A = 'dev.example.a'
const SESSION = 'us1-__phone__'

const send = (rig: SessionRig, phone: RecordingPeer, message: GlassesToCloud) =>
  rig.session.handleGlassesMessage(phone, message)
const subscribe = (rig: SessionRig, phone: RecordingPeer, ...subscriptions: string[]) =>
  send(rig, phone, { type: 'phone_subscription_update', subscriptions })

/** The stream frames for mini-apps, without timestamps. */
const frames = (phone: RecordingPeer) =>
  phone.messagesOfType('data_stream').map(({ timestamp: _, ...frame }) => frame)
const microphoneOf = (phone: RecordingPeer) =>
  phone.lastOfType('microphone_state_change')?.isMicrophoneEnabled
const statuses = (phone: RecordingPeer, type: string) =>
  phone.messagesOfType(type).map(({ status }) => status)

const press = { type: 'button_press', buttonId: 'main', pressType: 'short' } as const
const tap = { type: 'touch_event', gesture_name: 'single_tap', device_model: 'Mentra Live' } as const
const frame = (streamType: string, data: object) => ({
  type: 'data_stream',
  sessionId: SESSION,
  streamType,
  data,
})

describe('subscriptions of mini-apps on the phone', () => {
  test('PAP-1: frames are sent under the subscription string, and a list replaces the previous one', () => {
    const rig = new SessionRig([createAppDefinition(A)])
    const phone = rig.connectGlasses()
    const app = rig.runApp(A)
    rig.subscribe(app, 'button_press')
    send(rig, phone, press)
    assert.deepEqual(frames(phone), [])
    subscribe(
      rig,
      phone,
      'button_press',
      'touch_event',
      'touch_event:single_tap',
      'phone_notification',
      'odd',
    )
    send(rig, phone, press)
    send(rig, phone, tap)
    rig.session.handleUnknownGlassesMessage(phone, { type: 'odd', value: 1 } as Message)
    assert.deepEqual(frames(phone), [
      frame('button_press', press),
      frame('touch_event', tap),
      frame('touch_event:single_tap', tap),
      frame('odd', { type: 'odd', value: 1 }),
    ])
    phone.takeMessages()
    subscribe(rig, phone, 'head_position')
    send(rig, phone, press)
    assert.deepEqual(frames(phone), [])
    assert.equal(app.messagesOfType('data_stream').length, 3)
    subscribe(rig, phone)
    send(rig, phone, { type: 'head_position', position: 'down' })
    assert.deepEqual(frames(phone), [])
  })

  test('PAP-2: the microphone is on while the phone subscribes, and no audio is sent to it', () => {
    const rig = new SessionRig()
    const phone = rig.connectGlasses()
    assert.equal(microphoneOf(phone), false)
    subscribe(rig, phone, 'transcription:en-US', 'audio_chunk')
    assert.equal(microphoneOf(phone), true)
    rig.session.handleGlassesAudio(phone, new Uint8Array(64))
    assert.deepEqual(phone.audio, [])
    send(rig, phone, { type: 'local_transcription', text: 'hello', isFinal: true })
    const [received] = frames(phone)
    assert.deepEqual([received?.streamType, Object(received?.data).text], ['transcription:en-US', 'hello'])
    subscribe(rig, phone)
    rig.clock.advance(2_999)
    assert.equal(microphoneOf(phone), true)
    rig.clock.advance(1)
    assert.equal(microphoneOf(phone), false)
  })

  test('PAP-2: a subscription of the phone raises the location tier', () => {
    const rig = new SessionRig()
    const phone = rig.connectGlasses()
    const before = phone.messagesOfType('set_location_tier').length
    subscribe(rig, phone, 'location_update')
    const [change] = phone.messagesOfType('set_location_tier').slice(before)
    assert.ok(change && change.tier !== 'reduced')
  })

  test('PAP-3: a new connection starts without subscriptions, and the microphone stays on until its off delay ends', () => {
    const rig = new SessionRig()
    const phone = rig.connectGlasses()
    subscribe(rig, phone, 'transcription:en-US', 'button_press')
    rig.clock.advance(2_000)
    const again = rig.connectGlasses()
    assert.equal(microphoneOf(again), true)
    send(rig, again, press)
    assert.deepEqual(frames(again), [])
    rig.clock.advance(2_000)
    subscribe(rig, again, 'transcription:en-US')
    rig.clock.advance(5_000)
    assert.ok(
      !again.messagesOfType('microphone_state_change').some((state) => state.isMicrophoneEnabled === false),
    )
    const other = rig.connectGlasses()
    rig.clock.advance(3_000)
    assert.equal(microphoneOf(other), false)
  })
})

describe('streams of mini-apps on the phone', () => {
  test('PAP-5 PAP-6: the phone shares a managed stream with apps', () => {
    const rig = new StreamingRig()
    const phone = rig.glassesPeer
    const request = { type: 'managed_stream_request', packageName: first } as const
    send(rig, phone, request)
    assert.deepEqual(statuses(phone, 'managed_stream_status'), ['initializing'])
    rig.streaming.completeCreateInput()
    rig.reportStreamStatus('streaming')
    rig.streaming.completeIsReady()
    assert.equal(lastManagedStatus(phone).status, 'active')
    assert.ok(lastManagedStatus(phone).hlsUrl)
    const app = rig.runApp(first)
    rig.requestManagedStream(app)
    assert.equal(lastManagedStatus(app).streamId, lastManagedStatus(phone).streamId)
    send(rig, phone, { type: 'managed_stream_stop' })
    assert.equal(lastManagedStatus(phone).status, 'stopped')
    assert.equal(lastManagedStatus(app).status, 'active')
    rig.sendFromApp(app, { type: 'managed_stream_stop' })
    assert.equal(phone.messagesOfType('stop_stream').length, 1)
  })

  test('PAP-5: the phone can stream to URLs that apps cannot', () => {
    const rig = new StreamingRig()
    const app = rig.runApp(first)
    for (const streamUrl of [
      'srt://tv.test:9710?streamid=key',
      'https://tv.test/whip/key',
      'rtmps://tv.test/a/b',
    ]) {
      send(rig, rig.glassesPeer, { type: 'stream_request', streamUrl })
      assert.equal(rig.glassesPeer.lastOfType('start_stream')?.streamUrl, streamUrl)
      rig.sendFromApp(app, { type: 'stream_status_check' })
      const { streamInfo } = app.lastOfType('stream_status_check_response') as unknown as {
        streamInfo: { rtmpUrl: string }
      }
      assert.ok(!streamInfo.rtmpUrl.includes('key'))
      if (streamUrl.startsWith('rtmp')) continue
      rig.requestRtmpStream(app, streamUrl)
      assert.equal(app.lastOfType('rtmp_stream_status')?.code, 'INVALID_URL')
    }
  })

  test('PAP-5: the phone is rejected for the same reasons as apps', () => {
    const rig = new StreamingRig(false)
    send(rig, rig.glassesPeer, { type: 'managed_stream_request' })
    assert.equal(lastManagedStatus(rig.glassesPeer).code, 'NO_STREAMING_PROVIDER')
    rig.session.part(GlassesDevice).report({ wifiConnected: false })
    send(rig, rig.glassesPeer, { type: 'stream_request', streamUrl: 'rtmp://tv.test/a/b' })
    assert.equal(rig.glassesPeer.lastOfType('stream_status')?.code, 'WIFI_NOT_CONNECTED')
    rig.session.part(GlassesDevice).report({ wifiConnected: true })
    for (const message of [
      {},
      { streamUrl: 'http://tv.test' },
      { streamUrl: 'srt://tv.test' },
      { rtmpUrl: 'no' },
    ]) {
      send(rig, rig.glassesPeer, { type: 'stream_request', ...message })
      assert.equal(rig.glassesPeer.lastOfType('stream_status')?.code, 'INVALID_URL')
    }
    assert.deepEqual(rig.glassesPeer.messagesOfType('start_stream'), [])
  })

  test('PAP-5 PAP-6 PAP-7: a stream status is sent under both names, and again after a reconnect', () => {
    const rig = new StreamingRig()
    const phone = rig.glassesPeer
    send(rig, phone, {
      type: 'stream_request',
      streamUrl: 'rtmp://tv.test/app/secret',
      video: { frameRate: 15 },
    })
    const start = phone.lastOfType('start_stream')
    assert.deepEqual([start?.streamUrl, start?.appId], ['rtmp://tv.test/app/secret', '__phone__'])
    assert.deepEqual(start?.video, { frameRate: 15 })
    rig.reportStreamStatus('streaming')
    for (const type of ['stream_status', 'rtmp_stream_status'])
      assert.deepEqual(statuses(phone, type), ['initializing', 'active'])

    const again = rig.connectGlasses()
    assert.deepEqual(statuses(again, 'stream_status'), ['active'])
    const app = rig.runApp(first)
    rig.requestRtmpStream(app)
    assert.equal(statuses(again, 'stream_status').at(-1), 'stopped')
    send(rig, again, { type: 'stream_stop' })
    assert.deepEqual(rtmpStatuses(app), ['initializing'])
    send(rig, again, { type: 'stream_request', rtmpUrl: 'rtmp://tv.test/app/other' })
    assert.deepEqual(rtmpStatuses(app), ['initializing', 'stopped'])
    send(rig, again, { type: 'stream_stop' })
    assert.equal(statuses(again, 'rtmp_stream_status').at(-1), 'stopped')
    assert.equal(again.lastOfType('stop_stream')?.streamId, again.lastOfType('stream_status')?.streamId)
  })
})
