import type { Clock } from '../time/index.ts'

/** A token bucket: refills at a constant rate, up to its capacity. */
export class TokenBucket {
  readonly #clock: Clock
  readonly #perSecond: number
  readonly #capacity: number
  #tokens: number
  #refilledAt: number

  constructor(clock: Clock, perSecond: number, capacity = perSecond) {
    this.#clock = clock
    this.#perSecond = perSecond
    this.#capacity = capacity
    this.#tokens = capacity
    this.#refilledAt = clock.monotonicNow()
  }

  /** Takes tokens if that many are left. */
  take(tokens = 1): boolean {
    const now = this.#clock.monotonicNow()
    const elapsed = now - this.#refilledAt
    this.#tokens = Math.min(this.#capacity, this.#tokens + (elapsed * this.#perSecond) / 1000)
    this.#refilledAt = now
    if (this.#tokens < tokens) return false
    this.#tokens -= tokens
    return true
  }
}
