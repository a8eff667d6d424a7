import type { Clock } from '../time/index.ts'
import type { SocketLimits } from './limits.ts'

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

/** What a client may send: text messages, JSON pings and audio (decision L2). */
export class SocketBudget {
  readonly messages: TokenBucket
  /** Phones reconnect if a `pong` is missing, so pings have a budget apart from other messages. */
  readonly pings: TokenBucket
  readonly audioBytes: TokenBucket

  constructor(clock: Clock, { messagesPerSecond, audioBytesPerSecond }: SocketLimits) {
    this.messages = new TokenBucket(clock, messagesPerSecond)
    this.pings = new TokenBucket(clock, 1)
    // After a lost connection phones send their buffered audio in one burst, so the budget spans two seconds.
    this.audioBytes = new TokenBucket(clock, audioBytesPerSecond, 2 * audioBytesPerSecond)
  }
}

/** Time in which every bucket of a budget is refilled. */
const REFILL_MS = 2_000

interface Entry {
  readonly budget: SocketBudget
  sockets: number
}

/**
 * The budgets of connected clients by key: the user of glasses, or an app of a user. Sockets with the same key share a
 * budget, and reconnecting does not refill it: it is kept until it would be full again.
 */
export class SocketBudgets {
  readonly #clock: Clock
  readonly #limits: SocketLimits
  readonly #entries = new Map<string, Entry>()

  constructor(clock: Clock, limits: SocketLimits) {
    this.#clock = clock
    this.#limits = limits
  }

  /** Number of budgets that are kept. */
  get size(): number {
    return this.#entries.size
  }

  acquire(key: string): SocketBudget {
    let entry = this.#entries.get(key)
    if (!entry) {
      entry = { budget: new SocketBudget(this.#clock, this.#limits), sockets: 0 }
      this.#entries.set(key, entry)
    }
    entry.sockets += 1
    return entry.budget
  }

  /** Releases a budget when a socket closes. */
  release(key: string): void {
    const entry = this.#entries.get(key)
    if (!entry) return
    entry.sockets -= 1
    if (entry.sockets > 0) return
    this.#clock.after(REFILL_MS, () => {
      if (entry.sockets === 0 && this.#entries.get(key) === entry) this.#entries.delete(key)
    })
  }
}
