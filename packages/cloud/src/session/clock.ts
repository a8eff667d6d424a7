import { LazySet } from './lazy-collections.ts'

/** The time source of a session: real in the server, virtual in tests and simulations. */
export interface Clock {
  /** The wall time in epoch milliseconds, for timestamps only: it may jump forward and backward. */
  now(): number
  /** Milliseconds since an arbitrary moment, for intervals: unaffected by changes of the wall clock. */
  monotonicNow(): number
  /** Calls `run` once, `ms` milliseconds from now, unless the timer is canceled. */
  after(ms: number, run: () => void): Timer
}

export interface Timer {
  cancel(): void
}

/** The longest delay that `setTimeout` supports; it fires a longer one immediately. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1

/** The clock of the process. Its timers do not keep the process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  // Whole milliseconds, because timeouts that are computed from it must be integers.
  monotonicNow: () => Math.floor(performance.now()),
  after(ms, run) {
    let timeout: NodeJS.Timeout
    const wait = (left: number) => {
      const step = Math.min(left, MAX_TIMEOUT_MS)
      timeout = setTimeout(() => (left > step ? wait(left - step) : run()), step)
      timeout.unref()
    }
    wait(ms)
    return { cancel: () => clearTimeout(timeout) }
  },
}

/**
 * A clock whose timers are canceled together: after `close()` none of them fires and none can be created. A session
 * passes it to all its parts, so that no timer outlives the session. Timers run under the guard of the session.
 */
export class ScopedClock implements Clock {
  readonly #clock: Clock
  readonly #pending = new LazySet<Timer>()
  readonly #guard: (task: () => void) => void
  #isClosed = false

  constructor(clock: Clock, guard: (task: () => void) => void) {
    this.#clock = clock
    this.#guard = guard
  }

  now(): number {
    return this.#clock.now()
  }

  monotonicNow(): number {
    return this.#clock.monotonicNow()
  }

  after(ms: number, run: () => void): Timer {
    if (this.#isClosed) return { cancel() {} }
    const inner = this.#clock.after(ms, () => {
      this.#pending.delete(timer)
      this.#guard(run)
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

  /** Cancels all timers. May be called twice. */
  close(): void {
    this.#isClosed = true
    for (const timer of [...this.#pending]) timer.cancel()
  }
}

let formattedMs = Number.NaN
let formatted = ''

/** Formats epoch milliseconds as ISO 8601, the format of timestamps on the wire. */
export function toIsoString(ms: number): string {
  // Messages that one event causes have the same timestamp, and formatting it takes longer than encoding the rest.
  if (ms !== formattedMs) {
    formatted = new Date(ms).toISOString()
    formattedMs = ms
  }
  return formatted
}
