import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { SeededRandom } from '../../simulation/fixtures.ts'
import type { RecordingPeer } from '../../testing/recording-peer.ts'
import {
  first,
  lastManagedStatus,
  managedStatuses,
  NO_CAMERA_APP,
  rtmpStatuses,
  StreamingRig,
  second,
} from '../../testing/streaming-rig.ts'
import { VideoStreams } from './video-streams.ts'

const SCHEDULES = 2_000
const packages = [first, second] as const
const statuses = ['initializing', 'streaming', 'reconnecting', 'stopping', 'stopped', 'error', 'timeout']

/** Runs requests, responses and faults in random order, then ends the session. */
function schedule(seed: number): void {
  const random = new SeededRandom(seed)
  const rig = new StreamingRig()
  const { streaming, session, clock } = rig
  streaming.delaysReservations = random.chance(0.5)
  const peers = new Map<string, RecordingPeer>()
  const requested = { add: 0, remove: 0, list: 0 }
  const answered = { add: 0, remove: 0, list: 0 }
  let inputs = 0

  const completeOne = () => {
    const { operation } = streaming.pendingCalls[0] ?? {}
    if (operation === undefined) return
    if (random.chance(0.2)) return streaming.failCall(operation)
    if (operation === 'createInput') {
      inputs += 1
      streaming.completeCreateInput()
    } else if (operation === 'isReady') streaming.completeIsReady(random.chance(0.7))
    else if (operation === 'addOutput') streaming.completeAddOutput(`at${random.below(1_000)}`)
    else if (operation === 'removeOutput') streaming.completeRemoveOutput()
    else streaming.completeListOutputs()
  }
  const withPeer = (act: (peer: RecordingPeer, packageName: string) => void) => {
    const packageName = random.pick(packages)
    const peer = peers.get(packageName)
    const { activeApps, apps } = session.appState
    if (peer && activeApps.includes(packageName)) act(peer, packageName)
    else if (!apps.some((app) => app.packageName === packageName)) {
      peers.set(packageName, rig.runApp(packageName))
    }
  }
  const streamId = () => [...streaming.openStreams][0] ?? 'gone'
  const steps: (() => void)[] = [
    () => clock.advance(random.below(3_000)),
    () => clock.advance(random.below(30_000)),
    completeOne,
    completeOne,
    completeOne,
    () => streaming.pendingReservations.shift()?.(),
    () => streaming.pendingReservations.shift()?.(),
    () =>
      withPeer((peer) =>
        rig.requestManagedStream(peer, { restreamDestinations: [{ url: `rtmp://a/b/${random.below(9)}` }] }),
      ),
    () => withPeer((peer) => rig.requestManagedStream(peer)),
    () => withPeer((peer) => rig.sendFromApp(peer, { type: 'managed_stream_stop' })),
    () => random.chance(0.3) && withPeer((peer) => rig.requestRtmpStream(peer)),
    () => withPeer((peer) => rig.sendFromApp(peer, { type: 'rtmp_stream_stop' })),
    () => rig.reportStreamStatus(random.pick(statuses), random.chance(0.2) ? { streamId: null } : {}),
    () => rig.reportStreamStatus('streaming'),
    () => rig.acknowledgeKeepAlive(String(rig.glassesPeer.lastOfType('keep_stream_alive')?.ackId)),
    () => {
      requested.add += 1
      const url = `rtmp://a/b/${random.below(9)}`
      session.part(VideoStreams).addOutput(streamId(), random.pick(packages), { url }, () => {
        answered.add += 1
      })
    },
    () => {
      requested.remove += 1
      const output = `o${1 + random.below(5)}`
      session.part(VideoStreams).removeOutput(streamId(), random.pick(packages), output, () => {
        answered.remove += 1
      })
    },
    () => {
      requested.list += 1
      session.part(VideoStreams).outputs(streamId(), random.pick(packages), () => {
        answered.list += 1
      })
    },
    () => {
      if (!random.chance(0.1)) return
      rig.stopApp(random.pick(packages))
      rig.answerWebhooks('stop_request')
    },
  ]

  for (const packageName of packages) peers.set(packageName, rig.runApp(packageName))
  for (let step = 0; step < 60 && !session.isEnded; step += 1) {
    random.pick(steps)()
    assert.ok(streaming.openStreams.size <= 1, 'a user has one managed stream at most')
    for (const count of streaming.outputCounts.values()) assert.ok(count >= 0 && count <= 10)
  }
  session.end()
  for (const reserve of streaming.pendingReservations.splice(0)) reserve()
  while (streaming.pendingCalls.length > 0) completeOne()

  assert.equal(streaming.openStreams.size, 0, 'no stream is registered')
  assert.deepEqual(
    [...streaming.deletedInputs].sort(),
    Array.from({ length: inputs }, (_, n) => `input${n + 1}`).sort(),
    'every input was deleted, once',
  )
  for (const count of streaming.outputCounts.values())
    assert.equal(count, 0, 'every reservation was released')
  assert.deepEqual(answered, requested, 'every request was answered, once')
  const ids = (type: string) => rig.glassesPeer.messagesOfType(type).map((message) => message.streamId)
  assert.deepEqual(
    new Set(ids('stop_stream')),
    new Set(ids('start_stream')),
    'the glasses received a stop for each start',
  )
  assert.equal(clock.pendingTimers, 0, 'no timer outlives the session')
}

test('STR-78: no order of requests, responses and faults leaks inputs, reservations, callbacks or timers', () => {
  const begin = Math.floor(Date.now() / 1_000) % 1_000_000_000
  for (let seed = begin; seed < begin + SCHEDULES; seed += 1) {
    try {
      schedule(seed)
    } catch (cause) {
      throw new Error(`seed ${seed}: ${(cause as Error).message}`, { cause })
    }
  }
})

const key = 'rtmp://tv.test/app/secret'

describe('RTMP streams', () => {
  test('STR-30: messages to owner, subscribers and glasses', () => {
    const rig = new StreamingRig()
    const owner = rig.runApp(first)
    const other = rig.runApp(second)
    rig.subscribe(other, 'rtmp_stream_status')
    rig.sendFromApp(owner, {
      type: 'rtmp_stream_request',
      rtmpUrl: key,
      video: { width: 640 },
      audio: { echoCancellation: true },
    })
    rig.reportStreamStatus('streaming', { stats: { fps: 15 } })
    assert.deepEqual(rtmpStatuses(owner), ['initializing', 'active'])
    assert.deepEqual(rtmpStatuses(other), [])
    const frames = other.messagesOfType('data_stream').map(({ streamType, data }) => [streamType, data])
    assert.deepEqual(
      frames.filter(([streamType]) => streamType === 'rtmp_stream_status'),
      owner.messagesOfType('rtmp_stream_status').map((status) => ['rtmp_stream_status', status]),
    )
    const { streamId, stats, appId } = owner.lastOfType('rtmp_stream_status') ?? assert.fail()
    assert.deepEqual([streamId, stats, appId], [rig.streamId, { fps: 15 }, first])
    const start = rig.glassesPeer.lastOfType('start_rtmp_stream') ?? assert.fail()
    assert.deepEqual(
      [start.rtmpUrl, start.appId, start.video, start.audio],
      [key, first, { width: 640 }, { echoCancellation: true }],
    )
    assert.equal(rig.glassesPeer.lastOfType('start_stream')?.streamUrl, key)
  })

  test('STR-139: the start is sent again to a phone that reconnected, until the glasses have reported on the stream', () => {
    const rig = new StreamingRig()
    rig.requestRtmpStream(rig.runApp(first))
    const { streamId } = rig
    const next = rig.connectGlasses()
    const started = () => next.messagesOfType('start_stream').map((message) => message.streamId)
    assert.deepEqual(started(), [streamId])
    rig.session.handleGlassesMessage(next, { type: 'stream_status', streamId, status: 'streaming' })
    assert.deepEqual(rig.connectGlasses().messagesOfType('start_stream'), [])
  })

  test('STR-31: missing permission and invalid URLs', () => {
    const rig = new StreamingRig()
    const peer = rig.runApp(first)
    for (const url of ['http://tv.test/app', 'rtmp://', 'tv', '', 'srt://tv.test/a']) {
      rig.requestRtmpStream(peer, url)
      assert.equal(peer.lastOfType('rtmp_stream_status')?.code, 'INVALID_URL', url)
    }
    const other = rig.runApp(NO_CAMERA_APP)
    rig.requestRtmpStream(other)
    const { status, code, errorDetails } = other.lastOfType('rtmp_stream_status') ?? assert.fail()
    assert.deepEqual([status, code], ['error', 'PERMISSION_DENIED'])
    assert.ok(errorDetails)
    assert.deepEqual(rig.glassesPeer.messagesOfType('start_rtmp_stream'), [])
  })

  test('STR-32: an RTMP stream after a managed and an RTMP stream', () => {
    const rig = new StreamingRig()
    const viewer = rig.startManagedStream(first)
    const managedId = rig.streamId
    const owner = rig.runApp(second)
    rig.clock.advance(10)
    rig.requestRtmpStream(owner)
    assert.equal(lastManagedStatus(viewer).status, 'stopped')
    assert.deepEqual(rig.streaming.deletedInputs, ['input1'])
    const rtmpId = rig.streamId
    rig.clock.advance(10)
    rig.requestRtmpStream(viewer)
    assert.deepEqual(rtmpStatuses(owner), ['initializing', 'stopped'])
    assert.deepEqual(rtmpStatuses(viewer), ['initializing'])
    assert.deepEqual(
      rig.glassesPeer.messagesOfType('stop_rtmp_stream').map(({ streamId }) => streamId),
      [managedId, rtmpId],
    )
  })

  test('STR-32: a managed stream is rejected while an RTMP stream runs', () => {
    const rig = new StreamingRig()
    const owner = rig.runApp(first)
    rig.requestRtmpStream(owner)
    const other = rig.runApp(second)
    rig.requestManagedStream(other)
    assert.deepEqual(managedStatuses(other), ['error'])
    assert.equal(lastManagedStatus(other).code, 'STREAM_CONFLICT')
    assert.deepEqual(rtmpStatuses(owner), ['initializing'])
    rig.sendFromApp(owner, { type: 'rtmp_stream_stop' })
    rig.requestManagedStream(other)
    assert.equal(lastManagedStatus(other).status, 'initializing')
  })

  test('STR-33: stops by the owner and by another app', () => {
    const rig = new StreamingRig()
    const owner = rig.runApp(first)
    const other = rig.runApp(second)
    rig.requestRtmpStream(owner)
    rig.sendFromApp(other, { type: 'rtmp_stream_stop', streamId: rig.streamId })
    rig.sendFromApp(owner, { type: 'rtmp_stream_stop', streamId: 'sother' })
    assert.deepEqual(rig.glassesPeer.messagesOfType('stop_rtmp_stream'), [])
    assert.deepEqual(rtmpStatuses(other), ['stopped'])
    assert.equal(owner.lastOfType('rtmp_stream_status')?.streamId, 'sother')
    rig.sendFromApp(owner, { type: 'rtmp_stream_stop', streamId: rig.streamId })
    assert.deepEqual(rtmpStatuses(owner), ['initializing', 'stopped', 'stopped'])
    assert.equal(owner.lastOfType('rtmp_stream_status')?.streamId, rig.streamId)
    assert.equal(rig.glassesPeer.messagesOfType('stop_stream').length, 1)
    rig.requestRtmpStream(owner)
    rig.stopApp(first)
    assert.equal(rig.glassesPeer.messagesOfType('stop_stream').length, 2, 'it stops with its app')
    rig.requestRtmpStream(rig.runApp(second))
    rig.session.end()
    assert.equal(rig.glassesPeer.messagesOfType('stop_stream').length, 3, 'it stops with the session')
  })

  test('STR-34: statuses of the glasses are mapped for apps, with the reason of a failure', () => {
    const statusesFor = (...statuses: string[]) => {
      const rig = new StreamingRig()
      const peer = rig.runApp(first)
      rig.requestRtmpStream(peer)
      for (const status of statuses) rig.reportStreamStatus(status, { errorDetails: 'why' })
      assert.equal(peer.lastOfType('rtmp_stream_status')?.errorDetails, 'why')
      return rtmpStatuses(peer).slice(1)
    }
    assert.deepEqual(statusesFor('initializing', 'connecting', 'reconnecting'), [
      'initializing',
      'initializing',
      'initializing',
    ])
    assert.deepEqual(statusesFor('active', 'streaming', 'reconnected'), ['active', 'active', 'active'])
    assert.deepEqual(statusesFor('stopping', 'stopped'), ['stopping', 'stopped'])
    for (const status of ['disconnected', 'error', 'reconnect_failed', 'unknown'])
      assert.deepEqual(statusesFor(status, 'streaming'), ['stopped'], status)
    assert.deepEqual(statusesFor('timeout', 'streaming'), ['timeout'])
  })
})

describe('statuses of the glasses', () => {
  test('STR-40: a status without a streamId belongs to the stream that is starting', () => {
    const rig = new StreamingRig()
    const peer = rig.runApp(first)
    rig.requestRtmpStream(peer)
    rig.reportStreamStatus('error', { streamId: null, errorDetails: 'no Wi-Fi' })
    assert.deepEqual(rtmpStatuses(peer), ['initializing', 'stopped'])
    assert.equal(peer.lastOfType('rtmp_stream_status')?.errorDetails, 'no Wi-Fi')
    rig.requestRtmpStream(peer)
    rig.reportStreamStatus('streaming')
    rig.reportStreamStatus('error', { streamId: null })
    assert.equal(rtmpStatuses(peer).at(-1), 'active')
  })

  test('STR-41: a status of another or a previous stream is ignored', () => {
    const rig = new StreamingRig()
    const peer = rig.runApp(first)
    rig.requestRtmpStream(peer)
    const before = rig.streamId
    rig.clock.advance(10)
    rig.requestRtmpStream(peer)
    rig.reportStreamStatus('stopped', { streamId: before })
    rig.reportStreamStatus('stopping', { streamId: null })
    rig.reportStreamStatus('stopped', { streamId: null })
    rig.reportStreamStatus('error', { streamId: 'sother' })
    rig.reportStreamStatus('blinking')
    assert.deepEqual(rtmpStatuses(peer), ['initializing', 'stopped', 'initializing'])
    rig.reportStreamStatus('streaming')
    assert.equal(rtmpStatuses(peer).at(-1), 'active')
  })

  test('STR-42: stream_status of newer phones is equivalent', () => {
    const rig = new StreamingRig()
    const peer = rig.runApp(first)
    rig.requestRtmpStream(peer)
    rig.session.handleGlassesMessage(rig.glassesPeer, {
      type: 'stream_status',
      streamId: rig.streamId,
      status: 'streaming',
    })
    assert.deepEqual(rtmpStatuses(peer), ['initializing', 'active'])
  })
})

describe('stream_status_check', () => {
  const check = (rig: StreamingRig, peer: ReturnType<StreamingRig['runApp']>) => {
    rig.sendFromApp(peer, { type: 'stream_status_check' })
    return peer.lastOfType('stream_status_check_response') ?? assert.fail()
  }

  test('STR-50: checks before and during a stream', () => {
    const rig = new StreamingRig()
    const peer = rig.runApp(first)
    assert.equal(check(rig, peer).hasActiveStream, false)
    assert.equal(check(rig, peer).streamInfo, undefined)
    rig.requestManagedStream(peer)
    const { hasActiveStream, streamInfo } = check(rig, peer)
    assert.equal(hasActiveStream, true)
    assert.deepEqual(streamInfo, {
      type: 'managed',
      streamId: lastManagedStatus(peer).streamId,
      status: 'initializing',
      createdAt: new Date(rig.clock.now()).toISOString(),
      activeViewers: 1,
    })
    rig.streaming.completeCreateInput()
    rig.reportStreamStatus('streaming')
    rig.streaming.completeIsReady()
    const active = check(rig, peer).streamInfo as Record<string, unknown>
    assert.deepEqual([active.status, active.hlsUrl], ['active', 'https://in.test/input1.m3u8'])
    assert.equal(peer.messagesOfType('stream_status_check_response').length, 4)
  })

  test('STR-51: checks with and without CAMERA, by owner and others', () => {
    const rig = new StreamingRig()
    const owner = rig.runApp(first)
    rig.requestRtmpStream(owner)
    const info = (peer: typeof owner) => check(rig, peer).streamInfo as Record<string, unknown> | undefined
    assert.equal(info(rig.runApp(NO_CAMERA_APP)), undefined)
    assert.equal(info(owner)?.rtmpUrl, key)
    const other = info(rig.runApp(second))
    assert.deepEqual(
      [other?.type, other?.requestingAppId, other?.rtmpUrl],
      ['unmanaged', first, 'rtmp://tv.test/app/****'],
    )
  })

  test("STR-51: the glasses' error details contain no stream key", () => {
    const rig = new StreamingRig()
    const owner = rig.runApp(first)
    const other = rig.runApp(second)
    rig.subscribe(other, 'rtmp_stream_status')
    rig.requestRtmpStream(owner)
    rig.reportStreamStatus('error', { errorDetails: `cannot reach ${key} now` })
    const frame = other.messagesOfType('data_stream').at(-1)?.data as { errorDetails?: string } | undefined
    assert.equal(frame?.errorDetails, 'cannot reach rtmp://tv.test/app/**** now')
  })
})
