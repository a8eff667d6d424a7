import type { CloudToGlasses } from '@glasses-cloud/contract'
import { type Clock, type Timer, toIsoString } from '../time/index.ts'
import type { SessionTiming } from './timing.ts'

/** Data that the phone sends while the microphone is on, as in `requiredData` of `microphone_state_change`. */
export type MicrophoneData = 'pcm' | 'transcription'

/**
 * Where speech is recognized. `cloud-unavailable` means that the recognizer of the cloud does not work at the moment, so
 * that the phone stands in for it.
 */
export type SpeechRecognition = 'phone' | 'cloud' | 'cloud-unavailable'

/** What the apps are subscribed to, and where speech is recognized. */
export interface DataRequirements {
  /** Whether an app is subscribed to audio. */
  readonly needsAudio: boolean
  /** Whether an app is subscribed to a transcription or a translation. */
  readonly needsSpeech: boolean
  readonly recognition: SpeechRecognition
  /** Whether a package may read recent audio, so that audio is kept while the microphone is on for speech. */
  readonly offersRecentAudio: boolean
  /** Whether the user requires recognition on the phone (`enforceLocalTranscription`, `offline_mode`). */
  readonly localOnly: boolean
}

/**
 * Determines the data to request from the phone (decision W7): exactly the data that is needed, because a phone
 * recognizes speech only if it is requested to.
 */
export function requiredData(requirements: DataRequirements): readonly MicrophoneData[] {
  const { needsAudio, needsSpeech, offersRecentAudio, localOnly } = requirements
  const recognition = localOnly ? 'phone' : requirements.recognition
  const speechNeedsPcm = recognition !== 'phone' || (offersRecentAudio && !localOnly)
  const needsPcm = needsAudio || (needsSpeech && speechNeedsPcm)
  const needsTranscription = needsSpeech && recognition !== 'cloud'
  return [...(needsPcm ? PCM : []), ...(needsTranscription ? TRANSCRIPTION : [])]
}

const PCM = ['pcm'] as const
const TRANSCRIPTION = ['transcription'] as const

export interface MicrophoneDeps {
  readonly clock: Clock
  readonly timing: SessionTiming
  readonly sessionId: string
  send(message: CloudToGlasses): void
}

interface MicrophoneState {
  /** Empty if the microphone is off. */
  readonly data: readonly MicrophoneData[]
  /** Whether the phone sends silence too, without voice activity detection. */
  readonly bypassVad: boolean
}

/**
 * Controls the microphone of the phone (glasses-socket.md §2.6.4). The first change is sent immediately; further
 * changes within `microphoneDebounceMs` are coalesced. Data is dropped only after it has not been needed for
 * `microphoneOffDelayMs`, because apps renew their subscriptions often. While the microphone is on, the state is
 * repeated, because a phone may have missed it.
 */
export class Microphone {
  readonly #deps: MicrophoneDeps
  #required: MicrophoneState
  #reported: MicrophoneState
  #reportedAt = 0
  #debounceUntil = 0
  /** Since when less data is required than reported. */
  #reducedSince: number | undefined
  #ignoreAudioUntil = 0
  #timer: Timer | undefined

  /** @param bypassVad the initial value */
  constructor(deps: MicrophoneDeps, bypassVad: boolean) {
    this.#deps = deps
    this.#required = { data: [], bypassVad }
    this.#reported = this.#required
  }

  /** Sets the required state. */
  require(data: readonly MicrophoneData[], bypassVad: boolean): void {
    this.#required = { data, bypassVad }
    this.#update()
  }

  /** Sends the current state to a phone that connected. */
  resync(): void {
    this.#report()
  }

  /** Handles received audio. Audio that is not required is answered with the state, at most once every 5 s. */
  onAudioReceived(): void {
    const now = this.#deps.clock.monotonicNow()
    if (this.#reported.data.includes('pcm') || now < this.#ignoreAudioUntil) return
    this.#ignoreAudioUntil = now + this.#deps.timing.unwantedAudioReplyIntervalMs
    this.#report()
  }

  /** What the phone sends. */
  get data(): readonly MicrophoneData[] {
    return this.#reported.data
  }

  #update(): void {
    const { clock, timing } = this.#deps
    const now = clock.monotonicNow()
    this.#timer?.cancel()
    this.#timer = undefined
    this.#reducedSince = this.#isReducing ? (this.#reducedSince ?? now) : undefined
    if (now >= this.#changeDueAt) {
      this.#debounceUntil = now + timing.microphoneDebounceMs
      this.#reported = this.#required
      this.#reducedSince = undefined
      this.#report()
    } else if (now >= this.#repeatDueAt) this.#report()
    const next = Math.min(this.#changeDueAt, this.#repeatDueAt)
    if (next !== Number.POSITIVE_INFINITY) this.#timer = clock.after(next - now, () => this.#update())
  }

  /** Whether the required data is a proper subset of the reported data. */
  get #isReducing(): boolean {
    const { data } = this.#required
    return (
      data.length < this.#reported.data.length && data.every((each) => this.#reported.data.includes(each))
    )
  }

  /** When the required state must be sent; infinite while it equals the reported one. */
  get #changeDueAt(): number {
    const { microphoneOffDelayMs } = this.#deps.timing
    const isUnchanged =
      this.#required.data.join() === this.#reported.data.join() &&
      this.#required.bypassVad === this.#reported.bypassVad
    if (isUnchanged) return Number.POSITIVE_INFINITY
    return Math.max(
      this.#debounceUntil,
      this.#reducedSince === undefined ? 0 : this.#reducedSince + microphoneOffDelayMs,
    )
  }

  /** When the state must be repeated; infinite while the microphone is off. */
  get #repeatDueAt(): number {
    return this.#reported.data.length > 0
      ? this.#reportedAt + this.#deps.timing.microphoneKeepAliveMs
      : Number.POSITIVE_INFINITY
  }

  #report(): void {
    const { clock, sessionId, send } = this.#deps
    this.#reportedAt = clock.monotonicNow()
    send({
      type: 'microphone_state_change',
      sessionId,
      isMicrophoneEnabled: this.#reported.data.length > 0,
      requiredData: [...this.#reported.data],
      bypassVad: this.#reported.bypassVad,
      timestamp: toIsoString(clock.now()),
    })
  }
}
