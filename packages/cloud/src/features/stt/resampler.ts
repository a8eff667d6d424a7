/** Converts PCM of 16 bit from 16 to 24 kHz by linear interpolation, across the borders of frames. */
export class Resampler {
  #last = 0
  #count = 0

  /** Returns three samples for every two. */
  resample(pcm: Uint8Array): Buffer {
    const input = new DataView(pcm.buffer, pcm.byteOffset, pcm.byteLength)
    const output = Buffer.allocUnsafe(pcm.byteLength * 2 + 2)
    let length = 0
    for (let at = 0; at + 1 < pcm.byteLength; at += 2) {
      const sample = input.getInt16(at, true)
      const last = this.#last
      if (this.#count % 2 === 1) length = output.writeInt16LE(Math.round((last + 2 * sample) / 3), length)
      else {
        if (this.#count > 0) length = output.writeInt16LE(Math.round((2 * last + sample) / 3), length)
        length = output.writeInt16LE(sample, length)
      }
      this.#last = sample
      this.#count += 1
    }
    return output.subarray(0, length)
  }
}
