import type { Clock, Timer } from '../../../time/index.ts'
import { AudioBacklog, type AudioFrame } from './audio-backlog.ts'
import type { SpeechFailure, SpeechOptions, SpeechProvider, SpeechSegment } from './port.ts'
import { ProviderAttempt } from './provider-attempt.ts'
import type { ProviderHealth } from './provider-health.ts'

/** Audio that is kept until it is final, in milliseconds: an utterance of full length and the backlog of a stall. */
const BACKLOG_MS = 60_000
/**
 * Speech without a final segment is finalized in a gap between words: from the length on, in a gap of that length, in
 * milliseconds. At the last one it is finalized without a gap.
 */
const CUTS: readonly { readonly lengthMs: number; readonly gapMs: number }[] = [
  { lengthMs: 15_000, gapMs: 200 },
  { lengthMs: 18_000, gapMs: 80 },
  { lengthMs: 20_000, gapMs: 0 },
]
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
  /** Length of the quiet at the end of the audio, in milliseconds. */
  quietMs(): number
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

/** No provider is ready. */
interface Waiting {
  /** Being connected; if it is ready, it waits until the phone has finished. */
  attempt: ProviderAttempt | undefined
  /** Runs while no provider can be tried. */
  retryTimer: Timer | undefined
  /** Of the last provider. */
  failure: SpeechFailure | undefined
}

interface Connecting extends Waiting {
  readonly phase: 'connecting'
  /** Runs until results of the phone count. */
  readonly standInTimer: Timer
}

interface Down extends Waiting {
  readonly phase: 'down'
  /** Set once the phone has recognized speech. */
  phone: { isUtteranceOpen: boolean; settleTimer: Timer | undefined } | undefined
}

interface Recognizing {
  readonly phase: 'recognizing'
  readonly attempt: ProviderAttempt
  /** Connected or being connected, to replace the attempt after a pause. */
  standby: ProviderAttempt | undefined
  /** Runs until a preferred provider can be tried again. */
  retryTimer: Timer | undefined
  idleTimer: Timer | undefined
  lastSpeechAt: number
  /** Position up to which the provider was last requested to finalize. */
  finalizeRequested: number
  /** The last interim segment, to report only changes: some providers repeat it with every message. */
  lastInterim: string
}

/** `idle`: no provider is connected until there is speech. */
type State = { readonly phase: 'idle' } | Connecting | Down | Recognizing | { readonly phase: 'closed' }

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
  #state: State = { phase: 'idle' }
  /** The provider that recognized last, to count fail-overs. */
  #lastProvider: SpeechProvider | undefined
  /** Whether the loss of audio was reported since a provider began to recognize. */
  #isLossReported = false

  constructor(deps: RecognitionStreamDeps, options: SpeechOptions) {
    this.#deps = deps
    this.#options = options
    this.language = options.language
    this.#connect()
  }

  get state(): RecognitionState {
    const { phase } = this.#state
    return phase === 'connecting' || phase === 'down' ? phase : 'ready'
  }

  /** Why no provider is available, while the state is `down`. */
  get failure(): SpeechFailure | undefined {
    return this.#state.phase === 'down' ? this.#state.failure : undefined
  }

  /** Whether the phone recognizes instead of a provider. */
  get isServedByPhone(): boolean {
    return this.#state.phase === 'down' && this.#state.phone !== undefined
  }

  /** Language of native translations that the current provider delivers. */
  get translatesTo(): string | undefined {
    return this.#state.phase === 'recognizing' ? this.#state.attempt.options.translateTo : undefined
  }

  /** Changes the options; they apply after the next pause. */
  setOptions(options: SpeechOptions): void {
    if (isSameOptions(this.#options, options)) return
    this.#options = options
    this.#prepareStandby()
  }

  /** Handles audio that contains speech. */
  push(frame: AudioFrame): void {
    const state = this.#state
    if (state.phase === 'closed') return
    if (this.#backlog.push(frame) > 0 && !this.#isLossReported) {
      this.#isLossReported = true
      this.#deps.onAudioDropped()
    }
    if (state.phase === 'idle') return this.#connect()
    if (state.phase !== 'recognizing') {
      if (!state.attempt && !state.retryTimer) this.#connect()
      return
    }
    state.lastSpeechAt = frame.receivedAt
    state.attempt.push(frame.pcm)
    const isRequested = state.finalizeRequested > this.#backlog.start
    if (!isRequested && this.#isLongEnough) this.#finalize(state)
  }

  /** Whether the utterance is to be cut here. */
  get #isLongEnough(): boolean {
    const { lengthMs } = this.#backlog
    const gap = CUTS.findLast((cut) => lengthMs >= cut.lengthMs)
    return gap !== undefined && this.#deps.quietMs() >= gap.gapMs
  }

  /** Handles the end of speech. */
  pause(): void {
    if (this.#state.phase === 'recognizing' && !this.#backlog.isEmpty) this.#finalize(this.#state)
    else this.#switchIfSettled()
    if (this.#state.phase === 'down') this.#waitForPhone(this.#state)
  }

  /**
   * Handles a result of the phone.
   * @returns whether the phone stands in, so that the result counts
   */
  acceptPhoneResult(isFinal: boolean): boolean {
    const state = this.#state
    if (state.phase !== 'down') return false
    state.phone ??= { isUtteranceOpen: false, settleTimer: undefined }
    state.phone.isUtteranceOpen = !isFinal
    if (!isFinal) return true
    // The phone has recognized it: a provider must not recognize it again.
    this.#backlog.commit(this.#backlog.end)
    this.#switchIfSettled()
    return true
  }

  close(): void {
    closeAttempts(this.#state)
    cancelTimers(this.#state)
    this.#state = { phase: 'closed' }
  }

  /** Connects the preferred provider, as soon as one can be tried. @param failure of the last provider */
  #connect(failure?: SpeechFailure): void {
    const { clock, health } = this.#deps
    const provider = health.best(this.language)
    const retryInMs = provider ? 0 : health.retryInMs(this.language)
    if (retryInMs === undefined) return this.#goDown(failure)
    // A reason that lasts is reported at once.
    if (!provider && health.isRejected(this.language)) this.#goDown(failure)
    const { phase } = this.#state
    const state = phase === 'connecting' || phase === 'down' ? this.#state : this.#waitFor(undefined, failure)
    if (provider) state.attempt = this.#open(provider)
    else
      state.retryTimer = clock.after(Math.max(1, retryInMs), () => {
        state.retryTimer = undefined
        this.#connect()
      })
  }

  /** Waits for a provider, at first without the phone. */
  #waitFor(attempt: ProviderAttempt | undefined, failure: SpeechFailure | undefined): Connecting {
    const standInTimer = this.#deps.clock.after(STAND_IN_DELAY_MS, () => {
      this.#goDown(state.failure, state.attempt)
      if (!state.attempt) this.#connect()
    })
    const state: Connecting = { phase: 'connecting', attempt, retryTimer: undefined, failure, standInTimer }
    this.#enter(state)
    return state
  }

  #goDown(known: SpeechFailure | undefined, attempt?: ProviderAttempt): void {
    if (this.#state.phase === 'down') return
    const failure = known ?? this.#deps.health.reason(this.language)
    this.#enter({ phase: 'down', attempt, retryTimer: undefined, failure, phone: undefined })
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
    const state = this.#state
    if (state.phase === 'connecting' || (state.phase === 'down' && !state.phone)) this.#activate(attempt)
    else this.#switchIfSettled()
  }

  /** Lets the attempt recognize from the first audio that is not final. */
  #activate(attempt: ProviderAttempt): void {
    const { clock, health, recordFailover, isSpeaking } = this.#deps
    this.#isLossReported = false
    if (this.#lastProvider && health.isPreferred(this.#lastProvider, attempt.provider))
      recordFailover(this.#lastProvider.name)
    this.#lastProvider = attempt.provider
    attempt.startAt(this.#backlog.start)
    for (const pcm of this.#backlog.read(this.#backlog.start)) attempt.push(pcm)
    const state: Recognizing = {
      ...{ phase: 'recognizing', attempt, standby: undefined, retryTimer: undefined, idleTimer: undefined },
      ...{ lastSpeechAt: clock.monotonicNow(), finalizeRequested: 0, lastInterim: '' },
    }
    if (!isSpeaking() && !this.#backlog.isEmpty) this.#finalize(state)
    this.#enter(state)
    this.#startIdleTimer(state, IDLE_MS)
    this.#prepareStandby()
  }

  #onSegment(attempt: ProviderAttempt, segment: SpeechSegment): void {
    const state = this.#state
    if (state.phase !== 'recognizing' || attempt !== state.attempt) return
    const { utteranceId, text, translation, speakerId } = segment
    const interim = segment.isFinal ? '' : [utteranceId, speakerId, text, translation].join('\n')
    if (!segment.isFinal && interim === state.lastInterim) return
    state.lastInterim = interim
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
    if (this.#state.phase !== 'recognizing' || attempt !== this.#state.attempt) return
    this.#deps.health.recordSuccess(attempt.provider)
    this.#backlog.commit(position)
    this.#switchIfSettled()
  }

  #onFailed(attempt: ProviderAttempt, failure: SpeechFailure): void {
    const state = this.#state
    this.#deps.health.recordFailure(attempt.provider, this.language, failure)
    if (state.phase === 'connecting' || state.phase === 'down') {
      state.attempt = undefined
      state.failure = failure
      return this.#connect(failure)
    }
    if (state.phase !== 'recognizing') return
    const { standby } = state
    state.standby = undefined
    if (attempt === standby) this.#prepareStandby()
    else if (!standby) this.#connect(failure)
    else if (standby.isReady) this.#activate(standby)
    else this.#waitFor(standby, failure)
  }

  /** Connects a provider that is to replace the active one: a preferred one that can be retried, or other options. */
  #prepareStandby(): void {
    const state = this.#state
    if (state.phase !== 'recognizing' || state.standby) return
    const { clock, health } = this.#deps
    const { provider, options } = state.attempt
    const best = health.best(this.language)
    if (best && health.isPreferred(best, provider)) state.standby = this.#open(best)
    else if (!isSameOptions(options, this.#optionsFor(provider))) state.standby = this.#open(provider)
    else {
      const delay = health.retryInMs(this.language, provider)
      if (delay === undefined) return
      state.retryTimer?.cancel()
      state.retryTimer = clock.after(Math.max(1, delay), () => this.#prepareStandby())
    }
  }

  /** Switches to a provider that is ready if nothing is being said and everything said is final. */
  #switchIfSettled(): void {
    const state = this.#state
    if (this.#deps.isSpeaking()) return
    if (state.phase === 'recognizing' && state.standby?.isReady && this.#backlog.isEmpty) {
      state.attempt.close()
      this.#activate(state.standby)
    } else if (state.phase === 'down' && state.attempt?.isReady && !state.phone?.isUtteranceOpen)
      this.#activate(state.attempt)
  }

  #finalize(state: Recognizing): void {
    state.finalizeRequested = this.#backlog.end
    state.attempt.finalize()
  }

  #optionsFor(provider: SpeechProvider): SpeechOptions {
    const { translateTo, ...options } = this.#options
    return provider.translates && translateTo !== undefined ? { ...options, translateTo } : options
  }

  /** After a pause the phone may finish its utterance; then a provider takes over again. */
  #waitForPhone({ phone }: Down): void {
    if (!phone) return
    phone.settleTimer?.cancel()
    phone.settleTimer = this.#deps.clock.after(PHONE_SETTLE_MS, () => {
      if (this.#deps.isSpeaking()) return
      phone.isUtteranceOpen = false
      this.#backlog.commit(this.#backlog.end)
      this.#switchIfSettled()
    })
  }

  /** Closes the connections after a time without speech, until there is speech again. */
  #startIdleTimer(state: Recognizing, ms: number): void {
    state.idleTimer = this.#deps.clock.after(ms, () => {
      const idleMs = this.#deps.clock.monotonicNow() - state.lastSpeechAt
      if (idleMs < IDLE_MS) return this.#startIdleTimer(state, IDLE_MS - idleMs)
      if (!this.#backlog.isEmpty || this.#deps.isSpeaking()) return this.#startIdleTimer(state, IDLE_MS)
      closeAttempts(state)
      this.#enter({ phase: 'idle' })
    })
  }

  #enter(state: State): void {
    const before = this.state
    cancelTimers(this.#state)
    this.#state = state
    if (this.state !== before) this.#deps.onStateChanged()
  }
}

function closeAttempts(state: State): void {
  if ('attempt' in state) state.attempt?.close()
  if ('standby' in state) state.standby?.close()
}

function cancelTimers(state: State): void {
  if ('standInTimer' in state) state.standInTimer.cancel()
  if ('retryTimer' in state) state.retryTimer?.cancel()
  if ('idleTimer' in state) state.idleTimer?.cancel()
  if ('phone' in state) state.phone?.settleTimer?.cancel()
}

function isSameOptions(first: SpeechOptions, second: SpeechOptions): boolean {
  return JSON.stringify(first) === JSON.stringify(second)
}
