/** A running timer of a `Clock`; opaque to everybody else. */
export type Timer = unknown

/** Time as the simulated glasses see it, so that tests can own it. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number
  setTimeout(run: () => void, afterMs: number): Timer
  clearTimeout(timer: Timer): void
}

/** The machine's own time. */
export const systemClock: Clock = {
  now: () => Date.now(),
  setTimeout: (run, afterMs) => setTimeout(run, afterMs),
  clearTimeout: (timer) => clearTimeout(timer as NodeJS.Timeout),
}
