import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { blind, first, lastManaged, managed, StreamingRig, second } from '../../testing/streaming-rig.ts'

describe('managed streams', () => {
  test('STR-1: an app gets none, and hears why, where it may not or the glasses cannot stream', () => {
    const rig = new StreamingRig()
    const refused = (code: string, packageName: string = first) => {
      const peer = rig.run(packageName)
      rig.request(peer)
      const { status, message } = lastManaged(peer)
      assert.deepEqual([status, lastManaged(peer).code], ['error', code])
      assert.ok(message)
      assert.equal(peer.closed, undefined)
      rig.stop(packageName)
      rig.takeWebhooks('stop_request')
    }
    refused('PERMISSION_DENIED', blind)
    rig.session.glassesDevice.report({ wifiConnected: false })
    refused('WIFI_NOT_CONNECTED')
    rig.session.glassesDevice.report({ modelName: 'Even Realities G1' })
    refused('NO_CAMERA')
    rig.session.glassesDevice.report({ modelName: 'Vuzix Z100', connected: false })
    refused('GLASSES_DISCONNECTED')
    rig.session.detachGlasses(rig.glassesPeer)
    refused('PHONE_DISCONNECTED')
    assert.equal(rig.streaming.count('createInput'), 0)
    assert.deepEqual(rig.glassesPeer.of('start_rtmp_stream'), [])
  })

  test('STR-2: without a streaming provider the app hears that none is configured', () => {
    const rig = new StreamingRig(false)
    const peer = rig.run(first)
    rig.request(peer)
    assert.deepEqual(managed(peer), ['error'])
    assert.equal(lastManaged(peer).message, 'No streaming provider is configured')
  })

  test('STR-3: the first viewer hears at once of the stream; the glasses are told under both names', () => {
    const rig = new StreamingRig()
    const peer = rig.run(first)
    rig.request(peer, { quality: '720p', video: { frameRate: 15 }, stream: { durationLimit: 60 } })
    assert.deepEqual(managed(peer), ['initializing'])
    assert.deepEqual(rig.glassesPeer.of('start_stream'), [])
    rig.streaming.created()
    const { type: _, rtmpUrl, ...start } = rig.glassesPeer.last('start_rtmp_stream') ?? { type: '' }
    assert.equal(rtmpUrl, 'rtmp://in.test/live/input1')
    assert.match(String(start.streamId), /^s[0-9a-z]{10}$/)
    assert.deepEqual(start, {
      sessionId: 'us1',
      appId: 'MANAGED_STREAM',
      streamId: lastManaged(peer).streamId,
      video: { width: 1280, height: 720, frameRate: 15 },
      audio: {},
      stream: { durationLimit: 60 },
      timestamp: start.timestamp,
    })
    assert.deepEqual(rig.glassesPeer.last('start_stream'), {
      type: 'start_stream',
      streamUrl: rtmpUrl,
      ...start,
    })
    assert.deepEqual([...rig.streaming.open], [start.streamId])
  })

  test('STR-4: it is active once the glasses stream and it can be watched, with addresses for HLS and DASH', () => {
    const rig = new StreamingRig()
    const peer = rig.run(first)
    rig.request(peer)
    rig.streaming.created()
    assert.equal(rig.streaming.count('isReady'), 0)
    rig.reports('streaming')
    assert.deepEqual(managed(peer), ['initializing', 'preparing'])
    rig.streaming.ready(false)
    rig.clock.advance(2_000)
    rig.streaming.fail('isReady')
    rig.clock.advance(2_000)
    assert.equal(lastManaged(peer).hlsUrl, undefined)
    rig.streaming.ready()
    assert.deepEqual(managed(peer), ['initializing', 'preparing', 'active'])
    const { hlsUrl, dashUrl } = lastManaged(peer)
    assert.deepEqual([hlsUrl, dashUrl], ['https://in.test/input1.m3u8', 'https://in.test/input1.mpd'])
    assert.doesNotMatch(JSON.stringify(peer.sent), /rtmp:\/\/in\.test/)
  })

  test('STR-5: a second app joins the one stream and has its addresses at once', () => {
    const rig = new StreamingRig()
    const one = rig.watch(first)
    const other = rig.run(second)
    rig.request(other)
    assert.deepEqual(managed(other), ['active'])
    assert.deepEqual({ ...lastManaged(other), timestamp: '' }, { ...lastManaged(one), timestamp: '' })
    assert.equal(rig.streaming.count('createInput'), 0)
    assert.equal(rig.glassesPeer.of('start_stream').length, 1)
  })

  test('STR-6: who stops hears so and leaves; the last one out ends the stream', () => {
    const rig = new StreamingRig()
    const one = rig.watch(first)
    const other = rig.run(second)
    rig.request(other)
    rig.says(one, { type: 'managed_stream_stop' })
    assert.equal(lastManaged(one).status, 'stopped')
    assert.equal(lastManaged(one).streamId, rig.streamId)
    assert.deepEqual(managed(other), ['active'])
    assert.deepEqual(rig.streaming.deleted, [])
    rig.says(other, { type: 'managed_stream_stop' })
    assert.deepEqual(managed(other), ['active', 'stopped'])
    for (const type of ['stop_rtmp_stream', 'stop_stream']) {
      const { appId, streamId, sessionId } = rig.glassesPeer.last(type) ?? assert.fail()
      assert.deepEqual([appId, streamId, sessionId], ['MANAGED_STREAM', rig.streamId, 'us1'])
    }
    assert.deepEqual(rig.streaming.deleted, ['input1'])
    assert.equal(rig.streaming.open.size, 0)
    rig.request(one)
    assert.equal(lastManaged(one).status, 'initializing')
    assert.equal(rig.streaming.count('createInput'), 1, 'and the next request begins another')
  })

  test('STR-7: an app that was stopped, or is lost, views no more', () => {
    for (const lose of [
      (rig: StreamingRig) => void rig.stop(first),
      (rig: StreamingRig) => {
        rig.session.detachApp(first, peers.get(rig) ?? assert.fail())
        rig.clock.advance(5_000)
      },
    ]) {
      const rig = new StreamingRig()
      peers.set(rig, rig.watch(first))
      lose(rig)
      assert.deepEqual(rig.streaming.deleted, ['input1'])
      assert.equal(rig.glassesPeer.of('stop_stream').length, 1)
    }
  })

  test('STR-8: with the session ends the stream: glasses, provider and viewers are told', () => {
    for (const end of [
      (rig: StreamingRig) => rig.session.end(),
      (rig: StreamingRig) => rig.session.suspend(),
    ]) {
      const rig = new StreamingRig()
      const peer = rig.watch(first)
      end(rig)
      assert.equal(lastManaged(peer).status, 'stopped')
      assert.equal(rig.glassesPeer.of('stop_stream').length, 1)
      assert.deepEqual(rig.streaming.deleted, ['input1'])
      assert.equal(rig.streaming.open.size, 0)
      assert.equal(rig.clock.pending, 0)
    }
  })

  test('STR-8: an input that comes after its stream is over is deleted', () => {
    const rig = new StreamingRig()
    const peer = rig.run(first)
    rig.request(peer)
    rig.says(peer, { type: 'managed_stream_stop' })
    rig.streaming.created()
    assert.deepEqual(rig.streaming.deleted, ['input1'])
    rig.request(peer)
    rig.session.end()
    rig.streaming.created()
    assert.deepEqual(rig.streaming.deleted, ['input1', 'input2'])
    assert.deepEqual(rig.glassesPeer.of('start_stream'), [])
  })

  test('STR-9 STR-10: statuses of the glasses reach the viewers in their words, repeats do not', () => {
    const rig = new StreamingRig()
    const peer = rig.watch(first)
    const before = managed(peer).length
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
      rig.reports(status)
    assert.deepEqual(managed(peer).slice(before), ['initializing', 'active', 'stopping', 'stopped'])
    assert.equal(peer.of('managed_stream_status').at(-3)?.hlsUrl, 'https://in.test/input1.m3u8')
    assert.deepEqual(rig.streaming.deleted, ['input1'])
  })

  test('STR-10: a stream that the glasses cannot go on with ends in error, with their reason', () => {
    for (const [status, message] of [
      ['error', 'the battery is low'],
      ['reconnect_failed', 'The glasses could not stream'],
      ['timeout', 'The stream of the glasses timed out'],
    ] as const) {
      const rig = new StreamingRig()
      const peer = rig.watch(first)
      rig.reports(status, status === 'error' ? { errorDetails: message } : {})
      assert.equal(lastManaged(peer).status, 'error')
      assert.equal(lastManaged(peer).message, message)
      assert.deepEqual(rig.streaming.deleted, ['input1'])
      rig.request(peer)
      assert.equal(lastManaged(peer).status, 'initializing')
    }
    const rig = new StreamingRig()
    const peer = rig.watch(first)
    rig.reports('disconnected')
    assert.equal(lastManaged(peer).status, 'stopped')
  })

  test('STR-11: a stream that cannot be watched within a minute ends in error', () => {
    const rig = new StreamingRig()
    const peer = rig.run(first)
    rig.request(peer)
    rig.streaming.created()
    for (let passed = 0; passed < 59_000; passed += 1_000) {
      rig.clock.advance(1_000)
      rig.acknowledges(String(rig.glassesPeer.last('keep_stream_alive')?.ackId))
      rig.reports('connecting')
    }
    assert.deepEqual(managed(peer), ['initializing'])
    rig.clock.advance(1_000)
    assert.deepEqual(managed(peer), ['initializing', 'error'])
    assert.deepEqual(rig.streaming.deleted, ['input1'])
    assert.equal(rig.glassesPeer.of('stop_stream').length, 1)
    rig.session.detachGlasses(rig.glassesPeer)
  })

  test('STR-12: a provider that cannot take the stream ends it in error', () => {
    const rig = new StreamingRig()
    const peer = rig.run(first)
    rig.request(peer)
    rig.streaming.fail('createInput')
    assert.deepEqual(managed(peer), ['initializing', 'error'])
    assert.equal(lastManaged(peer).code, 'STREAMING_PROVIDER_ERROR')
    assert.equal(rig.streaming.open.size, 0)
  })

  test('STR-13: who stops without viewing hears all the same that it is stopped', () => {
    const rig = new StreamingRig()
    const peer = rig.run(first)
    rig.says(peer, { type: 'managed_stream_stop' })
    assert.deepEqual(managed(peer), ['stopped'])
  })

  test('STR-14: an app whose socket was away hears the last word when it is back', () => {
    const rig = new StreamingRig()
    const peer = rig.watch(first)
    rig.session.detachApp(first, peer)
    rig.reports('stopped')
    const again = rig.connect(first)
    assert.ok(again)
    assert.deepEqual(managed(again), ['stopped'])
    rig.stop(first)
    rig.takeWebhooks('stop_request')
    assert.deepEqual(managed(rig.run(first)), [], 'a new session of the app has heard nothing')
  })

  test('STR-15: an app that may not use the camera any more views no more', () => {
    const rig = new StreamingRig()
    const peer = rig.watch(first)
    const app = rig.apps.get(first) ?? assert.fail()
    rig.session.appChanged(app)
    assert.deepEqual(rig.streaming.deleted, [])
    rig.session.appChanged({ ...app, permissions: [] })
    assert.equal(lastManaged(peer).status, 'stopped')
    assert.deepEqual(rig.streaming.deleted, ['input1'])
  })

  test('STR-16: what everybody should know of the provider is in its answers', () => {
    const rig = new StreamingRig()
    rig.streaming.notice = 'nothing is streamed'
    const peer = rig.watch(first)
    assert.deepEqual(
      peer.of('managed_stream_status').map(({ message }) => message),
      ['nothing is streamed', 'nothing is streamed', 'nothing is streamed'],
    )
  })
})

const peers = new Map<StreamingRig, ReturnType<StreamingRig['run']>>()
