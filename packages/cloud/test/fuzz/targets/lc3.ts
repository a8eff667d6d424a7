import assert from 'node:assert/strict'
import { LC3_FRAME_SIZES_BYTES } from '@glasses-cloud/contract'
import { createAudioDecoder } from '../../../src/sockets/audio-decoder.ts'
import type { FuzzTarget } from '../target.ts'

const FRAME_PCM_BYTES = 320

const FORMATS = [
  { format: 'pcm' },
  ...LC3_FRAME_SIZES_BYTES.map((frameSizeBytes) => ({ format: 'lc3', frameSizeBytes }) as const),
] as const

/** Divides an input into binary frames: the first byte of each gives its length. */
function* framesOf(input: Buffer): Generator<Buffer> {
  for (let at = 1; at < input.length; ) {
    const length = input.readUInt8(at)
    yield Buffer.from(input.subarray(at + 1, at + 1 + length))
    at += 1 + length
  }
}

function decodeAll(input: Buffer): string[] {
  const format = FORMATS[(input[0] ?? 0) % FORMATS.length]
  assert.ok(format)
  const decoder = createAudioDecoder(format)
  let carried = 0
  return Array.from(framesOf(input), (frame) => {
    const { pcm, undecodable } = decoder.decode(frame)
    const bytes = pcm?.length ?? 0
    assert.equal(bytes % 2, 0, 'whole samples')
    assert.ok(bytes <= decoder.pcmBytes(frame.length) + carried, 'no more sound than was charged')
    if (format.format === 'pcm') {
      assert.equal(undecodable, 0)
      assert.equal(bytes, frame.length + carried - ((frame.length + carried) % 2))
      carried = (frame.length + carried) % 2
    } else {
      assert.equal(bytes % FRAME_PCM_BYTES, 0)
      assert.ok(undecodable <= Math.max(1, frame.length / format.frameSizeBytes))
    }
    return `${undecodable} ${pcm?.toString('base64') ?? ''}`
  })
}

/** The binary frames of glasses: PCM of any length, and LC3. */
export const target: FuzzTarget = {
  maxBytes: 1_024,
  open: () => ({
    seeds: FORMATS.flatMap((format, index) => {
      const length = format.format === 'pcm' ? 7 : format.frameSizeBytes
      const frame = Buffer.alloc(length, 0x55)
      return [
        Buffer.concat([Buffer.of(index, length), frame, Buffer.of(length), Buffer.alloc(length)]),
        Buffer.concat([Buffer.of(index, 2 * length), frame, frame]),
      ]
    }),
    run(input) {
      assert.deepEqual(decodeAll(input), decodeAll(input), 'the same frames have the same sound')
    },
  }),
}
