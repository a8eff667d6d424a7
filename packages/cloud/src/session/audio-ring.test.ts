import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { AudioRing, PCM_BYTES_PER_SECOND } from './audio-ring.ts'
import { VirtualClock } from './testing/virtual-clock.ts'

const frame = (value: number, bytes = 640) => new Uint8Array(bytes).fill(value)

describe('audio ring', () => {
  test('RAU-1: it gives the frames of the last ten seconds as one piece, oldest first', () => {
    const clock = new VirtualClock()
    const ring = new AudioRing(clock)
    for (const value of [1, 2, 3]) {
      ring.push(frame(value, 4))
      clock.advance(4_000)
    }
    const recent = ring.read()
    assert.deepEqual(recent.kind === 'audio' && [...recent.pcm], [2, 2, 2, 2, 3, 3, 3, 3])
  })

  test('RAU-2: what is older than ten seconds is gone, even when nothing came since', () => {
    const clock = new VirtualClock()
    const ring = new AudioRing(clock)
    ring.push(frame(1))
    clock.advance(10_000)
    assert.equal(ring.read().kind, 'audio')
    clock.advance(1)
    assert.deepEqual(ring.read(), { kind: 'empty' })
  })

  test('RAU-3: sound that comes faster than real time is cut to its last ten seconds', () => {
    const ring = new AudioRing(new VirtualClock())
    for (let n = 0; n < 600; n += 1) ring.push(frame(n % 251, 700))
    const recent = ring.read()
    assert.ok(recent.kind === 'audio')
    assert.equal(recent.pcm.length, 10 * PCM_BYTES_PER_SECOND)
    assert.equal(recent.pcm.at(-1), 599 % 251)
    const first = 600 - Math.ceil((10 * PCM_BYTES_PER_SECOND) / 700)
    assert.equal(recent.pcm[0], first % 251)
  })

  test('RAU-4: frames that could not be decoded are told from none at all, for ten seconds', () => {
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

  test('RAU-1 RAU-3: frames of any size at any time come out as they went in', () => {
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
        const heard = recent.kind === 'audio' ? [...recent.pcm] : []
        const values = came.map(({ value }) => value)
        // It may be a tenth of a second longer than the second, and no byte more than a second holds.
        const least = came.slice(-capacity).filter(({ at }) => at >= clock.now() - 1_000).length
        const most = came.slice(-capacity).filter(({ at }) => at >= clock.now() - 1_100).length
        assert.ok(heard.length >= least && heard.length <= most, `${least} <= ${heard.length} <= ${most}`)
        assert.deepEqual(heard, values.slice(values.length - heard.length))
      }),
      { numRuns: 50 },
    )
  })

  test('RAU-6: it lets go of its memory ten seconds after the last sound', () => {
    const clock = new VirtualClock()
    const ring = new AudioRing(clock)
    ring.push(frame(1))
    clock.advance(6_000)
    ring.push(frame(2))
    clock.advance(10_000)
    assert.equal(clock.pendingTimers, 1, 'sound is kept for that long')
    clock.advance(1)
    assert.equal(clock.pendingTimers, 0, 'the memory is gone with the timer')
    ring.push(frame(3))
    const recent = ring.read()
    assert.deepEqual(recent.kind === 'audio' && recent.pcm, frame(3))
  })
})
