import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { VirtualClock } from '../time/testing/virtual-clock.ts'
import { AudioRing, PCM_BYTES_PER_SECOND } from './audio-ring.ts'

const frame = (value: number, bytes = 640) => new Uint8Array(bytes).fill(value)

describe('audio ring', () => {
  test('RAU-1: read returns the frames of the last ten seconds as one buffer, oldest first', () => {
    const clock = new VirtualClock()
    const ring = new AudioRing(clock)
    for (const value of [1, 2, 3]) {
      ring.push(frame(value, 4))
      clock.advance(4_000)
    }
    const recent = ring.read()
    assert.deepEqual(recent.kind === 'audio' && [...recent.pcm], [2, 2, 2, 2, 3, 3, 3, 3])
  })

  test('RAU-2: audio older than ten seconds is discarded, even without newer frames', () => {
    const clock = new VirtualClock()
    const ring = new AudioRing(clock)
    ring.push(frame(1))
    clock.advance(10_000)
    assert.equal(ring.read().kind, 'audio')
    clock.advance(1)
    assert.deepEqual(ring.read(), { kind: 'empty' })
  })

  test('RAU-3: 600 frames at once', () => {
    const ring = new AudioRing(new VirtualClock())
    for (let n = 0; n < 600; n += 1) ring.push(frame(n % 251, 700))
    const recent = ring.read()
    assert.ok(recent.kind === 'audio')
    assert.equal(recent.pcm.length, 10 * PCM_BYTES_PER_SECOND)
    assert.equal(recent.pcm.at(-1), 599 % 251)
    const first = 600 - Math.ceil((10 * PCM_BYTES_PER_SECOND) / 700)
    assert.equal(recent.pcm[0], first % 251)
  })

  test('RAU-15: undecodable frames are reported for ten seconds', () => {
    const clock = new VirtualClock()
    const ring = new AudioRing(clock)
    assert.deepEqual(ring.read(), { kind: 'empty' })
    ring.recordUndecodable()
    assert.deepEqual(ring.read(), { kind: 'undecodable' })
    ring.push(frame(1))
    assert.equal(ring.read().kind, 'audio')
    clock.advance(10_001)
    assert.deepEqual(ring.read(), { kind: 'empty' })
  })

  test('RAU-1 RAU-3: frames of any size at any time are returned unchanged', () => {
    const capacity = PCM_BYTES_PER_SECOND
    const steps = fc.array(fc.record({ bytes: fc.nat(capacity + 10), wait: fc.nat(400) }), { maxLength: 40 })
    fc.assert(
      fc.property(steps, (steps) => {
        const clock = new VirtualClock()
        const ring = new AudioRing(clock, 1)
        const came: { at: number; value: number }[] = []
        steps.forEach(({ bytes, wait }, index) => {
          ring.push(frame(index + 1, bytes))
          for (let n = 0; n < bytes; n += 1) came.push({ at: clock.now(), value: index + 1 })
          clock.advance(wait)
        })
        const recent = ring.read()
        const recorded = recent.kind === 'audio' ? [...recent.pcm] : []
        const values = came.map(({ value }) => value)
        // The read may include 100 ms more, but never more than the capacity.
        const least = came.slice(-capacity).filter(({ at }) => at >= clock.now() - 1_000).length
        const most = came.slice(-capacity).filter(({ at }) => at >= clock.now() - 1_100).length
        assert.ok(
          recorded.length >= least && recorded.length <= most,
          `${least} <= ${recorded.length} <= ${most}`,
        )
        assert.deepEqual(recorded, values.slice(values.length - recorded.length))
      }),
      { numRuns: 50 },
    )
  })

  test('RAU-2: the buffer is freed ten seconds after the last frame', () => {
    const clock = new VirtualClock()
    const ring = new AudioRing(clock)
    ring.push(frame(1))
    clock.advance(6_000)
    ring.push(frame(2))
    clock.advance(10_000)
    assert.equal(clock.pendingTimers, 1, 'the buffer is released by a timer')
    clock.advance(1)
    assert.equal(clock.pendingTimers, 0, 'the buffer was released')
    ring.push(frame(3))
    const recent = ring.read()
    assert.deepEqual(recent.kind === 'audio' && recent.pcm, frame(3))
  })
})
