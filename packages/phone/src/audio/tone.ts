import { BYTES_PER_MS, SAMPLE_RATE } from './pcm.ts'

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
