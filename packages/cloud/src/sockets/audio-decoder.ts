import { createRequire } from 'node:module'
import type { AudioFormat } from '@glasses-cloud/contract'

/** The result of decoding one binary frame. */
export interface DecodedAudio {
  /** Whole samples; absent if there are none. */
  readonly pcm?: Buffer
  /** Number of codec frames that could not be decoded. */
  readonly undecodable: number
}

/** Decodes the binary frames of one glasses socket, in order, to PCM: 16 bit, 16 kHz, mono. */
export interface AudioDecoder {
  /** Returns how many bytes of PCM a frame of this many bytes decodes to. */
  pcmBytes(frameBytes: number): number
  decode(frame: Buffer): DecodedAudio
  /** Accounts for a frame that was dropped without being decoded. */
  skip(frame: Buffer): void
}

/** Joins PCM frames of any length into whole samples: a frame may end in the middle of a sample. */
export class PcmDecoder implements AudioDecoder {
  /** The first byte of a sample whose second byte is in the next frame. */
  #partialSample: Buffer | undefined

  pcmBytes(frameBytes: number): number {
    return frameBytes
  }

  decode(frame: Buffer): DecodedAudio {
    const bytes = this.#partialSample ? Buffer.concat([this.#partialSample, frame]) : frame
    const even = bytes.byteLength - (bytes.byteLength % 2)
    this.#partialSample = even === bytes.byteLength ? undefined : Buffer.from(bytes.subarray(even))
    if (even === 0) return { undecodable: 0 }
    return { pcm: even === bytes.byteLength ? bytes : bytes.subarray(0, even), undecodable: 0 }
  }

  /** Keeps the samples after a dropped frame aligned. */
  skip(frame: Buffer): void {
    this.decode(frame)
  }
}

/** Samples of a frame: 10 ms at 16 kHz. */
const FRAME_SAMPLES = 160
const FRAME_PCM_BYTES = FRAME_SAMPLES * 2

/** Number of consecutive damaged frames that are concealed: 100 ms. */
const MAX_CONCEALED_FRAMES = 10

const require = createRequire(import.meta.url)

/** Loads the codec on first use: loading takes a tenth of the start time, and 15 MB. */
function loadCodec(): typeof import('lc3codec') {
  return require('lc3codec')
}

/**
 * Decodes LC3; each binary frame contains whole codec frames of one size. A damaged codec frame is concealed by the
 * packet loss concealment of the LC3 specification (appendix B), so that later audio keeps its timing. After
 * `MAX_CONCEALED_FRAMES` damaged frames in a row, frames are dropped until one can be decoded.
 */
export class Lc3Decoder implements AudioDecoder {
  readonly #frameBytes: number
  readonly #decoder
  readonly #errors
  readonly #samples = new Int16Array(FRAME_SAMPLES)
  /** Consecutive damaged frames. Starts at the maximum: before the first good frame there is nothing to extrapolate. */
  #damaged = MAX_CONCEALED_FRAMES

  constructor(frameBytes: number) {
    const { Core, Decoder } = loadCodec()
    this.#frameBytes = frameBytes
    this.#decoder = new Decoder.LC3Decoder(Core.LC3FrameDuration.NMS_10000US, Core.LC3SampleRate.FS_16000)
    this.#errors = new Decoder.LC3BEC()
  }

  pcmBytes(frameBytes: number): number {
    return Math.ceil(frameBytes / this.#frameBytes) * FRAME_PCM_BYTES
  }

  decode(message: Buffer): DecodedAudio {
    const count = message.byteLength / this.#frameBytes
    // A partial frame makes the frame boundaries of the whole message unknown.
    if (!Number.isInteger(count)) return { undecodable: 1 }
    const pcm = Buffer.allocUnsafe(count * FRAME_PCM_BYTES)
    let length = 0
    let undecodable = 0
    for (let at = 0; at < message.byteLength; at += this.#frameBytes) {
      if (this.#decodeFrame(message.subarray(at, at + this.#frameBytes))) this.#damaged = 0
      else {
        undecodable += 1
        this.#damaged += 1
      }
      if (this.#damaged > MAX_CONCEALED_FRAMES) continue
      for (const sample of this.#samples) length = pcm.writeInt16LE(sample, length)
    }
    return length === 0 ? { undecodable } : { pcm: pcm.subarray(0, length), undecodable }
  }

  skip(): void {}

  /**
   * Decodes one codec frame into `#samples`.
   * @returns false if the frame is damaged; the samples are then the codec's concealment
   */
  #decodeFrame(frame: Buffer): boolean {
    this.#errors.clear()
    this.#decoder.decode(frame, this.#errors, this.#samples)
    return !this.#errors.isMarked()
  }
}

export function createAudioDecoder(format: AudioFormat): AudioDecoder {
  return format.format === 'pcm' ? new PcmDecoder() : new Lc3Decoder(format.frameSizeBytes)
}
