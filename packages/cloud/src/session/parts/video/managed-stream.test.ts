import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  first,
  lastManagedStatus,
  managedStatuses,
  NO_CAMERA_APP,
  StreamingRig,
  second,
} from '../../testing/streaming-rig.ts'
import { GlassesDevice } from '../glasses-device.ts'

describe('managed streams', () => {
  test('STR-1: a request is rejected with the reason if the app may not or the glasses cannot stream', () => {
    const rig = new StreamingRig()
    const rejected = (code: string, packageName: string = first) => {
      const peer = rig.runApp(packageName)
      rig.requestManagedStream(peer)
      const { status, message } = lastManagedStatus(peer)
      assert.deepEqual([status, lastManagedStatus(peer).code], ['error', code])
      assert.ok(message)
      assert.equal(peer.closed, undefined)
      rig.stopApp(packageName)
      rig.answerWebhooks('stop_request')
    }
    rejected('PERMISSION_DENIED', NO_CAMERA_APP)
    rig.session.part(GlassesDevice).report({ wifiConnected: false })
    rejected('WIFI_NOT_CONNECTED')
    rig.session.part(GlassesDevice).report({ modelName: 'Even Realities G1' })
    rejected('NO_CAMERA')
    rig.session.part(GlassesDevice).report({ modelName: 'Vuzix Z100', connected: false })
    rejected('GLASSES_DISCONNECTED')
    rig.session.detachGlasses(rig.glassesPeer)
    rejected('PHONE_DISCONNECTED')
    assert.equal(rig.streaming.pendingCount('createInput'), 0)
    assert.deepEqual(rig.glassesPeer.messagesOfType('start_rtmp_stream'), [])
  })

  test('STR-2: a request without a streaming provider is rejected', () => {
    const rig = new StreamingRig(false)
    const peer = rig.runApp(first)
    rig.requestManagedStream(peer)
    assert.deepEqual(managedStatuses(peer), ['error'])
    assert.equal(lastManagedStatus(peer).message, 'No streaming provider is configured')
  })

  test('STR-3: the first viewer receives the status immediately; the glasses receive the start under both names', () => {
    const rig = new StreamingRig()
    const peer = rig.runApp(first)
    rig.requestManagedStream(peer, {
      quality: '720p',
      video: { frameRate: 15 },
      stream: { durationLimit: 60 },
    })
    assert.deepEqual(managedStatuses(peer), ['initializing'])
    assert.deepEqual(rig.glassesPeer.messagesOfType('start_stream'), [])
    rig.streaming.completeCreateInput()
    const { type: _, rtmpUrl, ...start } = rig.glassesPeer.lastOfType('start_rtmp_stream') ?? { type: '' }
    assert.equal(rtmpUrl, 'rtmp://in.test/live/input1')
    assert.match(String(start.streamId), /^s[0-9a-z]{10}$/)
    assert.deepEqual(start, {
      sessionId: 'us1',
      appId: 'MANAGED_STREAM',
      streamId: lastManagedStatus(peer).streamId,
      video: { width: 1280, height: 720, frameRate: 15 },
      audio: {},
      stream: { durationLimit: 60 },
      timestamp: start.timestamp,
    })
    assert.deepEqual(rig.glassesPeer.lastOfType('start_stream'), {
      type: 'start_stream',
      streamUrl: rtmpUrl,
      ...start,
    })
    assert.deepEqual([...rig.streaming.openStreams], [start.streamId])
  })

  test('STR-4: a stream is active once the glasses stream and it is playable, with URLs for HLS and DASH', () => {
    const rig = new StreamingRig()
    const peer = rig.runApp(first)
    rig.requestManagedStream(peer)
    rig.streaming.completeCreateInput()
    assert.equal(rig.streaming.pendingCount('isReady'), 0)
    rig.reportStreamStatus('streaming')
    assert.deepEqual(managedStatuses(peer), ['initializing', 'preparing'])
    rig.streaming.completeIsReady(false)
    rig.clock.advance(2_000)
    rig.streaming.failCall('isReady')
    rig.clock.advance(2_000)
    assert.equal(lastManagedStatus(peer).hlsUrl, undefined)
    rig.streaming.completeIsReady()
    assert.deepEqual(managedStatuses(peer), ['initializing', 'preparing', 'active'])
    const { hlsUrl, dashUrl } = lastManagedStatus(peer)
    assert.deepEqual([hlsUrl, dashUrl], ['https://in.test/input1.m3u8', 'https://in.test/input1.mpd'])
    assert.doesNotMatch(JSON.stringify(peer.sent), /rtmp:\/\/in\.test/)
  })

  test('STR-8: a stream that ended before it was playable is not looked for any more', () => {
    const rig = new StreamingRig()
    const peer = rig.runApp(first)
    rig.requestManagedStream(peer)
    rig.streaming.completeCreateInput()
    rig.reportStreamStatus('streaming')
    rig.streaming.completeIsReady(false)
    rig.reportStreamStatus('error')
    rig.clock.advance(10_000)
    assert.equal(rig.streaming.pendingCount('isReady'), 0)
  })

  test('STR-5: a second app joins the stream and receives its URLs immediately', () => {
    const rig = new StreamingRig()
    const one = rig.startManagedStream(first)
    const other = rig.runApp(second)
    rig.requestManagedStream(other)
    assert.deepEqual(managedStatuses(other), ['active'])
    assert.deepEqual(
      { ...lastManagedStatus(other), timestamp: '' },
      { ...lastManagedStatus(one), timestamp: '' },
    )
    assert.equal(rig.streaming.pendingCount('createInput'), 0)
    assert.equal(rig.glassesPeer.messagesOfType('start_stream').length, 1)
  })

  test('STR-6: an app that stops viewing receives stopped; the last viewer ends the stream', () => {
    const rig = new StreamingRig()
    const one = rig.startManagedStream(first)
    const other = rig.runApp(second)
    rig.requestManagedStream(other)
    rig.sendFromApp(one, { type: 'managed_stream_stop' })
    assert.equal(lastManagedStatus(one).status, 'stopped')
    assert.equal(lastManagedStatus(one).streamId, rig.streamId)
    assert.deepEqual(managedStatuses(other), ['active'])
    assert.deepEqual(rig.streaming.deletedInputs, [])
    rig.sendFromApp(other, { type: 'managed_stream_stop' })
    assert.deepEqual(managedStatuses(other), ['active', 'stopped'])
    for (const type of ['stop_rtmp_stream', 'stop_stream']) {
      const { appId, streamId, sessionId } = rig.glassesPeer.lastOfType(type) ?? assert.fail()
      assert.deepEqual([appId, streamId, sessionId], ['MANAGED_STREAM', rig.streamId, 'us1'])
    }
    assert.deepEqual(rig.streaming.deletedInputs, ['input1'])
    assert.equal(rig.streaming.openStreams.size, 0)
    rig.requestManagedStream(one)
    assert.equal(lastManagedStatus(one).status, 'initializing')
    assert.equal(rig.streaming.pendingCount('createInput'), 1, 'and the next request begins another')
  })

  test('STR-7: an app that stopped or was lost is no viewer', () => {
    for (const lose of [
      (rig: StreamingRig) => void rig.stopApp(first),
      (rig: StreamingRig) => {
        rig.session.detachApp(first, peers.get(rig) ?? assert.fail())
        rig.clock.advance(5_000)
      },
    ]) {
      const rig = new StreamingRig()
      peers.set(rig, rig.startManagedStream(first))
      lose(rig)
      assert.deepEqual(rig.streaming.deletedInputs, ['input1'])
      assert.equal(rig.glassesPeer.messagesOfType('stop_stream').length, 1)
    }
  })

  test('STR-8: the stream ends with the session: glasses, provider and viewers are notified', () => {
    for (const end of [
      (rig: StreamingRig) => rig.session.end(),
      (rig: StreamingRig) => rig.session.suspend(),
    ]) {
      const rig = new StreamingRig()
      const peer = rig.startManagedStream(first)
      end(rig)
      assert.equal(lastManagedStatus(peer).status, 'stopped')
      assert.equal(rig.glassesPeer.messagesOfType('stop_stream').length, 1)
      assert.deepEqual(rig.streaming.deletedInputs, ['input1'])
      assert.equal(rig.streaming.openStreams.size, 0)
      assert.equal(rig.clock.pendingTimers, 0)
    }
  })

  test('STR-8: an input that is created after its stream ended is deleted', () => {
    const rig = new StreamingRig()
    const peer = rig.runApp(first)
    rig.requestManagedStream(peer)
    rig.sendFromApp(peer, { type: 'managed_stream_stop' })
    rig.streaming.completeCreateInput()
    assert.deepEqual(rig.streaming.deletedInputs, ['input1'])
    rig.requestManagedStream(peer)
    rig.session.end()
    rig.streaming.completeCreateInput()
    assert.deepEqual(rig.streaming.deletedInputs, ['input1', 'input2'])
    assert.deepEqual(rig.glassesPeer.messagesOfType('start_stream'), [])
  })

  test('STR-9 STR-10: statuses of the glasses are mapped and sent to viewers, repeated ones are not', () => {
    const rig = new StreamingRig()
    const peer = rig.startManagedStream(first)
    const before = managedStatuses(peer).length
    for (const status of [
      'active',
      'streaming',
      'reconnecting',
      'connecting',
      'reconnected',
      'stopping',
      'stopping',
      'stopped',
    ])
      rig.reportStreamStatus(status)
    assert.deepEqual(managedStatuses(peer).slice(before), ['initializing', 'active', 'stopping', 'stopped'])
    assert.equal(peer.messagesOfType('managed_stream_status').at(-3)?.hlsUrl, 'https://in.test/input1.m3u8')
    assert.deepEqual(rig.streaming.deletedInputs, ['input1'])
  })

  test('STR-10: a stream that fails on the glasses ends with error and their reason', () => {
    for (const [status, message] of [
      ['error', 'the battery is low'],
      ['reconnect_failed', 'The glasses failed to stream'],
      ['timeout', 'The stream timed out on the glasses'],
    ] as const) {
      const rig = new StreamingRig()
      const peer = rig.startManagedStream(first)
      rig.reportStreamStatus(status, status === 'error' ? { errorDetails: message } : {})
      assert.equal(lastManagedStatus(peer).status, 'error')
      assert.equal(lastManagedStatus(peer).message, message)
      assert.deepEqual(rig.streaming.deletedInputs, ['input1'])
      rig.requestManagedStream(peer)
      assert.equal(lastManagedStatus(peer).status, 'initializing')
    }
    const rig = new StreamingRig()
    const peer = rig.startManagedStream(first)
    rig.reportStreamStatus('disconnected')
    assert.equal(lastManagedStatus(peer).status, 'stopped')
  })

  test('STR-11: a stream that is not playable within a minute ends with error', () => {
    const rig = new StreamingRig()
    const peer = rig.runApp(first)
    rig.requestManagedStream(peer)
    rig.streaming.completeCreateInput()
    for (let passed = 0; passed < 59_000; passed += 1_000) {
      rig.clock.advance(1_000)
      rig.acknowledgeKeepAlive(String(rig.glassesPeer.lastOfType('keep_stream_alive')?.ackId))
      rig.reportStreamStatus('connecting')
    }
    assert.deepEqual(managedStatuses(peer), ['initializing'])
    rig.clock.advance(1_000)
    assert.deepEqual(managedStatuses(peer), ['initializing', 'error'])
    assert.deepEqual(rig.streaming.deletedInputs, ['input1'])
    assert.equal(rig.glassesPeer.messagesOfType('stop_stream').length, 1)
    rig.session.detachGlasses(rig.glassesPeer)
  })

  test('STR-12: a provider that fails to create an input ends the stream with error', () => {
    const rig = new StreamingRig()
    const peer = rig.runApp(first)
    rig.requestManagedStream(peer)
    rig.streaming.failCall('createInput')
    assert.deepEqual(managedStatuses(peer), ['initializing', 'error'])
    assert.equal(lastManagedStatus(peer).code, 'STREAMING_PROVIDER_ERROR')
    assert.equal(rig.streaming.openStreams.size, 0)
  })

  test('STR-13: an app that stops without viewing receives stopped, too', () => {
    const rig = new StreamingRig()
    const peer = rig.runApp(first)
    rig.sendFromApp(peer, { type: 'managed_stream_stop' })
    assert.deepEqual(managedStatuses(peer), ['stopped'])
  })

  test('STR-14: an app that reconnects receives the last status', () => {
    const rig = new StreamingRig()
    const peer = rig.startManagedStream(first)
    rig.session.detachApp(first, peer)
    rig.reportStreamStatus('stopped')
    const again = rig.connectApp(first)
    assert.ok(again)
    assert.deepEqual(managedStatuses(again), ['stopped'])
    rig.stopApp(first)
    rig.answerWebhooks('stop_request')
    assert.deepEqual(managedStatuses(rig.runApp(first)), [], 'a new app session receives no earlier status')
  })

  test('STR-15: an app that loses the permission CAMERA is removed from the viewers', () => {
    const rig = new StreamingRig()
    const peer = rig.startManagedStream(first)
    const app = rig.apps.get(first) ?? assert.fail()
    rig.session.updateApp(app)
    assert.deepEqual(rig.streaming.deletedInputs, [])
    rig.session.updateApp({ ...app, permissions: [] })
    assert.equal(lastManagedStatus(peer).status, 'stopped')
    assert.deepEqual(rig.streaming.deletedInputs, ['input1'])
  })

  test("STR-16: the provider's notice is part of every status", () => {
    const rig = new StreamingRig()
    rig.streaming.notice = 'nothing is streamed'
    const peer = rig.startManagedStream(first)
    assert.deepEqual(
      peer.messagesOfType('managed_stream_status').map(({ message }) => message),
      ['nothing is streamed', 'nothing is streamed', 'nothing is streamed'],
    )
  })
})

const peers = new Map<StreamingRig, ReturnType<StreamingRig['runApp']>>()
