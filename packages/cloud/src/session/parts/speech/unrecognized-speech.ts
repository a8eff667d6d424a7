import type { Clock, Timer } from '../../../time/index.ts'
import { bytesOfMs } from './audio-backlog.ts'
import { VoiceDetector } from './voice-detector.ts'

/** Time without audio after which the reports of the phone count, in milliseconds. */
const NO_AUDIO_MS = 1_500

export interface UnrecognizedSpeechDeps {
  readonly clock: Clock
  /** Speech without a transcription after which the phone counts as not transcribing, in milliseconds. */
  readonly limitMs: number
  isPhoneConnected(): boolean
  /** Called once the user has spoken for `limitMs` without a transcription. */
  onLimit(): void
}

/**
 * Measures for how long the user has spoken since the phone last sent a transcription, while it is required to send
 * them (STT-80). Audio is measured by its length; without audio, the time between two reports of voice activity counts.
 * Pauses do not count.
 */
export class UnrecognizedSpeech {
  readonly #deps: UnrecognizedSpeechDeps
  readonly #detector = new VoiceDetector()
  #isRequired = false
  #spokenMs = 0
  /** Whether the phone reported that the user speaks. */
  #isReported = false
  /** Since when reported speech is not in `#spokenMs`; in the future while audio arrives. */
  #uncountedSince = 0
  #timer: Timer | undefined

  constructor(deps: UnrecognizedSpeechDeps) {
    this.#deps = deps
  }

  /** Whether the phone counts as not transcribing. */
  get isOverLimit(): boolean {
    return this.#spokenMs >= this.#deps.limitMs
  }

  /** Sets whether the phone is required to send transcriptions. */
  setRequired(isRequired: boolean): void {
    if (isRequired === this.#isRequired) return
    this.#isRequired = isRequired
    this.recognized()
  }

  /** Handles a voice activity report of the phone. */
  report(isSpeaking: boolean): void {
    this.#detector.report(isSpeaking)
    if (this.#isReported) this.#countReported()
    this.#isReported = isSpeaking
    this.#skipUntil(this.#now)
    this.#schedule()
  }

  /** Handles audio from the glasses. */
  push(pcm: Uint8Array): void {
    if (!this.#isRequired || this.isOverLimit) return
    this.#skipUntil(this.#now + NO_AUDIO_MS)
    if (this.#detector.isSpeech(pcm)) this.#count(pcm.byteLength / bytesOfMs(1))
  }

  /** Handles a transcription of the phone: the measurement starts again. */
  recognized(): void {
    this.#spokenMs = 0
    this.#skipUntil(this.#now)
    this.#schedule()
  }

  /** Starts again for another phone or connection. What counts as not transcribing does so until a transcription. */
  reconnected(): void {
    this.#detector.reset()
    this.#isReported = false
    if (!this.isOverLimit) this.recognized()
  }

  get #now(): number {
    return this.#deps.clock.monotonicNow()
  }

  #skipUntil(time: number): void {
    this.#uncountedSince = Math.max(this.#uncountedSince, time)
  }

  #countReported(): void {
    const ms = Math.max(0, this.#now - this.#uncountedSince)
    this.#skipUntil(this.#now)
    this.#count(ms)
  }

  #count(ms: number): void {
    if (!this.#isRequired || this.isOverLimit) return
    this.#spokenMs += ms
    if (this.isOverLimit) this.#deps.onLimit()
  }

  /** Counts reported speech when it may have reached the limit, also if the phone reports no end. */
  #schedule(): void {
    this.#timer?.cancel()
    this.#timer = undefined
    if (!this.#isRequired || !this.#isReported || this.isOverLimit) return
    const skippedMs = Math.max(0, this.#uncountedSince - this.#now)
    this.#timer = this.#deps.clock.after(skippedMs + this.#deps.limitMs - this.#spokenMs, () => {
      if (!this.#deps.isPhoneConnected()) this.#isReported = false
      else this.#countReported()
      this.#schedule()
    })
  }
}
