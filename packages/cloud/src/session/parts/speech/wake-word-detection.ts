import type { Clock, Timer } from '../../../time/index.ts'
import { type AudioFrame, bytesOfMs } from './audio-backlog.ts'
import type { WakeWordSpotter, WakeWordStream } from './port.ts'

/** Speech that waits for a stream that is being opened, in milliseconds; the oldest is dropped beyond it. */
const MAX_WAITING_MS = 10_000
/** Time without speech after which the stream is closed, in milliseconds. */
const IDLE_MS = 60_000
/** Delay before a stream that failed is opened again, in milliseconds. The last value repeats. */
const RETRY_DELAYS_MS = [1_000, 2_000, 5_000, 10_000, 30_000, 60_000]

export interface WakeWordDetectionDeps {
  readonly clock: Clock
  readonly spotter: WakeWordSpotter
  /** Reserves one of the speech streams of the user; undefined if all are in use. The result releases it. */
  reserve(): (() => void) | undefined
  onDetected(phrase: string): void
  /** Called once, when it is known. @param phrases those that the model cannot detect */
  onUnspelled(phrases: readonly string[]): void
  /** `searched` or `isReserved` changed. Never called during a call of the detection, except by `push`. */
  onChanged(): void
}

interface OpenStream {
  readonly stream: WakeWordStream
  readonly release: () => void
  isReady: boolean
  /** Speech and pauses before it was ready. */
  waiting: (Uint8Array | 'pause')[]
  waitingBytes: number
}

/**
 * Detects phrases of one language in the speech of a user, with a stream to the spotter. The stream is closed while the user is silent. While
 * it does not work, and for phrases that the model cannot detect, transcripts are to be searched.
 */
export class WakeWordDetection {
  readonly #deps: WakeWordDetectionDeps
  readonly #language: string
  readonly #phrases: readonly string[]
  #open: OpenStream | undefined
  #unspelled: readonly string[] | undefined
  #failures = 0
  #retryTimer: Timer | undefined
  #idleTimer: Timer | undefined
  #lastSpeechAt: number
  #isClosed = false

  constructor(deps: WakeWordDetectionDeps, language: string, phrases: readonly string[]) {
    this.#deps = deps
    this.#language = language
    this.#phrases = phrases
    this.#lastSpeechAt = deps.clock.monotonicNow()
    this.#connect()
  }

  /** Phrases that transcripts are to be searched for. */
  get searched(): readonly string[] {
    return this.#failures > 0 ? this.#phrases : (this.#unspelled ?? [])
  }

  /** Whether it needs audio: not if the model can detect none of the phrases. */
  get needsAudio(): boolean {
    return this.#unspelled?.length !== this.#phrases.length
  }

  /** Whether it uses one of the speech streams of the user. */
  get isReserved(): boolean {
    return this.#open !== undefined
  }

  /** Handles audio that contains speech. */
  push({ pcm, receivedAt }: AudioFrame): void {
    if (!this.needsAudio) return
    this.#lastSpeechAt = receivedAt
    if (!this.#open && !this.#retryTimer) {
      this.#connect()
      this.#deps.onChanged()
    }
    if (this.#open?.isReady) this.#open.stream.push(pcm)
    else if (this.#open && this.#failures === 0) keep(this.#open, pcm)
  }

  /** Handles the end of speech. */
  pause(): void {
    if (this.#open?.isReady) this.#open.stream.pause()
    else if (this.#open && this.#open.waiting.length > 0) this.#open.waiting.push('pause')
  }

  close(): void {
    this.#isClosed = true
    this.#retryTimer?.cancel()
    this.#disconnect()
  }

  #connect(): void {
    const { spotter, reserve, onDetected } = this.#deps
    const release = reserve()
    if (!release) return this.#fail()
    const stream = spotter.open(
      { language: this.#language, phrases: this.#phrases },
      {
        ready: (unspelled) => this.#onReady(unspelled),
        detected: (phrase) => onDetected(phrase),
        failed: () => {
          this.#disconnect()
          this.#fail()
          this.#deps.onChanged()
        },
      },
    )
    this.#open = { stream, release, isReady: false, waiting: [], waitingBytes: 0 }
  }

  #onReady(unspelled: readonly string[]): void {
    const open = this.#open
    if (!open) return
    open.isReady = true
    const isNew = this.#failures > 0 || this.#unspelled === undefined
    this.#failures = 0
    for (const piece of open.waiting) {
      if (piece === 'pause') open.stream.pause()
      else open.stream.push(piece)
    }
    open.waiting = []
    if (this.#unspelled === undefined && unspelled.length > 0) this.#deps.onUnspelled(unspelled)
    this.#unspelled = unspelled
    if (this.needsAudio) this.#startIdleTimer(IDLE_MS)
    else this.#disconnect()
    if (isNew) this.#deps.onChanged()
  }

  #fail(): void {
    if (this.#isClosed) return
    const delay = RETRY_DELAYS_MS[Math.min(this.#failures, RETRY_DELAYS_MS.length - 1)] ?? 0
    this.#failures += 1
    this.#retryTimer = this.#deps.clock.after(delay, () => {
      this.#retryTimer = undefined
      this.#connect()
      this.#deps.onChanged()
    })
  }

  /** Closes the stream after a time without speech, until there is speech again. */
  #startIdleTimer(ms: number): void {
    const { clock, onChanged } = this.#deps
    this.#idleTimer = clock.after(ms, () => {
      const idleMs = clock.monotonicNow() - this.#lastSpeechAt
      if (idleMs < IDLE_MS) return this.#startIdleTimer(IDLE_MS - idleMs)
      this.#disconnect()
      onChanged()
    })
  }

  #disconnect(): void {
    const open = this.#open
    this.#open = undefined
    this.#idleTimer?.cancel()
    open?.stream.close()
    open?.release()
  }
}

function keep(open: OpenStream, pcm: Uint8Array): void {
  open.waiting.push(pcm)
  open.waitingBytes += pcm.byteLength
  while (open.waitingBytes > bytesOfMs(MAX_WAITING_MS)) {
    const dropped = open.waiting.shift()
    if (dropped !== 'pause') open.waitingBytes -= dropped?.byteLength ?? 0
  }
}
