import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { first, managedStatuses, rtmpStatuses, StreamingRig } from '../../testing/streaming-rig.ts'

describe('keep-alives of streams', () => {
  test('STR-20: keep-alives over a minute', () => {
    const rig = new StreamingRig()
    rig.startManagedStream(first)
    const ackIds: unknown[] = []
    for (let beat = 0; beat < 40; beat += 1) {
      rig.clock.advance(15_000)
      const alive = rig.glassesPeer.lastOfType('keep_rtmp_stream_alive')
      assert.equal(alive?.streamId, rig.streamId)
      assert.equal(rig.glassesPeer.lastOfType('keep_stream_alive')?.ackId, alive.ackId)
      assert.match(String(alive.ackId), /^a[0-9a-z]{5}$/)
      ackIds.push(alive.ackId)
      rig.acknowledgeKeepAlive(String(alive.ackId))
    }
    assert.equal(new Set(ackIds).size, 40, 'all ids differ')
    assert.deepEqual(rig.streaming.deletedInputs, [])
  })

  test('STR-21: three keep-alives without an acknowledgement', () => {
    const rig = new StreamingRig()
    const peer = rig.startManagedStream(first)
    rig.clock.advance(54_999)
    assert.notEqual(managedStatuses(peer).at(-1), 'error')
    rig.clock.advance(1)
    assert.equal(managedStatuses(peer).at(-1), 'error')
    assert.equal(rig.glassesPeer.messagesOfType('stop_stream').length, 1)
    assert.deepEqual(rig.streaming.deletedInputs, ['input1'])
    rig.clock.advance(60_000)
    assert.equal(rig.glassesPeer.messagesOfType('keep_stream_alive').length, 3)
  })

  test('STR-21: a response in between, even a late one, restarts the count', () => {
    const rig = new StreamingRig()
    const peer = rig.startManagedStream(first)
    // Sent at 15, 30, 45, … s; missed at 25 and 40 s; a late response at 44 s.
    rig.clock.advance(44_000)
    rig.acknowledgeKeepAlive(String(rig.glassesPeer.lastOfType('keep_stream_alive')?.ackId))
    rig.clock.advance(40_000)
    assert.notEqual(managedStatuses(peer).at(-1), 'error')
    rig.clock.advance(1_000)
    assert.equal(managedStatuses(peer).at(-1), 'error')
  })

  test('STR-21: a response for another stream or an unknown keep-alive is ignored', () => {
    const rig = new StreamingRig()
    const peer = rig.startManagedStream(first)
    for (let at = 0; at < 55; at += 1) {
      rig.acknowledgeKeepAlive('a00009')
      const sent = rig.glassesPeer.lastOfType('keep_stream_alive')
      rig.session.handleGlassesMessage(rig.glassesPeer, {
        type: 'keep_alive_ack',
        streamId: 'sother',
        ackId: String(sent?.ackId),
      })
      rig.clock.advance(1_000)
    }
    assert.equal(managedStatuses(peer).at(-1), 'error')
  })

  test('STR-35: an RTMP stream whose glasses stop responding ends with timeout', () => {
    const rig = new StreamingRig()
    const peer = rig.runApp(first)
    rig.requestRtmpStream(peer)
    rig.clock.advance(55_000)
    assert.deepEqual(rtmpStatuses(peer), ['initializing', 'timeout'])
    assert.equal(rig.glassesPeer.messagesOfType('stop_rtmp_stream').length, 1)
    rig.clock.advance(60_000)
    assert.deepEqual(rtmpStatuses(peer), ['initializing', 'timeout'])
  })
})
