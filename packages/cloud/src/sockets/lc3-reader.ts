import { createRequire } from 'node:module'
import type { Heard, SoundReader } from './sound-reader.ts'

/** 10 ms at 16 kHz. */
const SAMPLES = 160
const PCM_BYTES = SAMPLES * 2

/** For how many damaged frames in a row the codec makes up for them: a tenth of a second. */
const CONCEALED = 10

const require = createRequire(import.meta.url)

/** Loaded when the first phone sends LC3: it takes as long as a tenth of the cloud's start, and 15 MB. */
function codec(): typeof import('lc3codec') {
  return require('lc3codec')
}

/**
 * Reads LC3: each message holds whole frames of one size. A damaged frame is concealed as the LC3 specification says
 * (appendix B: like the frames before it, fading), so that what follows keeps its time; for a tenth of a second, since
 * nobody is to be told for long what was not said. Then nothing passes until a frame can be decoded.
 */
export class Lc3Reader implements SoundReader {
  readonly #frameBytes: number
  readonly #decoder
  readonly #errors
  readonly #samples = new Int16Array(SAMPLES)
  /** Damaged frames since the last good one; before the first there is nothing to go by. */
  #damaged = CONCEALED

  constructor(frameBytes: number) {
    const { Core, Decoder } = codec()
    this.#frameBytes = frameBytes
    this.#decoder = new Decoder.LC3Decoder(Core.LC3FrameDuration.NMS_10000US, Core.LC3SampleRate.FS_16000)
    this.#errors = new Decoder.LC3BEC()
  }

  weight(bytes: number): number {
    return Math.ceil(bytes / this.#frameBytes) * PCM_BYTES
  }

  read(message: Buffer): Heard {
    const count = message.byteLength / this.#frameBytes
    // Where its frames begin is anybody's guess.
    if (!Number.isInteger(count)) return { undecodable: 1 }
    const pcm = Buffer.allocUnsafe(count * PCM_BYTES)
    let length = 0
    let undecodable = 0
    for (let at = 0; at < message.byteLength; at += this.#frameBytes) {
      if (this.#decode(message.subarray(at, at + this.#frameBytes))) this.#damaged = 0
      else {
        undecodable += 1
        this.#damaged += 1
      }
      if (this.#damaged > CONCEALED) continue
      for (const sample of this.#samples) length = pcm.writeInt16LE(sample, length)
    }
    return length === 0 ? { undecodable } : { pcm: pcm.subarray(0, length), undecodable }
  }

  skip(): void {}

  /** @returns whether the frame was sound; if not, the samples are the codec's guess */
  #decode(frame: Buffer): boolean {
    this.#errors.clear()
    this.#decoder.decode(frame, this.#errors, this.#samples)
    return !this.#errors.isMarked()
  }
}
