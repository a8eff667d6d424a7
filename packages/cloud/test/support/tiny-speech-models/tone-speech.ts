import { SAMPLE_RATE, silence } from '@glasses-cloud/phone'
import type { ToneLanguage } from './vocabulary.ts'

export interface ToneSpeechOptions {
  readonly language: ToneLanguage
  /** Duration of a word. */
  readonly wordMs?: number
  /** Silence between two words. */
  readonly pauseMs?: number
  /** Silence before the first word. */
  readonly leadMs?: number
  /** Silence after the last word. */
  readonly tailMs?: number
  /** Between 0 and 1. */
  readonly amplitude?: number
  /** A second, quieter tone in every word, in hertz, by which the speaker model tells speakers apart. */
  readonly overtone?: number
  /** Amplitude of white noise over the whole sound. It is the same noise in each run. */
  readonly noise?: number
}

export interface ToneSpeech {
  /** 16-bit mono PCM at 16 kHz. */
  readonly pcm: Buffer
  /** The words with their times from the start of the sound. */
  readonly words: readonly { readonly word: string; readonly startMs: number; readonly endMs: number }[]
}

/** Time in which a tone becomes as loud as it will be. */
const RAMP_S = 0.005

/** Amplitude of an overtone, relative to its word. */
const OVERTONE_SHARE = 0.25

/** Synthesizes words of a {@link ToneLanguage} that the tiny models recognize: one tone each. */
export function toneSpeech(spoken: readonly string[], options: ToneSpeechOptions): ToneSpeech {
  const {
    language,
    wordMs = 240,
    pauseMs = 160,
    leadMs = 0,
    tailMs = 0,
    amplitude = 0.3,
    noise = 0,
  } = options
  const overtone = { frequency: options.overtone ?? 0, amplitude: amplitude * OVERTONE_SHARE }
  const parts = [silence(leadMs)]
  const words: { word: string; startMs: number; endMs: number }[] = []
  let timeMs = leadMs
  for (const [index, word] of spoken.entries()) {
    if (index > 0) {
      parts.push(silence(pauseMs))
      timeMs += pauseMs
    }
    const known = language.words.find((candidate) => candidate.word === word)
    if (known === undefined) throw new Error(`${word} is no word of the language ${language.code}.`)
    parts.push(sum(wordMs, [{ frequency: known.tone, amplitude }, overtone]))
    words.push({ word, startMs: timeMs, endMs: timeMs + wordMs })
    timeMs += wordMs
  }
  parts.push(silence(tailMs))
  return { pcm: withNoise(Buffer.concat(parts), noise), words }
}

/** Converts PCM to the numbers between -1 and 1 that the library expects. */
export function toSamples(pcm: Buffer): Float32Array {
  return Float32Array.from({ length: pcm.length / 2 }, (_, at) => pcm.readInt16LE(2 * at) / 32_768)
}

interface Tone {
  readonly frequency: number
  readonly amplitude: number
}

function sum(durationMs: number, tones: readonly Tone[]): Buffer {
  const count = (durationMs * SAMPLE_RATE) / 1000
  const ramp = RAMP_S * SAMPLE_RATE
  const pcm = Buffer.alloc(2 * count)
  for (let at = 0; at < count; at += 1) {
    const loudness = Math.min(1, at / ramp, (count - at) / ramp)
    let value = 0
    for (const { frequency, amplitude } of tones)
      value += amplitude * Math.sin((2 * Math.PI * frequency * at) / SAMPLE_RATE)
    pcm.writeInt16LE(toInt16(loudness * value * 32_767), 2 * at)
  }
  return pcm
}

function toInt16(value: number): number {
  return Math.round(Math.max(-32_768, Math.min(32_767, value)))
}

/** Adds white noise from a linear congruential generator (Numerical Recipes), so that a failure can be repeated. */
function withNoise(pcm: Buffer, amplitude: number): Buffer {
  if (amplitude === 0) return pcm
  let state = 1
  for (let at = 0; at < pcm.length; at += 2) {
    state = (1_664_525 * state + 1_013_904_223) % 2 ** 32
    const value = pcm.readInt16LE(at) + amplitude * 32_767 * ((2 * state) / 2 ** 32 - 1)
    pcm.writeInt16LE(toInt16(value), at)
  }
  return pcm
}
