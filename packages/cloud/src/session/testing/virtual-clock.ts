import type { Clock, Timer } from '../clock.ts'

interface PendingTimer {
  readonly at: number
  readonly order: number
  readonly run: () => void
}

/** A clock that advances only by `advance`. Timers that are due at the same time run in the order of creation. */
export class VirtualClock implements Clock {
  /** Called after each timer. */
  onTimerRun: (() => void) | undefined
  #now: number
  #order = 0
  readonly #entries = new Set<PendingTimer>()

  constructor(start = Date.UTC(2026, 0, 1)) {
    this.#now = start
  }

  now(): number {
    return this.#now
  }

  after(ms: number, run: () => void): Timer {
    const entry = { at: this.#now + Math.max(0, ms), order: this.#order++, run }
    this.#entries.add(entry)
    return { cancel: () => void this.#entries.delete(entry) }
  }

  /** The number of pending timers. */
  get pendingTimers(): number {
    return this.#entries.size
  }

  /** When the next timer is due; undefined if none is pending. */
  get nextTimerAt(): number | undefined {
    return this.#first()?.at
  }

  /** Advances the time and runs the timers that become due. */
  advance(ms: number): void {
    const end = this.#now + ms
    for (let entry = this.#first(); entry && entry.at <= end; entry = this.#first()) {
      this.#entries.delete(entry)
      this.#now = Math.max(this.#now, entry.at)
      entry.run()
      this.onTimerRun?.()
    }
    this.#now = end
  }

  #first(): PendingTimer | undefined {
    let first: PendingTimer | undefined
    for (const entry of this.#entries) {
      if (!first || entry.at < first.at || (entry.at === first.at && entry.order < first.order)) first = entry
    }
    return first
  }
}
