import type { Clock, Timer } from '../../../time/index.ts'
import { PCM_BYTES_PER_SECOND } from '../../audio-ring.ts'
import type { SpeechFailure, SpeechOptions, SpeechProvider, SpeechSegment, SpeechStream } from './port.ts'

export interface ProviderAttemptEvents {
  onReady(attempt: ProviderAttempt): void
  onSegment(attempt: ProviderAttempt, segment: SpeechSegment): void
  /** All audio up to the position is recognized. */
  onFinalized(attempt: ProviderAttempt, position: number): void
  onFailed(attempt: ProviderAttempt, failure: SpeechFailure): void
}

/** A session that ends sooner did not reach its maximum length, in milliseconds. */
const MIN_SESSION_MS = 5_000

/** One stream to one provider, with deadlines. Reports at most one failure, and nothing after `close`. */
export class ProviderAttempt {
  readonly provider: SpeechProvider
  readonly options: SpeechOptions
  readonly #clock: Clock
  readonly #events: ProviderAttemptEvents
  readonly #stream: SpeechStream
  /** Position in the audio of the session's stream at which the audio of this stream begins. */
  #base = 0
  /** Position up to which audio was sent. */
  #sent = 0
  /** Positions of finalizations that are not answered yet. */
  readonly #finalizing: number[] = []
  readonly #openedAt: number
  #isReady = false
  #isClosed = false
  #deadline: Timer | undefined

  /** @param openTimeoutMs limit for the connection */
  constructor(
    provider: SpeechProvider,
    options: SpeechOptions,
    clock: Clock,
    openTimeoutMs: number,
    events: ProviderAttemptEvents,
  ) {
    this.provider = provider
    this.options = options
    this.#clock = clock
    this.#events = events
    this.#openedAt = clock.monotonicNow()
    this.#setDeadline(openTimeoutMs, `${provider.name} does not accept the stream in time`)
    this.#stream = provider.open(options, {
      ready: () => this.#whileOpen(() => this.#onReady()),
      segment: (segment) => this.#whileOpen(() => events.onSegment(this, segment)),
      finalized: () => this.#whileOpen(() => this.#onFinalized()),
      failed: (failure) => this.#whileOpen(() => this.#fail(failure)),
    })
  }

  get isReady(): boolean {
    return this.#isReady
  }

  /** Sets the position of the first audio, before any is pushed. */
  startAt(position: number): void {
    this.#base = position
    this.#sent = position
  }

  /** Position in the audio of the session's stream of a time in the audio of this stream. */
  positionOf(ms: number): number {
    const bytes = Math.round((Math.max(0, ms) * PCM_BYTES_PER_SECOND) / 1_000)
    return Math.min(this.#sent, this.#base + bytes - (bytes % 2))
  }

  push(pcm: Uint8Array): void {
    if (this.#isClosed) return
    this.#sent += pcm.byteLength
    this.#stream.push(pcm)
  }

  finalize(): void {
    if (this.#isClosed) return
    this.#finalizing.push(this.#sent)
    if (this.#finalizing.length === 1) this.#setFinalizeDeadline()
    this.#stream.finalize()
  }

  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#deadline?.cancel()
    this.#stream.close()
  }

  #onReady(): void {
    if (this.#isReady) return
    this.#isReady = true
    this.#deadline?.cancel()
    this.#events.onReady(this)
  }

  #onFinalized(): void {
    const position = this.#finalizing.shift()
    if (position === undefined) return
    this.#deadline?.cancel()
    if (this.#finalizing.length > 0) this.#setFinalizeDeadline()
    this.#events.onFinalized(this, position)
  }

  #setFinalizeDeadline(): void {
    const { name, finalizeTimeoutMs } = this.provider
    this.#setDeadline(finalizeTimeoutMs, `${name} does not finalize in time`)
  }

  #setDeadline(ms: number, message: string): void {
    this.#deadline?.cancel()
    this.#deadline = this.#clock.after(ms, () =>
      this.#whileOpen(() => this.#fail({ kind: 'retryable', message })),
    )
  }

  #fail(failure: SpeechFailure): void {
    this.close()
    const isPremature = this.#clock.monotonicNow() - this.#openedAt < MIN_SESSION_MS
    const kind = failure.kind === 'expired' && isPremature ? 'retryable' : failure.kind
    this.#events.onFailed(this, { ...failure, kind })
  }

  #whileOpen(task: () => void): void {
    if (!this.#isClosed) task()
  }
}
