import type { CloudToGlasses } from '@glasses-cloud/contract'
import { type Clock, type Timer, toIsoString } from './clock.ts'
import type { SessionTiming } from './timing.ts'

/** What a microphone control is built from. */
export interface MicrophoneDeps {
  readonly clock: Clock
  readonly timing: SessionTiming
  readonly sessionId: string
  send(message: CloudToGlasses): void
}

interface Wanted {
  /** Some app listens to something made from sound. */
  readonly on: boolean
  /** The phone is to send silence too, and not to judge what is speech. */
  readonly bypassVad: boolean
}

/**
 * Tells the phone whether sound is wanted (glasses socket protocol, 2.6.4): a first change at once, further ones
 * within a second as one; off only when it stays unwanted for three seconds, because apps renew their lists often;
 * repeated while on, because a phone may have missed it.
 */
export class Microphone {
  readonly #deps: MicrophoneDeps
  #wanted: Wanted
  #told: Wanted
  #saidAt = 0
  #quietUntil = 0
  #offSince: number | undefined
  #ignoreUntil = 0
  #timer: Timer | undefined

  /** @param bypassVad how it begins */
  constructor(deps: MicrophoneDeps, bypassVad: boolean) {
    this.#deps = deps
    this.#wanted = { on: false, bypassVad }
    this.#told = this.#wanted
  }

  /** What is wanted now. */
  want(on: boolean, bypassVad: boolean): void {
    this.#wanted = { on, bypassVad }
    this.#settle()
  }

  /** A phone is (back) there: it is told the state at once, whatever it was told before. */
  resync(): void {
    this.#tell()
  }

  /** Sound arrived. While none is wanted the phone is told so, once in five seconds. */
  heard(): void {
    const now = this.#deps.clock.now()
    if (this.#told.on || now < this.#ignoreUntil) return
    this.#ignoreUntil = now + this.#deps.timing.unwantedAudioReplyIntervalMs
    this.#tell()
  }

  #settle(): void {
    const { clock, timing } = this.#deps
    const now = clock.now()
    this.#timer?.cancel()
    this.#timer = undefined
    const turningOff = this.#told.on && !this.#wanted.on
    this.#offSince = turningOff ? (this.#offSince ?? now) : undefined
    if (now >= this.#changeDue) {
      this.#quietUntil = now + timing.microphoneDebounceMs
      this.#told = this.#wanted
      this.#tell()
    } else if (now >= this.#repeatDue) this.#tell()
    const next = Math.min(this.#changeDue, this.#repeatDue)
    if (next !== Number.POSITIVE_INFINITY) this.#timer = clock.after(next - now, () => this.#settle())
  }

  /** When the phone is to be told of what is wanted; never while it is what it was told last. */
  get #changeDue(): number {
    const { microphoneOffDelayMs } = this.#deps.timing
    if (this.#wanted.on === this.#told.on && this.#wanted.bypassVad === this.#told.bypassVad)
      return Number.POSITIVE_INFINITY
    return Math.max(
      this.#quietUntil,
      this.#offSince === undefined ? 0 : this.#offSince + microphoneOffDelayMs,
    )
  }

  /** However often the apps renew their lists, the phone is told again in time. */
  get #repeatDue(): number {
    return this.#told.on ? this.#saidAt + this.#deps.timing.microphoneKeepAliveMs : Number.POSITIVE_INFINITY
  }

  #tell(): void {
    const { clock, sessionId, send } = this.#deps
    this.#saidAt = clock.now()
    send({
      type: 'microphone_state_change',
      sessionId,
      isMicrophoneEnabled: this.#told.on,
      requiredData: this.#told.on ? ['pcm'] : [],
      bypassVad: this.#told.bypassVad,
      timestamp: toIsoString(clock.now()),
    })
  }
}
