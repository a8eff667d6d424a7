import type { Clock, Timer } from '../../../time/index.ts'
import { type AudioFrame, bytesOfMs } from './audio-backlog.ts'
import { VoiceDetector } from './voice-detector.ts'

/** Audio before the first sound of speech that is sent with it, in milliseconds. */
const PRE_ROLL_MS = 400
/** Silence that is sent after speech before it counts as a pause, in milliseconds. */
const HANGOVER_MS = 700
/** A phone that sends nothing for this long has paused, in milliseconds. */
const NO_AUDIO_MS = 1_500

export interface VoiceGateEvents {
  /** Audio that contains speech or belongs to it. */
  onAudio(frame: AudioFrame): void
  /** Speech has paused. */
  onPause(): void
}

/** Lets speech pass, as `VoiceDetector` detects it, with some silence around it. */
export class VoiceGate {
  readonly #clock: Clock
  readonly #events: VoiceGateEvents
  readonly #preRollBytes = bytesOfMs(PRE_ROLL_MS)
  readonly #hangoverBytes = bytesOfMs(HANGOVER_MS)
  readonly #detector = new VoiceDetector()
  #preRoll: AudioFrame[] = []
  #preRollLength = 0
  #isOpen = false
  #silentBytes = 0
  #lastFrameAt = 0
  #timer: Timer | undefined

  constructor(clock: Clock, events: VoiceGateEvents) {
    this.#clock = clock
    this.#events = events
  }

  /** Whether speech is passing. */
  get isOpen(): boolean {
    return this.#isOpen
  }

  /** Length of the quiet at the end of the audio, in milliseconds. */
  get quietMs(): number {
    return this.#detector.quietMs
  }

  /** Handles a voice activity report of the phone. */
  report(isSpeaking: boolean): void {
    this.#detector.report(isSpeaking)
    if (!isSpeaking) this.#close()
  }

  /** Forgets what the phone reported and the audio kept; for another phone or connection. */
  reset(): void {
    this.#detector.reset()
    this.#clearPreRoll()
  }

  /** Ends speech in progress; the audio kept is dropped. */
  stop(): void {
    this.#close()
    this.#clearPreRoll()
  }

  push(frame: AudioFrame): void {
    this.#lastFrameAt = frame.receivedAt
    const isSpeech = this.#detector.isSpeech(frame.pcm)
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
}
