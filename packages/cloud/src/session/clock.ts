/** Time as the session sees it: real in the server, virtual in simulations. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number
  /** Runs `run` once, `ms` milliseconds from now, unless cancelled. */
  after(ms: number, run: () => void): Timer
}

/** A pending call of a clock. */
export interface Timer {
  cancel(): void
}

/** What a timeout can hold; a longer one would run at once. */
const LONGEST_TIMEOUT = 2 ** 31 - 1

/** The wall clock. Its timers do not keep the process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, run) {
    let timeout: NodeJS.Timeout
    const wait = (left: number) => {
      const step = Math.min(left, LONGEST_TIMEOUT)
      timeout = setTimeout(() => (left > step ? wait(left - step) : run()), step)
      timeout.unref()
    }
    wait(ms)
    return { cancel: () => clearTimeout(timeout) }
  },
}

/**
 * A clock whose timers all end with their owner: after `end()` none of them fires and none can be made. A session
 * hands it to all its parts, so that nothing of a session happens after its end.
 */
export class ScopedClock implements Clock {
  readonly #clock: Clock
  readonly #pending = new Set<Timer>()
  #ended = false

  constructor(clock: Clock) {
    this.#clock = clock
  }

  now(): number {
    return this.#clock.now()
  }

  after(ms: number, run: () => void): Timer {
    if (this.#ended) return { cancel() {} }
    const inner = this.#clock.after(ms, () => {
      this.#pending.delete(timer)
      run()
    })
    const timer: Timer = {
      cancel: () => {
        this.#pending.delete(timer)
        inner.cancel()
      },
    }
    this.#pending.add(timer)
    return timer
  }

  /** Cancels what is pending. Safe to call twice. */
  close(): void {
    this.#ended = true
    for (const timer of [...this.#pending]) timer.cancel()
  }
}

/** Epoch milliseconds as the wire wants them. */
export function toIsoString(ms: number): string {
  return new Date(ms).toISOString()
}
