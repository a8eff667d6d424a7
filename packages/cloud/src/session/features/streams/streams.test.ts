import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  blind,
  first,
  lastManaged,
  managed,
  rtmp,
  StreamingRig,
  second,
} from '../../testing/streaming-rig.ts'

const key = 'rtmp://tv.test/app/secret'

describe('RTMP streams', () => {
  test('STR-30: the owner hears raw and every subscriber wrapped; the glasses are told under both names', () => {
    const rig = new StreamingRig()
    const owner = rig.run(first)
    const other = rig.run(second)
    rig.subscribe(other, 'rtmp_stream_status')
    rig.says(owner, {
      type: 'rtmp_stream_request',
      rtmpUrl: key,
      video: { width: 640 },
      audio: { echoCancellation: true },
    })
    rig.reports('streaming', { stats: { fps: 15 } })
    assert.deepEqual(rtmp(owner), ['initializing', 'active'])
    assert.deepEqual(rtmp(other), [])
    const frames = other.of('data_stream').map(({ streamType, data }) => [streamType, data])
    assert.deepEqual(
      frames.filter(([streamType]) => streamType === 'rtmp_stream_status'),
      owner.of('rtmp_stream_status').map((status) => ['rtmp_stream_status', status]),
    )
    const { streamId, stats, appId } = owner.last('rtmp_stream_status') ?? assert.fail()
    assert.deepEqual([streamId, stats, appId], [rig.streamId, { fps: 15 }, first])
    const start = rig.glassesPeer.last('start_rtmp_stream') ?? assert.fail()
    assert.deepEqual(
      [start.rtmpUrl, start.appId, start.video, start.audio],
      [key, first, { width: 640 }, { echoCancellation: true }],
    )
    assert.equal(rig.glassesPeer.last('start_stream')?.streamUrl, key)
  })

  test('STR-31: a refused request is answered with a status of error; the address must be one of RTMP', () => {
    const rig = new StreamingRig()
    const peer = rig.run(first)
    for (const url of ['http://tv.test/app', 'rtmp://', 'tv', '', 'srt://tv.test/a']) {
      rig.requestRtmp(peer, url)
      assert.equal(peer.last('rtmp_stream_status')?.code, 'INVALID_URL', url)
    }
    const other = rig.run(blind)
    rig.requestRtmp(other)
    const { status, code, errorDetails } = other.last('rtmp_stream_status') ?? assert.fail()
    assert.deepEqual([status, code], ['error', 'PERMISSION_DENIED'])
    assert.ok(errorDetails)
    assert.deepEqual(rig.glassesPeer.of('start_rtmp_stream'), [])
  })

  test('STR-32: an RTMP stream takes the place of any stream there is, whose apps hear that it stopped', () => {
    const rig = new StreamingRig()
    const viewer = rig.watch(first)
    const managedId = rig.streamId
    const owner = rig.run(second)
    rig.clock.advance(10)
    rig.requestRtmp(owner)
    assert.equal(lastManaged(viewer).status, 'stopped')
    assert.deepEqual(rig.streaming.deleted, ['input1'])
    const rtmpId = rig.streamId
    rig.clock.advance(10)
    rig.requestRtmp(viewer)
    assert.deepEqual(rtmp(owner), ['initializing', 'stopped'])
    assert.deepEqual(rtmp(viewer), ['initializing'])
    assert.deepEqual(
      rig.glassesPeer.of('stop_rtmp_stream').map(({ streamId }) => streamId),
      [managedId, rtmpId],
    )
  })

  test('STR-32: while an RTMP stream runs a managed one is refused', () => {
    const rig = new StreamingRig()
    const owner = rig.run(first)
    rig.requestRtmp(owner)
    const other = rig.run(second)
    rig.request(other)
    assert.deepEqual(managed(other), ['error'])
    assert.equal(lastManaged(other).code, 'STREAM_CONFLICT')
    assert.deepEqual(rtmp(owner), ['initializing'])
    rig.says(owner, { type: 'rtmp_stream_stop' })
    rig.request(other)
    assert.equal(lastManaged(other).status, 'initializing')
  })

  test('STR-33: only the owner stops it, by its id or without; who stops nothing hears all the same', () => {
    const rig = new StreamingRig()
    const owner = rig.run(first)
    const other = rig.run(second)
    rig.requestRtmp(owner)
    rig.says(other, { type: 'rtmp_stream_stop', streamId: rig.streamId })
    rig.says(owner, { type: 'rtmp_stream_stop', streamId: 'sother' })
    assert.deepEqual(rig.glassesPeer.of('stop_rtmp_stream'), [])
    assert.deepEqual(rtmp(other), ['stopped'])
    assert.equal(owner.last('rtmp_stream_status')?.streamId, 'sother')
    rig.says(owner, { type: 'rtmp_stream_stop', streamId: rig.streamId })
    assert.deepEqual(rtmp(owner), ['initializing', 'stopped', 'stopped'])
    assert.equal(owner.last('rtmp_stream_status')?.streamId, rig.streamId)
    assert.equal(rig.glassesPeer.of('stop_stream').length, 1)
    rig.requestRtmp(owner)
    rig.stop(first)
    assert.equal(rig.glassesPeer.of('stop_stream').length, 2, 'and with its app it stops')
    rig.requestRtmp(rig.run(second))
    rig.session.end()
    assert.equal(rig.glassesPeer.of('stop_stream').length, 3, 'and with the session')
  })

  test('STR-34: apps hear the statuses of the glasses in their words; why it failed is beside', () => {
    const heard = (...statuses: string[]) => {
      const rig = new StreamingRig()
      const peer = rig.run(first)
      rig.requestRtmp(peer)
      for (const status of statuses) rig.reports(status, { errorDetails: 'why' })
      assert.equal(peer.last('rtmp_stream_status')?.errorDetails, 'why')
      return rtmp(peer).slice(1)
    }
    assert.deepEqual(heard('initializing', 'connecting', 'reconnecting'), [
      'initializing',
      'initializing',
      'initializing',
    ])
    assert.deepEqual(heard('active', 'streaming', 'reconnected'), ['active', 'active', 'active'])
    assert.deepEqual(heard('stopping', 'stopped'), ['stopping', 'stopped'])
    for (const status of ['disconnected', 'error', 'reconnect_failed', 'unknown'])
      assert.deepEqual(heard(status, 'streaming'), ['stopped'], status)
    assert.deepEqual(heard('timeout', 'streaming'), ['timeout'])
  })
})

describe('statuses of the glasses', () => {
  test('STR-40: a status without a stream is of the one that starts, and of none that runs', () => {
    const rig = new StreamingRig()
    const peer = rig.run(first)
    rig.requestRtmp(peer)
    rig.reports('error', { streamId: null, errorDetails: 'no Wi-Fi' })
    assert.deepEqual(rtmp(peer), ['initializing', 'stopped'])
    assert.equal(peer.last('rtmp_stream_status')?.errorDetails, 'no Wi-Fi')
    rig.requestRtmp(peer)
    rig.reports('streaming')
    rig.reports('error', { streamId: null })
    assert.equal(rtmp(peer).at(-1), 'active')
  })

  test('STR-41: what glasses say of another stream, or late of the one before, changes nothing', () => {
    const rig = new StreamingRig()
    const peer = rig.run(first)
    rig.requestRtmp(peer)
    const before = rig.streamId
    rig.clock.advance(10)
    rig.requestRtmp(peer)
    rig.reports('stopped', { streamId: before })
    rig.reports('stopping', { streamId: null })
    rig.reports('stopped', { streamId: null })
    rig.reports('error', { streamId: 'sother' })
    rig.reports('blinking')
    assert.deepEqual(rtmp(peer), ['initializing', 'stopped', 'initializing'])
    rig.reports('streaming')
    assert.equal(rtmp(peer).at(-1), 'active')
  })

  test('STR-42: newer phones say stream_status', () => {
    const rig = new StreamingRig()
    const peer = rig.run(first)
    rig.requestRtmp(peer)
    rig.session.fromGlasses(rig.glassesPeer, {
      type: 'stream_status',
      streamId: rig.streamId,
      status: 'streaming',
    })
    assert.deepEqual(rtmp(peer), ['initializing', 'active'])
  })
})

describe('the look at streams', () => {
  const check = (rig: StreamingRig, peer: ReturnType<StreamingRig['run']>) => {
    rig.says(peer, { type: 'stream_status_check' })
    return peer.last('stream_status_check_response') ?? assert.fail()
  }

  test('STR-50: every check is answered once, in order, with the stream there is', () => {
    const rig = new StreamingRig()
    const peer = rig.run(first)
    assert.equal(check(rig, peer).hasActiveStream, false)
    assert.equal(check(rig, peer).streamInfo, undefined)
    rig.request(peer)
    const { hasActiveStream, streamInfo } = check(rig, peer)
    assert.equal(hasActiveStream, true)
    assert.deepEqual(streamInfo, {
      type: 'managed',
      streamId: lastManaged(peer).streamId,
      status: 'initializing',
      createdAt: new Date(rig.clock.now()).toISOString(),
      activeViewers: 1,
    })
    rig.streaming.created()
    rig.reports('streaming')
    rig.streaming.ready()
    const active = check(rig, peer).streamInfo as Record<string, unknown>
    assert.deepEqual([active.status, active.hlsUrl], ['active', 'https://in.test/input1.m3u8'])
    assert.equal(peer.of('stream_status_check_response').length, 4)
  })

  test('STR-51: whoever may not use the camera sees no stream, and only the owner sees the key of its own', () => {
    const rig = new StreamingRig()
    const owner = rig.run(first)
    rig.requestRtmp(owner)
    const info = (peer: typeof owner) => check(rig, peer).streamInfo as Record<string, unknown> | undefined
    assert.equal(info(rig.run(blind)), undefined)
    assert.equal(info(owner)?.rtmpUrl, key)
    const other = info(rig.run(second))
    assert.deepEqual(
      [other?.type, other?.requestingAppId, other?.rtmpUrl],
      ['unmanaged', first, 'rtmp://tv.test/app/****'],
    )
  })

  test('STR-51: what the glasses say of a failure holds no key', () => {
    const rig = new StreamingRig()
    const owner = rig.run(first)
    const other = rig.run(second)
    rig.subscribe(other, 'rtmp_stream_status')
    rig.requestRtmp(owner)
    rig.reports('error', { errorDetails: `cannot reach ${key} now` })
    const heard = other.of('data_stream').at(-1)?.data as { errorDetails?: string } | undefined
    assert.equal(heard?.errorDetails, 'cannot reach rtmp://tv.test/app/**** now')
  })
})
