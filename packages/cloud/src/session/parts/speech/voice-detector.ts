import { bytesOfMs } from './audio-backlog.ts'

/**
 * Audio that contradicts what the phone reported, after which the report counts no more, in milliseconds: the phone
 * sends audio without speech, or silence although it reported speech. It may have stopped to report.
 */
const DISTRUST_FALSE_MS = 2_000
const DISTRUST_TRUE_MS = 10_000

/** Root mean square, of 32,768, below which a frame is never speech, and above which it always is. */
const MIN_THRESHOLD = 100
const MAX_THRESHOLD = 500
/** Speech is this much louder than the background. */
const THRESHOLD_RATIO = 3

/**
 * Detects speech in audio. Speech is what the phone reports as voice activity; until it reports any, speech is what is
 * louder than the background.
 */
export class VoiceDetector {
  #background = MIN_THRESHOLD / THRESHOLD_RATIO
  /** The voice activity that the phone reported; undefined if it reports none. */
  #reported: boolean | undefined
  /** Length of the audio that contradicts the report. */
  #contradictingBytes = 0
  #quietBytes = 0

  /** Length of the quiet at the end of the audio, in milliseconds, whatever the phone reports. */
  get quietMs(): number {
    return this.#quietBytes / bytesOfMs(1)
  }

  /** Handles a voice activity report of the phone. */
  report(isSpeaking: boolean): void {
    this.#reported = isSpeaking
    this.#contradictingBytes = 0
  }

  /** Forgets what the phone reported; for another phone or connection. */
  reset(): void {
    this.#reported = undefined
  }

  /** Returns whether the next frame of the audio is speech. */
  isSpeech(pcm: Uint8Array): boolean {
    const isLoud = this.#isLoud(pcm)
    this.#quietBytes = isLoud ? 0 : this.#quietBytes + pcm.byteLength
    const reported = this.#reported
    if (reported === undefined) return isLoud
    const isContradicting = reported ? !isLoud : true
    this.#contradictingBytes = isContradicting ? this.#contradictingBytes + pcm.byteLength : 0
    const limit = reported ? DISTRUST_TRUE_MS : DISTRUST_FALSE_MS
    if (this.#contradictingBytes > bytesOfMs(limit)) this.#reported = undefined
    return reported
  }

  #isLoud(pcm: Uint8Array): boolean {
    const level = rootMeanSquare(pcm)
    const threshold = Math.min(MAX_THRESHOLD, Math.max(MIN_THRESHOLD, this.#background * THRESHOLD_RATIO))
    // The background follows quieter audio at once and louder audio within half a minute, so that speech hardly lifts it.
    const share = level < this.#background ? 0.3 : pcm.byteLength / bytesOfMs(30_000)
    this.#background += (level - this.#background) * Math.min(1, share)
    return level >= threshold
  }
}

function rootMeanSquare(pcm: Uint8Array): number {
  const view = new DataView(pcm.buffer, pcm.byteOffset, pcm.byteLength)
  let sum = 0
  let count = 0
  // Every second sample is enough.
  for (let at = 0; at + 1 < pcm.byteLength; at += 4) {
    const sample = view.getInt16(at, true)
    sum += sample * sample
    count += 1
  }
  return count === 0 ? 0 : Math.sqrt(sum / count)
}
