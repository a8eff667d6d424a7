// The main module of the package loads worker threads, which browsers do not have.
import frequencies from 'lc3codec/lc3/common/fs.js'
import durations from 'lc3codec/lc3/common/nms.js'
import encoders from 'lc3codec/lc3/encoder/encoder.js'

/** 10 ms at 16 kHz. */
const SAMPLES_PER_FRAME = 160
const PCM_BYTES_PER_FRAME = SAMPLES_PER_FRAME * 2

const { LC3SampleRate } = frequencies
const { LC3FrameDuration } = durations

/** Stateful LC3 encoder: 10 ms frames of a fixed size at 16 kHz. */
export class Lc3Encoder {
  readonly #encoder = new encoders.LC3Encoder(LC3FrameDuration.NMS_10000US, LC3SampleRate.FS_16000)
  readonly #frameBytes: number

  /** @param frameBytes size of an encoded frame: 20, 40 or 60 on phones; the codec supports 20 to 400 */
  constructor(frameBytes: number) {
    this.#frameBytes = frameBytes
  }

  /**
   * @param pcm 16-bit mono PCM at 16 kHz; the last 10 ms are padded with silence
   * @returns the encoded frames, concatenated
   */
  encode(pcm: Uint8Array): Uint8Array {
    const count = Math.ceil(pcm.length / PCM_BYTES_PER_FRAME)
    const encoded = new Uint8Array(count * this.#frameBytes)
    const view = new DataView(pcm.buffer, pcm.byteOffset, pcm.byteLength)
    const samples = new Int16Array(SAMPLES_PER_FRAME)
    for (let frame = 0; frame < count; frame++) {
      samples.fill(0)
      const frameSamples = pcm.subarray(frame * PCM_BYTES_PER_FRAME, (frame + 1) * PCM_BYTES_PER_FRAME)
      for (let offset = 0; offset + 1 < frameSamples.length; offset += 2)
        samples[offset / 2] = view.getInt16(frame * PCM_BYTES_PER_FRAME + offset, true)
      const start = frame * this.#frameBytes
      this.#encoder.encode(samples, this.#frameBytes, encoded.subarray(start, start + this.#frameBytes))
    }
    return encoded
  }
}
