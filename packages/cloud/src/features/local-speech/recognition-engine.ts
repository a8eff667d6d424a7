import type { SpeechSegment } from '../../session/index.ts'

/** What a recognizer reports of its streams. */
export interface RecognitionEvents {
  /** @param voice vector of the voice of a final segment, if speakers are told apart */
  segment(stream: number, segment: SpeechSegment, voice?: Float32Array): void
  /** Everything up to the corresponding `finalize` was reported. */
  finalized(stream: number): void
  /** Audio was taken from the queue of a stream. */
  consumed(stream: number, bytes: number): void
}

/**
 * Recognizes the speech of several streams with one model. Calls only queue; the work is done by `step`, in pieces that take
 * turns, so that no stream waits for the whole speech of another one.
 */
export interface RecognitionEngine {
  /** @param language code to recognize; undefined to detect it */
  open(stream: number, language: string | undefined): void
  /** @param pcm 16 kHz, 16 bit, mono, little-endian */
  push(stream: number, pcm: Uint8Array): void
  /** Requests final segments for all audio pushed so far, answered by `finalized`. */
  finalize(stream: number): void
  /** Drops what is outstanding. */
  close(stream: number): void
  /** Does one piece of the work. @returns milliseconds until the next piece is due; undefined: not before the next call */
  step(): number | undefined
}

export const SAMPLE_RATE = 16_000

/** Bytes of PCM for each millisecond. */
export const BYTES_PER_MS = 32

/** PCM of 16 bit as the library expects it: -1 to 1. */
export function toSamples(pcm: Uint8Array): Float32Array {
  const view = new DataView(pcm.buffer, pcm.byteOffset, pcm.byteLength)
  const samples = new Float32Array(pcm.byteLength >> 1)
  for (let index = 0; index < samples.length; index += 1)
    samples[index] = view.getInt16(index * 2, true) / 0x8000
  return samples
}

/** Joins pieces of audio. */
export function joined(pieces: readonly Float32Array[]): Float32Array {
  const samples = new Float32Array(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) {
    samples.set(piece, at)
    at += piece.length
  }
  return samples
}

/**
 * The text of a result. Many models write capital letters only, which are hard to read on a lens: their text is in lower
 * case.
 */
export function readableText(text: string): string {
  const clean = text.trim().replace(/\s+/g, ' ')
  return clean === clean.toUpperCase() ? clean.toLowerCase() : clean
}

/** The language of a result such as `<|en|>`; undefined if there is none. */
export function resultLanguage(lang: string | undefined): string | undefined {
  return lang?.match(/^(?:<\|)?([a-z]{2,3})(?:\|>)?$/)?.[1]
}
