/** Time source of the models. A test injects its own, so that an hour takes a second. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number
  setTimeout(run: () => void, afterMs: number): unknown
  clearTimeout(timer: unknown): void
}
