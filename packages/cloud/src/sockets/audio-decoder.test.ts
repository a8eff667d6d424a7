import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { tone } from '@glasses-cloud/phone'
import { Lc3Encoder } from '@glasses-cloud/phone/lc3'
import { toneShare } from '../../test/support/tone.ts'
import { Lc3Decoder } from './audio-decoder.ts'

const SIZE = 40
/** A damaged frame: it names a bandwidth that does not exist at 16 kHz. */
const damaged = Buffer.alloc(SIZE, 0xff)

/** Encodes a second of a tone and creates a decoder. */
function setUp() {
  const audio = Buffer.from(new Lc3Encoder(SIZE).encode(tone(1_000, 440)))
  const decoder = new Lc3Decoder(SIZE)
  let at = 0
  return {
    decoder,
    /** Decodes the next frames as one message. */
    next(count: number) {
      const message = audio.subarray(at, at + count * SIZE)
      at += count * SIZE
      return decoder.decode(message)
    },
  }
}

const loudness = (pcm: Buffer | undefined) => {
  let sum = 0
  for (let at = 0; pcm && at < pcm.length; at += 2) sum += pcm.readInt16LE(at) ** 2
  return pcm ? Math.sqrt(sum / (pcm.length / 2)) : 0
}

describe('LC3 decoder', () => {
  test('MIC-36: each frame of a message decodes to 10 ms of audio', () => {
    const { next } = setUp()
    const decoded = [1, 2, 5, 90].map((count) => {
      const { pcm, undecodable } = next(count)
      assert.deepEqual([pcm?.length, undecodable], [count * 320, 0])
      return pcm ?? Buffer.alloc(0)
    })
    // The codec starts from silence; after 50 ms only the tone remains.
    assert.ok(toneShare(Buffer.concat(decoded).subarray(1_600), 440) > 0.99)
  })

  test('MIC-37: a message with a partial frame is undecodable, and later messages decode correctly', () => {
    const { decoder, next } = setUp()
    next(20)
    for (const length of [1, SIZE - 1, SIZE + 1, 170])
      assert.deepEqual(decoder.decode(Buffer.alloc(length)), { undecodable: 1 })
    assert.deepEqual(decoder.decode(Buffer.alloc(0)), { undecodable: 0 })
    const { pcm = Buffer.alloc(0), undecodable } = next(50)
    assert.equal(undecodable, 0)
    assert.ok(toneShare(pcm, 440) > 0.99)
  })

  test('MIC-38: damaged frames before the first good frame are dropped', () => {
    const { decoder, next } = setUp()
    assert.deepEqual(decoder.decode(Buffer.concat([damaged, damaged])), { undecodable: 2 })
    assert.equal(next(1).pcm?.length, 320)
  })

  test('MIC-38: up to ten damaged frames in a row are concealed with fading audio', () => {
    const { decoder, next } = setUp()
    const before = loudness(next(20).pcm)
    const concealed = Array.from({ length: 10 }, () => decoder.decode(damaged))
    for (const { pcm, undecodable } of concealed) assert.deepEqual([pcm?.length, undecodable], [320, 1])
    const [first, last] = [loudness(concealed[0]?.pcm), loudness(concealed[9]?.pcm)]
    assert.ok(first > before / 4, `${first} of ${before}`)
    assert.ok(last < first, `${last} after ${first}`)
    assert.deepEqual(decoder.decode(damaged), { undecodable: 1 })
    assert.equal(next(1).pcm?.length, 320, 'a good frame is decoded again')
    assert.equal(decoder.decode(damaged).pcm?.length, 320, 'the count restarts')
  })

  test('MIC-38: good and damaged frames of a message keep their positions', () => {
    const { decoder } = setUp()
    const encoded = new Lc3Encoder(SIZE).encode(tone(300))
    const message = Buffer.from(encoded)
    damaged.copy(message, 9 * SIZE)
    const { pcm, undecodable } = decoder.decode(message)
    assert.deepEqual([pcm?.length, undecodable], [30 * 320, 1])
  })

  test('MIC-39: arbitrary bytes never throw', () => {
    // A seeded generator, so that a failure can be reproduced.
    let seed = 1
    const random = () => {
      seed = (seed * 48_271) % 2_147_483_647
      return seed & 0xff
    }
    let bad = 0
    for (const size of [20, 40, 60]) {
      const decoder = new Lc3Decoder(size)
      for (let message = 0; message < 300; message += 1) {
        const { pcm, undecodable } = decoder.decode(Buffer.from(Array.from({ length: size * 2 }, random)))
        assert.ok((pcm?.length ?? 0) <= 640 && undecodable <= 2)
        bad += undecodable
      }
    }
    assert.ok(bad > 0)
  })
})
