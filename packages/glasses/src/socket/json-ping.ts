import type { Clock, Timer } from '../clock.ts'

/** How newer phones ask whether the cloud is still there. */
export interface JsonPingPolicy {
  readonly intervalMs: number
  /** A pong later than this means that the connection is dead. */
  readonly timeoutMs: number
}

/** Every five seconds, with five seconds for the answer, as phones since 2026 do. */
export const DEFAULT_JSON_PING: JsonPingPolicy = { intervalMs: 5_000, timeoutMs: 5_000 }

/** Asks `ping` at once and then at an interval; says so when an answer stays away. */
export class JsonPing {
  readonly #clock: Clock
  readonly #policy: JsonPingPolicy
  readonly #send: () => void
  readonly #onTimeout: () => void
  #next: Timer
  #deadline: Timer

  constructor(clock: Clock, policy: JsonPingPolicy, send: () => void, onSilence: () => void) {
    this.#clock = clock
    this.#policy = policy
    this.#send = send
    this.#onTimeout = onSilence
  }

  start(): void {
    this.stop()
    this.#ping()
  }

  /** An answer came. */
  receivePong(): void {
    this.#clock.clearTimeout(this.#deadline)
    this.#deadline = undefined
  }

  stop(): void {
    this.#clock.clearTimeout(this.#next)
    this.receivePong()
  }

  #ping(): void {
    this.#send()
    this.#deadline ??= this.#clock.setTimeout(() => {
      this.stop()
      this.#onTimeout()
    }, this.#policy.timeoutMs)
    this.#next = this.#clock.setTimeout(() => this.#ping(), this.#policy.intervalMs)
  }
}
