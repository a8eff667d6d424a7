import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
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
    assert.deepEqual(recent.kind === 'sound' && [...recent.pcm], [2, 2, 2, 2, 3, 3, 3, 3])
  })

  test('RAU-2: what is older than ten seconds is gone, even when nothing came since', () => {
    const clock = new VirtualClock()
    const ring = new AudioRing(clock)
    ring.push(frame(1))
    clock.advance(10_000)
    assert.equal(ring.read().kind, 'sound')
    clock.advance(1)
    assert.deepEqual(ring.read(), { kind: 'nothing' })
  })

  test('RAU-3: sound that comes faster than real time is cut to its last ten seconds', () => {
    const ring = new AudioRing(new VirtualClock())
    for (let n = 0; n < 600; n += 1) ring.push(frame(n % 251, 700))
    const recent = ring.read()
    assert.ok(recent.kind === 'sound')
    assert.equal(recent.pcm.length, 10 * PCM_BYTES_PER_SECOND)
    assert.equal(recent.pcm.at(-1), 599 % 251)
    const first = 600 - Math.ceil((10 * PCM_BYTES_PER_SECOND) / 700)
    assert.equal(recent.pcm[0], first % 251)
  })

  test('RAU-4: frames that could not be decoded are told from none at all, for ten seconds', () => {
    const clock = new VirtualClock()
    const ring = new AudioRing(clock)
    assert.deepEqual(ring.read(), { kind: 'nothing' })
    ring.undecodable()
    assert.deepEqual(ring.read(), { kind: 'undecodable' })
    ring.push(frame(1))
    assert.equal(ring.read().kind, 'sound')
    clock.advance(10_001)
    assert.deepEqual(ring.read(), { kind: 'nothing' })
  })
})
