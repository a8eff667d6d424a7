import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SeededRandom } from '../../simulation/fixtures.ts'
import type { RecordingPeer } from '../../testing/recording-peer.ts'
import { first, StreamingRig, second } from '../../testing/streaming-rig.ts'
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
