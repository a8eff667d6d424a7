import type { AudioDecoder, DecodedAudio } from './audio-decoder.ts'

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
