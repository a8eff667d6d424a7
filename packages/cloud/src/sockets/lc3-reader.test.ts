import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { tone } from '@glasses-cloud/glasses'
import { Lc3Encoder } from '@glasses-cloud/glasses/lc3'
import { toneShare } from '../../test/support/tone.ts'
import { Lc3Reader } from './lc3-reader.ts'

const SIZE = 40
/** A frame of this is damaged for certain: it names a bandwidth that 16 kHz does not have. */
const damaged = Buffer.alloc(SIZE, 0xff)

/** A second of a tone, and what reads it. */
function listening() {
  const sound = new Lc3Encoder(SIZE).encode(tone(1_000, 440))
  const reader = new Lc3Reader(SIZE)
  let at = 0
  return {
    reader,
    /** Reads the next so many frames of the sound as one message. */
    next(count: number) {
      const message = sound.subarray(at, at + count * SIZE)
      at += count * SIZE
      return reader.read(message)
    },
  }
}

const loudness = (pcm: Buffer | undefined) => {
  let sum = 0
  for (let at = 0; pcm && at < pcm.length; at += 2) sum += pcm.readInt16LE(at) ** 2
  return pcm ? Math.sqrt(sum / (pcm.length / 2)) : 0
}

describe('sound in LC3', () => {
  test('MIC-36: a message of any number of frames becomes 10 ms of sound for each', () => {
    const { next } = listening()
    const heard = [1, 2, 5, 90].map((count) => {
      const { pcm, undecodable } = next(count)
      assert.deepEqual([pcm?.length, undecodable], [count * 320, 0])
      return pcm ?? Buffer.alloc(0)
    })
    // The codec begins from silence; after that the tone is all there is.
    assert.ok(toneShare(Buffer.concat(heard).subarray(1_600), 440) > 0.99)
  })

  test('MIC-37: a message that ends within a frame is undecodable, and shifts nothing after it', () => {
    const { reader, next } = listening()
    next(20)
    for (const length of [1, SIZE - 1, SIZE + 1, 170])
      assert.deepEqual(reader.read(Buffer.alloc(length)), { undecodable: 1 })
    assert.deepEqual(reader.read(Buffer.alloc(0)), { undecodable: 0 })
    const { pcm = Buffer.alloc(0), undecodable } = next(50)
    assert.equal(undecodable, 0)
    assert.ok(toneShare(pcm, 440) > 0.99)
  })

  test('MIC-38: nothing is made of damaged frames before a good one', () => {
    const { reader, next } = listening()
    assert.deepEqual(reader.read(Buffer.concat([damaged, damaged])), { undecodable: 2 })
    assert.equal(next(1).pcm?.length, 320)
  })

  test('MIC-38: damaged frames are concealed, fading, ten in a row at most', () => {
    const { reader, next } = listening()
    const before = loudness(next(20).pcm)
    const concealed = Array.from({ length: 10 }, () => reader.read(damaged))
    for (const { pcm, undecodable } of concealed) assert.deepEqual([pcm?.length, undecodable], [320, 1])
    const [first, last] = [loudness(concealed[0]?.pcm), loudness(concealed[9]?.pcm)]
    assert.ok(first > before / 4, `${first} of ${before}`)
    assert.ok(last < first, `${last} after ${first}`)
    assert.deepEqual(reader.read(damaged), { undecodable: 1 })
    assert.equal(next(1).pcm?.length, 320, 'a good frame is heard again')
    assert.equal(reader.read(damaged).pcm?.length, 320, 'and the count begins anew')
  })

  test('MIC-38: within a message good and damaged frames keep their places', () => {
    const { reader } = listening()
    const sound = new Lc3Encoder(SIZE).encode(tone(300))
    const message = Buffer.from(sound)
    damaged.copy(message, 9 * SIZE)
    const { pcm, undecodable } = reader.read(message)
    assert.deepEqual([pcm?.length, undecodable], [30 * 320, 1])
  })

  test('MIC-39: no bytes whatever make it fail', () => {
    // A generator of its own, so that a failure comes again.
    let seed = 1
    const random = () => {
      seed = (seed * 48_271) % 2_147_483_647
      return seed & 0xff
    }
    let bad = 0
    for (const size of [20, 40, 60]) {
      const reader = new Lc3Reader(size)
      for (let message = 0; message < 300; message += 1) {
        const { pcm, undecodable } = reader.read(Buffer.from(Array.from({ length: size * 2 }, random)))
        assert.ok((pcm?.length ?? 0) <= 640 && undecodable <= 2)
        bad += undecodable
      }
    }
    assert.ok(bad > 0)
  })
})
