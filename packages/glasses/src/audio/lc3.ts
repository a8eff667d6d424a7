import lc3codec from 'lc3codec'

/** 10 ms at 16 kHz. */
const SAMPLES_PER_FRAME = 160
const PCM_BYTES_PER_FRAME = SAMPLES_PER_FRAME * 2

const { LC3FrameDuration, LC3SampleRate } = lc3codec.Core

/** Encodes one sound as LC3, piece by piece: frames of 10 ms, each of so many bytes. */
export class Lc3Encoder {
  readonly #encoder = new lc3codec.Encoder.LC3Encoder(LC3FrameDuration.NMS_10000US, LC3SampleRate.FS_16000)
  readonly #frameBytes: number

  /** @param frameBytes 20, 40 or 60 for phones; the codec knows 20 to 400 */
  constructor(frameBytes: number) {
    this.#frameBytes = frameBytes
  }

  /**
   * @param pcm 16-bit mono PCM at 16 kHz; silence fills up its last 10 ms
   * @returns whole frames, one after the other
   */
  encode(pcm: Buffer): Buffer {
    const count = Math.ceil(pcm.length / PCM_BYTES_PER_FRAME)
    const encoded = Buffer.alloc(count * this.#frameBytes)
    const samples = new Int16Array(SAMPLES_PER_FRAME)
    for (let frame = 0; frame < count; frame++) {
      samples.fill(0)
      const sound = pcm.subarray(frame * PCM_BYTES_PER_FRAME, (frame + 1) * PCM_BYTES_PER_FRAME)
      for (let at = 0; at + 1 < sound.length; at += 2) samples[at / 2] = sound.readInt16LE(at)
      const start = frame * this.#frameBytes
      this.#encoder.encode(samples, this.#frameBytes, encoded.subarray(start, start + this.#frameBytes))
    }
    return encoded
  }
}
