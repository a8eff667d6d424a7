/** Doubles the sample rate of 16-bit PCM: between two samples comes their mean. */
export class DoubleRate {
  #last = 0

  /** @param pcm whole samples, little-endian */
  convert(pcm: Uint8Array): Uint8Array {
    const source = new DataView(pcm.buffer, pcm.byteOffset, pcm.byteLength)
    const doubled = new DataView(new ArrayBuffer(pcm.length * 2))
    for (let offset = 0; offset < pcm.length; offset += 2) {
      const sample = source.getInt16(offset, true)
      doubled.setInt16(offset * 2, (this.#last + sample) >> 1, true)
      doubled.setInt16(offset * 2 + 2, sample, true)
      this.#last = sample
    }
    return new Uint8Array(doubled.buffer)
  }
}
