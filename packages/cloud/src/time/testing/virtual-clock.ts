import type { Clock, Timer } from '../index.ts'

interface PendingTimer {
  readonly at: number
  readonly order: number
  readonly run: () => void
}

/** Differs from any wall time, so that code that mixes up the two times fails. */
const MONOTONIC_ORIGIN_MS = 1_000

/** A clock that advances only by `advance`. Timers that are due at the same time run in the order of creation. */
export class VirtualClock implements Clock {
  /** Called after each timer. */
  onTimerRun: (() => void) | undefined
  #monotonicNow = MONOTONIC_ORIGIN_MS
  /** The difference between the wall time and the monotonic time. */
  #wallOffset: number
  #order = 0
  readonly #entries = new Set<PendingTimer>()

  constructor(start = Date.UTC(2026, 0, 1)) {
    this.#wallOffset = start - MONOTONIC_ORIGIN_MS
  }

  now(): number {
    return this.#monotonicNow + this.#wallOffset
  }

  monotonicNow(): number {
    return this.#monotonicNow
  }

  /** Sets the wall clock forward, or back if `ms` is negative. No time passes. */
  jumpWallClock(ms: number): void {
    this.#wallOffset += ms
  }

  after(ms: number, run: () => void): Timer {
    const entry = { at: this.#monotonicNow + Math.max(0, ms), order: this.#order++, run }
    this.#entries.add(entry)
    return { cancel: () => void this.#entries.delete(entry) }
  }

  /** The number of pending timers. */
  get pendingTimers(): number {
    return this.#entries.size
  }

  /** The wall time at which the next timer is due; undefined if none is pending. */
  get nextTimerAt(): number | undefined {
    const at = this.#first()?.at
    return at === undefined ? undefined : at + this.#wallOffset
  }

  /** Advances the time and runs the timers that become due. */
  advance(ms: number): void {
    const end = this.#monotonicNow + ms
    for (let entry = this.#first(); entry && entry.at <= end; entry = this.#first()) {
      this.#entries.delete(entry)
      this.#monotonicNow = Math.max(this.#monotonicNow, entry.at)
      entry.run()
      this.onTimerRun?.()
    }
    this.#monotonicNow = end
  }

  #first(): PendingTimer | undefined {
    let first: PendingTimer | undefined
    for (const entry of this.#entries) {
      if (!first || entry.at < first.at || (entry.at === first.at && entry.order < first.order)) first = entry
    }
    return first
  }
}
