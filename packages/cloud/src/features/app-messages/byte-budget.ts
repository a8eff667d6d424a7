/** Bytes per second that a sender's messages may cost, and the most that it can save up (A2A-31). */
const BYTES_PER_SECOND = 8 * 1024 * 1024
const MAX_BYTES = 16 * 1024 * 1024

/**
 * The budget of one sender. Any cost is accepted while the balance is positive, so that a message to very many users can
 * be sent at all; the balance may become negative and has to recover before the next one.
 */
export class ByteBudget {
  #balance = MAX_BYTES
  #updatedAt: number

  /** @param now milliseconds of the monotonic clock */
  constructor(now: number) {
    this.#updatedAt = now
  }

  isExhausted(now: number): boolean {
    this.#refill(now)
    return this.#balance <= 0
  }

  /** Whether nothing was spent that has not been refilled. */
  isFull(now: number): boolean {
    this.#refill(now)
    return this.#balance === MAX_BYTES
  }

  spend(bytes: number, now: number): void {
    this.#refill(now)
    this.#balance -= bytes
  }

  #refill(now: number): void {
    const elapsed = now - this.#updatedAt
    this.#balance = Math.min(MAX_BYTES, this.#balance + (elapsed * BYTES_PER_SECOND) / 1_000)
    this.#updatedAt = now
  }
}
