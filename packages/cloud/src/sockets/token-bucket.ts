import type { Clock } from '../session/index.ts'

/** A budget that refills with time: so many units a second, so many at once. */
export class TokenBucket {
  readonly #clock: Clock
  readonly #perSecond: number
  readonly #capacity: number
  #left: number
  #at: number

  constructor(clock: Clock, perSecond: number, capacity = perSecond) {
    this.#clock = clock
    this.#perSecond = perSecond
    this.#capacity = capacity
    this.#left = capacity
    this.#at = clock.now()
  }

  /** Takes units if that many are left. */
  take(units = 1): boolean {
    const now = this.#clock.now()
    // A clock that was set back takes nothing away.
    const passed = Math.max(0, now - this.#at)
    this.#left = Math.min(this.#capacity, this.#left + (passed * this.#perSecond) / 1000)
    this.#at = now
    if (this.#left < units) return false
    this.#left -= units
    return true
  }
}
