import type { Clock, Timer } from '../../clock.ts'
import { type AudioFrame, bytesOfMs } from './audio-backlog.ts'

/** Audio before the first sound of speech that is sent with it, in milliseconds. */
const PRE_ROLL_MS = 400
/** Silence that is sent after speech before it counts as a pause, in milliseconds. */
const HANGOVER_MS = 700
/** A phone that sends nothing for this long has paused, in milliseconds. */
const NO_AUDIO_MS = 1_500

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

export interface VoiceGateEvents {
  /** Audio that contains speech or belongs to it. */
  onAudio(frame: AudioFrame): void
  /** Speech has paused. */
  onPause(): void
}

/**
 * Lets speech pass, with some silence around it. Speech is what the phone reports as voice activity; until it reports
 * any, speech is what is louder than the background.
 */
export class VoiceGate {
  readonly #clock: Clock
  readonly #events: VoiceGateEvents
  readonly #preRollBytes = bytesOfMs(PRE_ROLL_MS)
  readonly #hangoverBytes = bytesOfMs(HANGOVER_MS)
  #preRoll: AudioFrame[] = []
  #preRollLength = 0
  #isOpen = false
  #silentBytes = 0
  #lastFrameAt = 0
  #background = MIN_THRESHOLD / THRESHOLD_RATIO
  /** The voice activity that the phone reported; undefined if it reports none. */
  #reported: boolean | undefined
  /** Length of the audio that contradicts the report. */
  #contradictingBytes = 0
  #timer: Timer | undefined

  constructor(clock: Clock, events: VoiceGateEvents) {
    this.#clock = clock
    this.#events = events
  }

  /** Whether speech is passing. */
  get isOpen(): boolean {
    return this.#isOpen
  }

  /** Handles a voice activity report of the phone. */
  report(isSpeaking: boolean): void {
    this.#reported = isSpeaking
    this.#contradictingBytes = 0
    if (!isSpeaking) this.#close()
  }

  /** Forgets what the phone reported and the audio kept; for another phone or connection. */
  reset(): void {
    this.#reported = undefined
    this.#clearPreRoll()
  }

  /** Ends speech in progress; the audio kept is dropped. */
  stop(): void {
    this.#close()
    this.#clearPreRoll()
  }

  push(frame: AudioFrame): void {
    this.#lastFrameAt = frame.receivedAt
    const isSpeech = this.#isSpeech(frame.pcm)
    if (this.#isOpen) {
      this.#silentBytes = isSpeech ? 0 : this.#silentBytes + frame.pcm.byteLength
      this.#events.onAudio(frame)
      if (this.#silentBytes >= this.#hangoverBytes) this.#close()
      return
    }
    if (isSpeech) this.#open()
    if (this.#isOpen) this.#events.onAudio(frame)
    else this.#keep(frame)
  }

  #open(): void {
    this.#isOpen = true
    this.#silentBytes = 0
    this.#watch()
    const preRoll = this.#preRoll
    this.#clearPreRoll()
    for (const frame of preRoll) this.#events.onAudio(frame)
  }

  #close(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    this.#timer?.cancel()
    this.#timer = undefined
    this.#events.onPause()
  }

  /** Closes the gate when no audio arrives any more. */
  #watch(): void {
    this.#timer?.cancel()
    const idleMs = Math.max(0, this.#clock.monotonicNow() - this.#lastFrameAt)
    this.#timer = this.#clock.after(Math.max(1, NO_AUDIO_MS - idleMs), () => {
      if (this.#clock.monotonicNow() - this.#lastFrameAt >= NO_AUDIO_MS) this.#close()
      else this.#watch()
    })
  }

  #keep(frame: AudioFrame): void {
    this.#preRoll.push(frame)
    this.#preRollLength += frame.pcm.byteLength
    while (this.#preRoll.length > 1 && this.#preRollLength > this.#preRollBytes) {
      this.#preRollLength -= this.#preRoll.shift()?.pcm.byteLength ?? 0
    }
  }

  #clearPreRoll(): void {
    this.#preRoll = []
    this.#preRollLength = 0
  }

  #isSpeech(pcm: Uint8Array): boolean {
    const isLoud = this.#isLoud(pcm)
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
