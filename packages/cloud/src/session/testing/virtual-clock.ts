import type { Clock, Timer } from '../clock.ts'

interface Entry {
  readonly at: number
  readonly order: number
  readonly run: () => void
}

/** A clock that moves only when told to. Timers due at the same moment run in the order they were set. */
export class VirtualClock implements Clock {
  /** Called after each timer that ran. */
  onTimerRun: (() => void) | undefined
  #now: number
  #order = 0
  readonly #entries = new Set<Entry>()

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

  /** How many timers are pending. */
  get pendingTimers(): number {
    return this.#entries.size
  }

  /** When the next timer is due; undefined without one. */
  get nextTimerAt(): number | undefined {
    return this.#first()?.at
  }

  /** Lets time pass, running what falls due on the way. */
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

  #first(): Entry | undefined {
    let first: Entry | undefined
    for (const entry of this.#entries) {
      if (!first || entry.at < first.at || (entry.at === first.at && entry.order < first.order)) first = entry
    }
    return first
  }
}
