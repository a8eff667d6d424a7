import type { Heard, SoundReader } from './sound-reader.ts'

/** Reads PCM in frames of any length: a frame may end inside a sample. */
export class PcmReader implements SoundReader {
  #half: Buffer | undefined

  weight(bytes: number): number {
    return bytes
  }

  read(frame: Buffer): Heard {
    const whole = this.#half ? Buffer.concat([this.#half, frame]) : frame
    const even = whole.byteLength - (whole.byteLength % 2)
    this.#half = even === whole.byteLength ? undefined : Buffer.from(whole.subarray(even))
    if (even === 0) return { undecodable: 0 }
    return { pcm: even === whole.byteLength ? whole : whole.subarray(0, even), undecodable: 0 }
  }

  /** The half sample at the end of a refused frame still begins the next one. */
  skip(frame: Buffer): void {
    this.read(frame)
  }
}
