import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  first,
  lastManagedStatus,
  managedStatuses,
  StreamingRig,
  second,
} from '../../testing/streaming-rig.ts'
import type { AddOutputOutcome, RemoveOutputOutcome } from './outputs.ts'
import type { OutputsOutcome } from './video-streams.ts'
import { VideoStreams } from './video-streams.ts'

/** Adds an output; `value` reservations the outcome once there is one. */
function add(rig: StreamingRig, packageName: string, url: string): { value?: AddOutputOutcome } {
  const outcome: { value?: AddOutputOutcome } = {}
  rig.session.part(VideoStreams).addOutput(streamOf(rig), packageName, { url }, (value) => {
    outcome.value = value
  })
  return outcome
}

function remove(rig: StreamingRig, packageName: string, outputId: string): { value?: RemoveOutputOutcome } {
  const outcome: { value?: RemoveOutputOutcome } = {}
  rig.session.part(VideoStreams).removeOutput(streamOf(rig), packageName, outputId, (value) => {
    outcome.value = value
  })
  return outcome
}

/** Lists the outputs; a poll that this causes stays without a response. */
function list(rig: StreamingRig, packageName: string = first): { value?: OutputsOutcome } {
  const outcome: { value?: OutputsOutcome } = {}
  rig.session.part(VideoStreams).outputs(streamOf(rig), packageName, (value) => {
    outcome.value = value
  })
  return outcome
}

function streamOf({ streaming }: StreamingRig): string {
  return [...streaming.openStreams][0] ?? 'gone'
}

const url = (n: number | string) => `rtmp://tv.test/app/key${n}`
const reservations = (rig: StreamingRig) => rig.streaming.outputCounts.get(first) ?? 0

describe('outputs of a managed stream', () => {
  test('OUT-9: reservations precede the request to the provider, so that parallel requests respect the limit', () => {
    const rig = new StreamingRig()
    rig.startManagedStream(first)
    const outcomes = Array.from({ length: 50 }, (_, n) => add(rig, first, url(n)))
    assert.equal(rig.streaming.pendingCount('addOutput'), 10)
    assert.equal(outcomes.filter(({ value }) => value && !value.ok).length, 40)
    rig.streaming.failCall('addOutput')
    for (let n = 0; n < 9; n += 1) rig.streaming.completeAddOutput(`at${n}`)
    const added = outcomes.filter(({ value }) => value?.ok)
    assert.equal(added.length, 9)
    assert.equal(reservations(rig), 9)
    add(rig, first, url('another'))
    assert.equal(
      rig.streaming.pendingCount('addOutput'),
      1,
      'the reservation of the failed output is released',
    )
    assert.deepEqual(add(rig, first, url('more')).value, { ok: false, code: 'MAX_OUTPUTS_REACHED' })
  })

  test('OUT-9: two parallel requests for one URL are one output', () => {
    const rig = new StreamingRig()
    rig.startManagedStream(first)
    const one = add(rig, first, url(1))
    assert.deepEqual(add(rig, first, `${url(1)}/`).value, { ok: false, code: 'DUPLICATE_URL' })
    assert.equal(reservations(rig), 1)
    rig.streaming.completeAddOutput('at1')
    assert.equal(one.value?.ok, true)
  })

  test('OUT-10: an output requested before the input exists is added after its creation', () => {
    const rig = new StreamingRig()
    rig.requestManagedStream(rig.runApp(first))
    const early = add(rig, first, url(1))
    assert.equal(rig.streaming.pendingCount('addOutput'), 0)
    rig.streaming.completeCreateInput()
    rig.streaming.completeAddOutput('at1')
    assert.equal(early.value?.ok, true)
    const late = add(rig, first, url(2))
    rig.session.end()
    assert.deepEqual(late.value, { ok: false, code: 'STREAM_NOT_FOUND' })
    assert.equal(reservations(rig), 0)
    rig.streaming.completeAddOutput('at2')
  })

  test('OUT-12: the intervals between polls', () => {
    const rig = new StreamingRig()
    rig.startManagedStream(first)
    add(rig, first, url(1))
    rig.streaming.completeAddOutput('at1')
    const polledAt: number[] = []
    const begin = rig.clock.now()
    for (let second = 0; second < 200; second += 0.5) {
      rig.clock.advance(500)
      rig.acknowledgeKeepAlive(String(rig.glassesPeer.lastOfType('keep_stream_alive')?.ackId))
      if (rig.streaming.pendingCount('listOutputs') === 0) continue
      polledAt.push((rig.clock.now() - begin) / 1_000)
      const done = polledAt.length > 8
      rig.streaming.completeListOutputs({
        outputId: 'at1',
        status: done ? 'active' : 'connecting',
        error: null,
      })
    }
    assert.deepEqual(polledAt, [0.5, 1.5, 3.5, 7.5, 15.5, 30.5, 60.5, 90.5, 120.5])
  })

  test('OUT-12: a list uses a recent response, and parallel lists poll once', () => {
    const rig = new StreamingRig()
    rig.startManagedStream(first)
    add(rig, first, url(1))
    rig.streaming.completeAddOutput('at1')
    const lists = [list(rig), list(rig)]
    assert.equal(rig.streaming.pendingCount('listOutputs'), 1)
    rig.streaming.completeListOutputs({ outputId: 'at1', status: 'active', error: null })
    for (const { value } of [...lists, list(rig)])
      assert.equal(value?.ok && value.outputs[0]?.status, 'active')
    rig.clock.advance(2_000)
    const later = list(rig)
    rig.streaming.completeListOutputs()
    assert.equal(later.value?.ok && later.value.outputs[0]?.status, 'unknown')
    rig.clock.advance(2_000)
    // Scheduled polls are answered, too.
    while (rig.streaming.pendingCount('listOutputs') > 0) rig.streaming.failCall('listOutputs')
    const error = 'rtmp://tv.test/app/key1 refused'
    rig.clock.advance(2_000)
    const last = list(rig)
    rig.streaming.completeListOutputs({ outputId: 'at1', status: 'error', error })
    assert.deepEqual(last.value?.ok && last.value.outputs, [
      {
        outputId: 'o1',
        url: 'rtmp://tv.test/app/****',
        name: 'tv.test',
        addedBy: first,
        status: 'error',
        error: 'rtmp://tv.test/app/**** refused',
      },
    ])
  })

  test('STR-79: a change that the provider reports is sent to viewers, also if it arrives during a poll', () => {
    const rig = new StreamingRig()
    const viewer = rig.startManagedStream(first)
    add(rig, first, url(1))
    rig.streaming.completeAddOutput('at1')
    const report = (status: 'active' | 'error', retries: number) =>
      rig.streaming.completeListOutputs({ outputId: 'at1', status, error: null, retries })
    const sent = () => {
      const { outputs = [] } = (viewer.lastOfType('managed_stream_status') ?? {}) as {
        outputs?: { status: string }[]
      }
      return outputs.map(({ status }) => status)
    }
    rig.streaming.outputsChanged()
    report('active', 0)
    assert.deepEqual(sent(), ['active'])
    rig.streaming.outputsChanged()
    rig.streaming.outputsChanged()
    assert.equal(rig.streaming.pendingCount('listOutputs'), 1)
    report('active', 0)
    report('error', 2)
    assert.deepEqual(sent(), ['error'])
    const listed = list(rig)
    assert.equal(listed.value?.ok && listed.value.outputs[0]?.retries, 2)
    assert.equal(rig.streaming.watchedStreams, 1)
    rig.sendFromApp(viewer, { type: 'managed_stream_stop' } as never)
    assert.equal(rig.streaming.watchedStreams, 0)
    rig.streaming.outputsChanged()
    assert.equal(rig.streaming.pendingCount('listOutputs'), 0)
  })

  test('OUT-12: a list during the end of the stream returns STREAM_NOT_FOUND', () => {
    const rig = new StreamingRig()
    rig.startManagedStream(first)
    add(rig, first, url(1))
    rig.streaming.completeAddOutput('at1')
    const pending = list(rig)
    rig.session.end()
    assert.deepEqual(pending.value, { ok: false, code: 'STREAM_NOT_FOUND' })
  })

  test('OUT-14: a failed removal, and parallel ones', () => {
    const rig = new StreamingRig()
    rig.startManagedStream(first)
    add(rig, first, url(1))
    rig.streaming.completeAddOutput('at1')
    const both = [remove(rig, first, 'o1'), remove(rig, first, 'o1')]
    assert.equal(rig.streaming.pendingCount('removeOutput'), 1)
    rig.streaming.failCall('removeOutput')
    for (const { value } of both) assert.deepEqual(value, { ok: false, code: 'STREAMING_PROVIDER_ERROR' })
    assert.equal(reservations(rig), 1)
    assert.deepEqual(add(rig, first, url(1)).value, { ok: false, code: 'DUPLICATE_URL' })
    const again = remove(rig, first, 'o1')
    rig.streaming.completeRemoveOutput()
    assert.deepEqual(again.value, { ok: true })
    assert.deepEqual(remove(rig, first, 'o1').value, { ok: false, code: 'OUTPUT_NOT_FOUND' })
    assert.equal(reservations(rig), 0)
  })

  test('OUT-15: the outputs of an app that left are removed, with retries', () => {
    const rig = new StreamingRig()
    rig.startManagedStream(first)
    const other = rig.runApp(second)
    rig.requestManagedStream(other)
    add(rig, second, url(1))
    rig.streaming.completeAddOutput('at1')
    const underWay = add(rig, second, url(2))
    rig.sendFromApp(other, { type: 'managed_stream_stop' })
    assert.deepEqual(underWay.value, { ok: false, code: 'NOT_A_VIEWER' })
    rig.streaming.failCall('removeOutput')
    rig.clock.advance(10_000)
    rig.streaming.completeRemoveOutput()
    // An output that the provider added nevertheless is removed again.
    rig.streaming.completeAddOutput('at2')
    assert.deepEqual(
      rig.streaming.pendingCalls
        .map(({ operation, argument }) => [operation, argument])
        .filter(([it]) => it === 'removeOutput'),
      [['removeOutput', 'at2']],
    )
    assert.equal(rig.streaming.outputCounts.get(second), 0)
    const left = list(rig)
    assert.deepEqual(left.value, { ok: true, outputs: [] })
  })
})

describe('restreamDestinations', () => {
  test('STR-60: destinations are outputs; an invalid entry rejects the whole request', () => {
    for (const [code, restreamDestinations] of [
      ['INVALID_URL', [{ url: url(1) }, { url: 'http://tv.test/a' }]],
      ['INVALID_URL', [{ url: url(1), name: '' }]],
      ['MAX_OUTPUTS_REACHED', Array.from({ length: 11 }, (_, n) => ({ url: url(n) }))],
    ] as const) {
      const rig = new StreamingRig()
      const peer = rig.runApp(first)
      rig.requestManagedStream(peer, { restreamDestinations: [...restreamDestinations] })
      assert.deepEqual([managedStatuses(peer), lastManagedStatus(peer).code], [['error'], code])
      assert.equal(rig.streaming.pendingCalls.length, 0)
      assert.equal(reservations(rig), 0)
    }
    const rig = new StreamingRig()
    rig.startManagedStream(first)
    add(rig, first, url(1))
    const other = rig.runApp(second)
    rig.requestManagedStream(other, { restreamDestinations: [{ url: url(2) }, { url: url(1) }] })
    assert.deepEqual([managedStatuses(other), lastManagedStatus(other).code], [['error'], 'DUPLICATE_URL'])
    assert.equal(rig.streaming.outputCounts.get(second), 0)
    for (let n = 0; n < 8; n += 1) rig.streaming.outputCounts.set(second, n + 1)
    rig.requestManagedStream(other, {
      restreamDestinations: [{ url: url(2) }, { url: url(3) }, { url: url(4) }],
    })
    assert.equal(lastManagedStatus(other).code, 'MAX_APP_OUTPUTS_REACHED')
    assert.equal(rig.streaming.outputCounts.get(second), 8)
  })

  test('STR-60 SHARE-51: nothing changes until the places of the destinations are reserved', () => {
    const rig = new StreamingRig()
    const { streaming } = rig
    streaming.delaysReservations = true
    const complete = () => streaming.pendingReservations.shift()?.()
    const peer = rig.runApp(first)
    const restreamDestinations = [{ url: url(1) }, { url: url(2) }]
    const request = () => rig.requestManagedStream(peer, { restreamDestinations })

    request()
    assert.deepEqual([managedStatuses(peer), streaming.openStreams.size], [[], 0])
    rig.sendFromApp(peer, { type: 'managed_stream_stop' })
    complete()
    assert.deepEqual([managedStatuses(peer), streaming.openStreams.size], [['stopped'], 0])
    assert.equal(reservations(rig), 0, 'a request that was stopped keeps no place')

    request()
    rig.requestRtmpStream(peer)
    complete()
    assert.equal(lastManagedStatus(peer).code, 'STREAM_CONFLICT')
    assert.equal(reservations(rig), 0, 'a request that is rejected keeps no place')
    rig.sendFromApp(peer, { type: 'rtmp_stream_stop' })

    request()
    request()
    assert.equal(streaming.pendingReservations.length, 1, 'the repeated request waits for the first')
    complete()
    assert.equal(streaming.pendingReservations.length, 0, 'and needs no places then')
    assert.equal(managedStatuses(peer).at(-1), 'initializing')
    assert.equal(reservations(rig), 2)
    const late = add(rig, first, url(3))
    rig.session.end()
    complete()
    assert.deepEqual(late.value, { ok: false, code: 'STREAM_NOT_FOUND' })
    assert.equal(reservations(rig), 0)
  })

  test('STR-61: an active and a rejected output', () => {
    const rig = new StreamingRig()
    const peer = rig.runApp(first)
    rig.requestManagedStream(peer, { restreamDestinations: [{ url: url(1), name: 'TV' }, { url: url(2) }] })
    rig.streaming.completeCreateInput()
    rig.streaming.completeAddOutput('at1')
    rig.streaming.failCall('addOutput')
    const shown = { url: 'rtmp://tv.test/app/****' }
    const failed = {
      ...shown,
      name: 'tv.test',
      status: 'error',
      error: 'The streaming provider rejected the output',
    }
    assert.deepEqual(lastManagedStatus(peer).outputs, [{ ...shown, name: 'TV', status: 'stopped' }, failed])
    rig.clock.advance(500)
    rig.streaming.completeListOutputs({ outputId: 'at1', status: 'active', error: null })
    assert.deepEqual(lastManagedStatus(peer).outputs, [{ ...shown, name: 'TV', status: 'active' }, failed])
    assert.deepEqual(remove(rig, first, 'o2').value, { ok: true })
    assert.equal((lastManagedStatus(peer).outputs as unknown[]).length, 1)
    assert.equal(reservations(rig), 1)
    // A repeated request of the same app refers to the same output.
    rig.requestManagedStream(peer, { restreamDestinations: [{ url: url(1) }] })
    assert.equal(lastManagedStatus(peer).status, 'initializing')
    assert.equal(reservations(rig), 1)
  })
})
