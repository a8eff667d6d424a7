/** Opaque handle of a timer of a `Clock`. */
export type Timer = unknown

/** Time source of the simulated glasses; tests inject their own. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number
  setTimeout(run: () => void, afterMs: number): Timer
  clearTimeout(timer: Timer): void
}

/** The clock of the operating system. */
export const systemClock: Clock = {
  now: () => Date.now(),
  setTimeout: (run, afterMs) => setTimeout(run, afterMs),
  clearTimeout: (timer) => clearTimeout(timer as ReturnType<typeof setTimeout>),
}

/** Resolves after `ms` on the clock, immediately if `ms` is not positive. */
export function delay(clock: Clock, ms: number): Promise<void> {
  return ms <= 0 ? Promise.resolve() : new Promise((resolve) => clock.setTimeout(resolve, ms))
}
