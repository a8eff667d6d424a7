import type { Clock, Timer } from '../clock.ts'

/** Timing of JSON pings, with which newer phones detect a dead connection. */
export interface JsonPingPolicy {
  readonly intervalMs: number
  /** The connection is considered dead if no pong is received within this time. */
  readonly timeoutMs: number
}

/** Every 5 s with a timeout of 5 s, as phones do since 2026. */
export const DEFAULT_JSON_PING: JsonPingPolicy = { intervalMs: 5_000, timeoutMs: 5_000 }

/** Sends `ping` immediately and then at an interval, and reports a missing `pong`. */
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
