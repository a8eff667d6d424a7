import { isHigherTier, type LocationTier } from '@glasses-cloud/contract'
import type { Timer } from '../../time/index.ts'
import type { SessionContext } from './part.ts'

/**
 * Sends the location tier to the phone. A higher tier takes effect immediately, a lower one after a delay: apps that
 * need a single position subscribe and unsubscribe around it, and phones restart positioning at each change
 * (app-socket.md §5.1, LOC-8).
 */
export class LocationTierController {
  readonly #context: Pick<SessionContext, 'clock' | 'timing' | 'sendToGlasses' | 'timestamp'>
  readonly #highestTier: () => LocationTier
  #tier: LocationTier = 'reduced'
  #lowering: Timer | undefined

  /** @param highestTier returns the highest tier that any app requests now */
  constructor(context: SessionContext, highestTier: () => LocationTier) {
    this.#context = context
    this.#highestTier = highestTier
  }

  /** Adjusts the tier after subscriptions changed. */
  update(): void {
    const highest = this.#highestTier()
    if (isHigherTier(this.#tier, highest)) {
      const { clock, timing } = this.#context
      this.#lowering ??= clock.after(timing.locationTierLowerDelayMs, () => this.#set(this.#highestTier()))
    } else this.#set(highest)
  }

  /** Sends the current tier. */
  send(): void {
    const { sendToGlasses, timestamp } = this.#context
    sendToGlasses({ type: 'set_location_tier', tier: this.#tier, timestamp: timestamp() })
  }

  #set(tier: LocationTier): void {
    this.#lowering?.cancel()
    this.#lowering = undefined
    if (tier === this.#tier) return
    this.#tier = tier
    this.send()
  }
}
