/** A time source: real in the server, virtual in tests and simulations. */
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

/** Resolves after a time. */
export function pause(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => void clock.after(ms, resolve))
}
