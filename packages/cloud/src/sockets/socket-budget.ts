import { PCM_BYTES_PER_SECOND } from '../session/index.ts'
import type { Clock } from '../time/index.ts'
import type { SocketLimits } from './limits.ts'

/** A shorter silence is no stall of the network. */
const PAUSE_MS = 1_000

/** What a client that was silent has to send afterwards, because the network stalled. */
interface Backlog {
  /** Tokens for each second of silence. */
  readonly perSecond: number
  /** The longest silence that counts. */
  readonly maxMs: number
}

/**
 * A token bucket: refills at a constant rate, up to its capacity. After a silence it may hold more, for the backlog of a
 * network that stalled; a client that never pauses gains nothing by that.
 */
export class TokenBucket {
  readonly #clock: Clock
  readonly #perSecond: number
  readonly #capacity: number
  readonly #backlog: Backlog
  #tokens: number
  #refilledAt: number

  constructor(
    clock: Clock,
    perSecond: number,
    capacity = perSecond,
    backlog: Backlog = { perSecond: 0, maxMs: 0 },
  ) {
    this.#clock = clock
    this.#perSecond = perSecond
    this.#capacity = capacity
    this.#backlog = backlog
    this.#tokens = capacity
    this.#refilledAt = clock.monotonicNow()
  }

  /**
   * Takes tokens if that many are left.
   * @param left tokens that must be left as well before any is taken
   */
  take(tokens = 1, left = 0): boolean {
    const now = this.#clock.monotonicNow()
    const silentMs = now - this.#refilledAt
    const { perSecond, maxMs } = this.#backlog
    const stalledMs = Math.min(Math.max(0, silentMs - PAUSE_MS), maxMs)
    const capacity = this.#capacity + (stalledMs * perSecond) / 1000
    const refilled = Math.min(capacity, this.#tokens + (silentMs * this.#perSecond) / 1000)
    this.#tokens = Math.max(this.#tokens, refilled)
    this.#refilledAt = now
    if (this.#tokens < tokens + left) return false
    this.#tokens -= tokens
    return true
  }
}

/** Messages a second that a phone sends by itself while its user speaks and moves. */
const USUAL_MESSAGES_PER_SECOND = 10

/** What a client may send: text messages, JSON pings and audio (decision L2). */
export class SocketBudget {
  readonly messages: TokenBucket
  /** Phones reconnect if a `pong` is missing, so pings have a budget apart from other messages. */
  readonly pings: TokenBucket
  readonly audioBytes: TokenBucket

  constructor(clock: Clock, { messagesPerSecond, audioBytesPerSecond, stallMs }: SocketLimits) {
    const messages = { perSecond: Math.min(USUAL_MESSAGES_PER_SECOND, messagesPerSecond), maxMs: stallMs }
    this.messages = new TokenBucket(clock, messagesPerSecond, messagesPerSecond, messages)
    this.pings = new TokenBucket(clock, 1)
    // After a lost connection phones send their buffered audio in one burst, so the budget spans two seconds at least.
    const audio = { perSecond: PCM_BYTES_PER_SECOND, maxMs: stallMs }
    this.audioBytes = new TokenBucket(clock, audioBytesPerSecond, 2 * audioBytesPerSecond, audio)
  }
}

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
    // The longest time in which a bucket refills.
    this.#clock.after(this.#limits.stallMs, () => {
      if (entry.sockets === 0 && this.#entries.get(key) === entry) this.#entries.delete(key)
    })
  }
}
