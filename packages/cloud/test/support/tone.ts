import { SAMPLE_RATE } from '@glasses-cloud/phone'

/**
 * The share of the energy of `pcm` at one frequency: near 1 for a pure tone, near 0 for noise, silence and other tones.
 * @param pcm 16-bit mono PCM at 16 kHz
 * @param frequency in hertz
 */
export function toneShare(pcm: Buffer, frequency: number): number {
  let sine = 0
  let cosine = 0
  let energy = 0
  const count = Math.floor(pcm.length / 2)
  for (let at = 0; at < count; at += 1) {
    const value = pcm.readInt16LE(at * 2)
    const angle = (2 * Math.PI * frequency * at) / SAMPLE_RATE
    sine += value * Math.sin(angle)
    cosine += value * Math.cos(angle)
    energy += value * value
  }
  return energy === 0 ? 0 : (2 * (sine * sine + cosine * cosine)) / (count * energy)
}
