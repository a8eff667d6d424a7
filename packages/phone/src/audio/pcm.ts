/** Sample rate of microphone audio, in hertz. The format is signed 16-bit little-endian PCM, mono, without a header. */
export const SAMPLE_RATE = 16_000

/** Bytes per millisecond of microphone audio. */
export const BYTES_PER_MS = (SAMPLE_RATE * 2) / 1_000

/** Splits PCM into frames of `frameMs`; the last may be shorter. The frames share the memory of `pcm`. */
export function splitFrames(pcm: Uint8Array, frameMs: number): Uint8Array[] {
  const size = Math.max(2, Math.round(frameMs * BYTES_PER_MS) & ~1)
  return Array.from({ length: Math.ceil(pcm.length / size) }, (_, index) =>
    pcm.subarray(index * size, (index + 1) * size),
  )
}

/** PCM silence. */
export function silence(durationMs: number): Buffer {
  return Buffer.alloc(Math.round(durationMs) * BYTES_PER_MS)
}

/**
 * A PCM sine tone.
 * @param frequency in hertz
 * @param amplitude 0 to 1
 */
export function tone(durationMs: number, frequency = 440, amplitude = 0.3): Buffer {
  const pcm = silence(durationMs)
  for (let sample = 0; sample < pcm.length / 2; sample++) {
    const value = Math.sin((2 * Math.PI * frequency * sample) / SAMPLE_RATE) * amplitude
    pcm.writeInt16LE(Math.round(value * 32_767), sample * 2)
  }
  return pcm
}
