import { isHigherTier, type LocationTier } from '@glasses-cloud/contract'
import type { Timer } from '../clock.ts'
import type { SessionContext } from './feature.ts'

/**
 * How closely the phone follows the wearer. A higher tier is set at once, a lower one after a while: apps that ask for
 * one position subscribe and unsubscribe around it, and phones start over at each change (app socket protocol, 5.1-13).
 */
export class LocationTierController {
  readonly #context: Pick<SessionContext, 'clock' | 'timing' | 'sendToGlasses' | 'timestamp'>
  readonly #highest: () => LocationTier
  #tier: LocationTier = 'reduced'
  #lowering: Timer | undefined

  /** @param highest the highest tier that apps ask for now */
  constructor(context: SessionContext, highest: () => LocationTier) {
    this.#context = context
    this.#highest = highest
  }

  /** What apps ask for may have changed. */
  update(): void {
    const highest = this.#highest()
    if (isHigherTier(this.#tier, highest)) {
      const { clock, timing } = this.#context
      this.#lowering ??= clock.after(timing.locationTierLowerDelayMs, () => this.#set(this.#highest()))
    } else this.#set(highest)
  }

  /** Says it again, to a phone that may have another one in mind. */
  resend(): void {
    const { sendToGlasses, timestamp } = this.#context
    sendToGlasses({ type: 'set_location_tier', tier: this.#tier, timestamp: timestamp() })
  }

  #set(tier: LocationTier): void {
    this.#lowering?.cancel()
    this.#lowering = undefined
    if (tier === this.#tier) return
    this.#tier = tier
    this.resend()
  }
}
