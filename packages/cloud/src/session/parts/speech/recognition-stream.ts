import type { Clock, Timer } from '../../../time/index.ts'
import { AudioBacklog, type AudioFrame } from './audio-backlog.ts'
import type { SpeechFailure, SpeechOptions, SpeechProvider, SpeechSegment } from './port.ts'
import { ProviderAttempt } from './provider-attempt.ts'
import type { ProviderHealth } from './provider-health.ts'

/** Audio that is kept until it is final, in milliseconds. */
const BACKLOG_MS = 30_000
/** Speech without a final segment is finalized after this time, in milliseconds. */
const MAX_UTTERANCE_MS = 20_000
/** Limit for opening a stream while another provider could take over, and otherwise; in milliseconds. */
const OPEN_TIMEOUT_MS = 1_500
const LAST_OPEN_TIMEOUT_MS = 10_000
/** Time without a provider after which the phone stands in, in milliseconds. */
const STAND_IN_DELAY_MS = 2_000
/** Time without speech after which the stream to the provider is closed, in milliseconds. */
const IDLE_MS = 60_000
/** How long the phone may take to finish an utterance after a pause, in milliseconds. */
const PHONE_SETTLE_MS = 1_500

/** A segment with absolute times and its provider. */
export interface RecognizedSegment extends SpeechSegment {
  readonly provider: string
  /** Epoch milliseconds. */
  readonly startTime: number
  readonly endTime: number
}

export interface RecognitionStreamDeps {
  readonly clock: Clock
  readonly health: ProviderHealth
  /** Whether speech is in progress. */
  isSpeaking(): boolean
  onSegment(segment: RecognizedSegment): void
  /** `state` or `failure` changed. */
  onStateChanged(): void
  recordDelay(provider: string, ms: number): void
  recordFailover(from: string): void
  onAudioDropped(): void
}

/**
 * - `ready`: a provider recognizes, or the stream is idle until the next speech.
 * - `connecting`: no provider is ready yet, for a short time.
 * - `down`: no provider is available.
 */
export type RecognitionState = 'ready' | 'connecting' | 'down'

/**
 * Recognizes speech in one language with the preferred provider that works. When a provider fails, the next one receives
 * the audio since the last final segment, so that no final segment is lost or repeated. A preferred provider is retried
 * in the background, and used again after the next pause.
 */
export class RecognitionStream {
  readonly language: string
  readonly #deps: RecognitionStreamDeps
  readonly #backlog = new AudioBacklog(BACKLOG_MS)
  #options: SpeechOptions
  /** Recognizes, or is being connected. */
  #active: ProviderAttempt | undefined
  /** Connected or being connected, to replace the active one after a pause. */
  #standby: ProviderAttempt | undefined
  #state: RecognitionState = 'connecting'
  #failure: SpeechFailure | undefined
  /** Name of the provider that recognized last, to count fail-overs. */
  #lastProvider: SpeechProvider | undefined
  /** Whether the phone has recognized speech since no provider was available. */
  #phoneStandsIn = false
  #phoneUtteranceOpen = false
  #finalizeRequested = 0
  /** The last interim segment, to report only changes: some providers repeat it with every message. */
  #lastInterim = ''
  #droppedReported = false
  #lastSpeechAt: number
  #isClosed = false
  #retryTimer: Timer | undefined
  #standInTimer: Timer | undefined
  #idleTimer: Timer | undefined
  #phoneTimer: Timer | undefined

  constructor(deps: RecognitionStreamDeps, options: SpeechOptions) {
    this.#deps = deps
    this.#options = options
    this.language = options.language
    this.#lastSpeechAt = deps.clock.monotonicNow()
    this.#startIdleTimer(IDLE_MS)
    this.#connect()
  }

  get state(): RecognitionState {
    return this.#state
  }

  /** Why no provider is available, while the state is `down`. */
  get failure(): SpeechFailure | undefined {
    return this.#failure
  }

  /** Whether the phone recognizes instead of a provider. */
  get isServedByPhone(): boolean {
    return this.#phoneStandsIn
  }

  /** Language of native translations that the current provider delivers. */
  get translatesTo(): string | undefined {
    return this.#active?.options.translateTo
  }

  /** Changes the options; they apply after the next pause. */
  setOptions(options: SpeechOptions): void {
    if (isSameOptions(this.#options, options)) return
    this.#options = options
    this.#prepareStandby()
  }

  /** Handles audio that contains speech. */
  push(frame: AudioFrame): void {
    if (this.#isClosed) return
    this.#lastSpeechAt = frame.receivedAt
    if (this.#backlog.push(frame) > 0) this.#reportDropped()
    if (!this.#active) {
      if (!this.#standby && !this.#retryTimer) this.#connect()
      return
    }
    if (!this.#active.isReady) return
    this.#active.push(frame.pcm)
    if (this.#backlog.lengthMs >= MAX_UTTERANCE_MS) this.#finalizeLongUtterance()
  }

  /** Handles the end of speech. */
  pause(): void {
    if (this.#isClosed) return
    if (this.#active?.isReady && !this.#backlog.isEmpty) this.#finalize()
    else this.#switchIfSettled()
    if (this.#phoneStandsIn) this.#waitForPhone()
  }

  /**
   * Handles a result of the phone.
   * @returns whether the phone stands in, so that the result counts
   */
  acceptPhoneResult(isFinal: boolean): boolean {
    if (this.#state !== 'down' && !this.#phoneStandsIn) return false
    this.#phoneStandsIn = true
    this.#phoneUtteranceOpen = !isFinal
    // The phone has recognized it: a provider must not recognize it again.
    if (isFinal) this.#backlog.commit(this.#backlog.end)
    if (isFinal) this.#switchIfSettled()
    return true
  }

  close(): void {
    this.#isClosed = true
    this.#active?.close()
    this.#standby?.close()
    for (const timer of [this.#retryTimer, this.#standInTimer, this.#idleTimer, this.#phoneTimer])
      timer?.cancel()
  }

  #connect(): void {
    const { health } = this.#deps
    this.#retryTimer?.cancel()
    this.#retryTimer = undefined
    const provider = health.best(this.language)
    if (this.#state === 'ready') this.#setState('connecting')
    if (provider) this.#active = this.#open(provider)
    else {
      const delay = health.retryInMs(this.language)
      if (delay === undefined) return this.#setDown()
      this.#scheduleRetry(delay, () => this.#connect())
    }
    this.#startStandInTimer()
  }

  #open(provider: SpeechProvider): ProviderAttempt {
    const { clock, health } = this.#deps
    return new ProviderAttempt(
      provider,
      this.#optionsFor(provider),
      clock,
      health.hasAlternative(this.language, provider) ? OPEN_TIMEOUT_MS : LAST_OPEN_TIMEOUT_MS,
      {
        onReady: (attempt) => this.#onReady(attempt),
        onSegment: (attempt, segment) => this.#onSegment(attempt, segment),
        onFinalized: (attempt, position) => this.#onFinalized(attempt, position),
        onFailed: (attempt, failure) => this.#onFailed(attempt, failure),
      },
    )
  }

  #onReady(attempt: ProviderAttempt): void {
    if (attempt === this.#standby) this.#switchIfSettled()
    else if (this.#phoneStandsIn) {
      this.#active = undefined
      this.#standby = attempt
      this.#switchIfSettled()
    } else this.#activate(attempt)
  }

  /** Lets the attempt recognize from the first audio that is not final. */
  #activate(attempt: ProviderAttempt): void {
    const { health, recordFailover, isSpeaking } = this.#deps
    this.#active = attempt
    this.#standInTimer?.cancel()
    this.#standInTimer = undefined
    this.#droppedReported = false
    if (this.#lastProvider && health.isPreferred(this.#lastProvider, attempt.provider))
      recordFailover(this.#lastProvider.name)
    this.#lastProvider = attempt.provider
    attempt.startAt(this.#backlog.start)
    this.#finalizeRequested = 0
    for (const pcm of this.#backlog.read(this.#backlog.start)) attempt.push(pcm)
    if (!isSpeaking() && !this.#backlog.isEmpty) this.#finalize()
    this.#phoneStandsIn = false
    this.#failure = undefined
    this.#setState('ready')
    this.#prepareStandby()
  }

  #onSegment(attempt: ProviderAttempt, segment: SpeechSegment): void {
    if (attempt !== this.#active) return
    const { utteranceId, text, translation, speakerId } = segment
    const interim = segment.isFinal ? '' : [utteranceId, speakerId, text, translation].join('\n')
    if (!segment.isFinal && interim === this.#lastInterim) return
    this.#lastInterim = interim
    const { clock, health, recordDelay, onSegment } = this.#deps
    const { provider } = attempt
    const start = attempt.positionOf(segment.startMs)
    const end = attempt.positionOf(segment.endMs)
    const now = clock.now()
    const receivedAt = this.#backlog.receivedAt(end - 2)
    if (receivedAt !== undefined) recordDelay(provider.name, clock.monotonicNow() - receivedAt)
    const endTime = this.#backlog.spokenAt(end) ?? now
    const startTime = Math.min(endTime, this.#backlog.spokenAt(start) ?? now)
    if (segment.isFinal) {
      health.recordSuccess(provider)
      this.#backlog.commit(end)
    }
    onSegment({ ...segment, provider: provider.name, startTime, endTime })
  }

  #onFinalized(attempt: ProviderAttempt, position: number): void {
    if (attempt !== this.#active) return
    this.#deps.health.recordSuccess(attempt.provider)
    this.#backlog.commit(position)
    this.#switchIfSettled()
  }

  #onFailed(attempt: ProviderAttempt, failure: SpeechFailure): void {
    this.#deps.health.recordFailure(attempt.provider, this.language, failure)
    if (attempt === this.#standby) {
      this.#standby = undefined
      if (this.#active) this.#prepareStandby()
      else this.#connect()
      return
    }
    this.#active = undefined
    this.#failure = failure
    const standby = this.#standby
    this.#standby = undefined
    if (standby?.isReady) return this.#activate(standby)
    if (!standby) return this.#connect()
    this.#active = standby
    this.#setState('connecting')
    this.#startStandInTimer()
  }

  /** Connects a provider that is to replace the active one: a preferred one that can be retried, or other options. */
  #prepareStandby(): void {
    if (this.#isClosed || this.#standby || !this.#active?.isReady) return
    const { health } = this.#deps
    const { provider, options } = this.#active
    const best = health.best(this.language)
    if (best && health.isPreferred(best, provider)) this.#standby = this.#open(best)
    else if (!isSameOptions(options, this.#optionsFor(provider))) this.#standby = this.#open(provider)
    else {
      const delay = health.retryInMs(this.language, provider)
      if (delay !== undefined) this.#scheduleRetry(delay, () => this.#prepareStandby())
    }
  }

  /** Switches to the replacement if nothing is being said and everything said is final. */
  #switchIfSettled(): void {
    const standby = this.#standby
    if (!standby?.isReady || this.#deps.isSpeaking() || this.#phoneUtteranceOpen) return
    if (this.#active?.isReady && !this.#backlog.isEmpty) return
    this.#active?.close()
    this.#standby = undefined
    this.#activate(standby)
  }

  #finalize(): void {
    this.#finalizeRequested = this.#backlog.end
    this.#active?.finalize()
  }

  /** Finalizes an utterance that has lasted too long, once for each stretch of audio. */
  #finalizeLongUtterance(): void {
    if (this.#finalizeRequested <= this.#backlog.start) this.#finalize()
  }

  #optionsFor(provider: SpeechProvider): SpeechOptions {
    const { translateTo, ...options } = this.#options
    return provider.translates && translateTo !== undefined ? { ...options, translateTo } : options
  }

  /** After a pause the phone may finish its utterance; then a provider takes over again. */
  #waitForPhone(): void {
    this.#phoneTimer?.cancel()
    this.#phoneTimer = this.#deps.clock.after(PHONE_SETTLE_MS, () => {
      if (this.#deps.isSpeaking()) return
      this.#phoneUtteranceOpen = false
      this.#backlog.commit(this.#backlog.end)
      this.#switchIfSettled()
    })
  }

  #scheduleRetry(delayMs: number, run: () => void): void {
    this.#retryTimer?.cancel()
    this.#retryTimer = this.#deps.clock.after(Math.max(1, delayMs), () => {
      this.#retryTimer = undefined
      run()
    })
  }

  #startStandInTimer(): void {
    if (this.#state === 'down') return
    this.#standInTimer ??= this.#deps.clock.after(STAND_IN_DELAY_MS, () => {
      this.#standInTimer = undefined
      if (!this.#active?.isReady) this.#setDown()
    })
  }

  #startIdleTimer(ms: number): void {
    this.#idleTimer = this.#deps.clock.after(ms, () => this.#closeIfIdle())
  }

  /** Closes the connections until there is speech again. A provider that is not ready is still being waited for. */
  #closeIfIdle(): void {
    const idleMs = this.#deps.clock.monotonicNow() - this.#lastSpeechAt
    const isIdle = idleMs >= IDLE_MS && this.#active?.isReady && this.#backlog.isEmpty
    this.#startIdleTimer(idleMs < IDLE_MS ? IDLE_MS - idleMs : IDLE_MS)
    if (!isIdle || this.#deps.isSpeaking()) return
    this.#active?.close()
    this.#active = undefined
    this.#standby?.close()
    this.#standby = undefined
    this.#retryTimer?.cancel()
    this.#retryTimer = undefined
  }

  #reportDropped(): void {
    if (this.#droppedReported) return
    this.#droppedReported = true
    this.#deps.onAudioDropped()
  }

  #setDown(): void {
    this.#failure ??= this.#deps.health.reason(this.language)
    this.#setState('down')
  }

  #setState(state: RecognitionState): void {
    if (this.#state === state) return
    this.#state = state
    this.#deps.onStateChanged()
  }
}

function isSameOptions(first: SpeechOptions, second: SpeechOptions): boolean {
  return JSON.stringify(first) === JSON.stringify(second)
}
