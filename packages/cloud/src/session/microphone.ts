import type { CloudToGlasses } from '@glasses-cloud/contract'
import { type Clock, type Timer, toIsoString } from './clock.ts'
import type { SessionTiming } from './timing.ts'

export interface MicrophoneDeps {
  readonly clock: Clock
  readonly timing: SessionTiming
  readonly sessionId: string
  send(message: CloudToGlasses): void
}

interface MicrophoneState {
  readonly isOn: boolean
  /** Whether the phone sends silence too, without voice activity detection. */
  readonly bypassVad: boolean
}

/**
 * Controls the microphone of the phone (glasses-socket.md §2.6.4). The first change is sent immediately; further
 * changes within `microphoneDebounceMs` are coalesced. The microphone turns off only after `microphoneOffDelayMs`
 * without a subscriber, because apps renew their subscriptions often. While it is on, the state is repeated, because a
 * phone may have missed it.
 */
export class Microphone {
  readonly #deps: MicrophoneDeps
  #required: MicrophoneState
  #reported: MicrophoneState
  #reportedAt = 0
  #debounceUntil = 0
  /** Since when the reported state is on although off is required. */
  #offRequiredSince: number | undefined
  #ignoreAudioUntil = 0
  #timer: Timer | undefined

  /** @param bypassVad the initial value */
  constructor(deps: MicrophoneDeps, bypassVad: boolean) {
    this.#deps = deps
    this.#required = { isOn: false, bypassVad }
    this.#reported = this.#required
  }

  /** Sets the required state. */
  require(isOn: boolean, bypassVad: boolean): void {
    this.#required = { isOn, bypassVad }
    this.#update()
  }

  /** Sends the current state to a phone that connected. */
  resync(): void {
    this.#report()
  }

  /** Handles received audio. If the microphone should be off, the phone receives that state, at most once every 5 s. */
  onAudioReceived(): void {
    const now = this.#deps.clock.now()
    if (this.#reported.isOn || now < this.#ignoreAudioUntil) return
    this.#ignoreAudioUntil = now + this.#deps.timing.unwantedAudioReplyIntervalMs
    this.#report()
  }

  #update(): void {
    const { clock, timing } = this.#deps
    const now = clock.now()
    this.#timer?.cancel()
    this.#timer = undefined
    const isTurningOff = this.#reported.isOn && !this.#required.isOn
    this.#offRequiredSince = isTurningOff ? (this.#offRequiredSince ?? now) : undefined
    if (now >= this.#changeDueAt) {
      this.#debounceUntil = now + timing.microphoneDebounceMs
      this.#reported = this.#required
      this.#report()
    } else if (now >= this.#repeatDueAt) this.#report()
    const next = Math.min(this.#changeDueAt, this.#repeatDueAt)
    if (next !== Number.POSITIVE_INFINITY) this.#timer = clock.after(next - now, () => this.#update())
  }

  /** When the required state must be sent; infinite while it equals the reported one. */
  get #changeDueAt(): number {
    const { microphoneOffDelayMs } = this.#deps.timing
    if (this.#required.isOn === this.#reported.isOn && this.#required.bypassVad === this.#reported.bypassVad)
      return Number.POSITIVE_INFINITY
    return Math.max(
      this.#debounceUntil,
      this.#offRequiredSince === undefined ? 0 : this.#offRequiredSince + microphoneOffDelayMs,
    )
  }

  /** When the state must be repeated; infinite while the microphone is off. */
  get #repeatDueAt(): number {
    return this.#reported.isOn
      ? this.#reportedAt + this.#deps.timing.microphoneKeepAliveMs
      : Number.POSITIVE_INFINITY
  }

  #report(): void {
    const { clock, sessionId, send } = this.#deps
    const now = clock.now()
    this.#reportedAt = now
    send({
      type: 'microphone_state_change',
      sessionId,
      isMicrophoneEnabled: this.#reported.isOn,
      requiredData: this.#reported.isOn ? ['pcm'] : [],
      bypassVad: this.#reported.bypassVad,
      timestamp: toIsoString(now),
    })
  }
}
