import type { Clock, Timer } from '../../src/index.ts'

interface Pending {
  readonly at: number
  readonly run: () => void
}

/** Time that stands still until a test moves it. */
export class ManualClock implements Clock {
  #now = Date.UTC(2026, 0, 2, 15, 4, 5)
  readonly #pending = new Set<Pending>()

  now(): number {
    return this.#now
  }

  setTimeout(run: () => void, afterMs: number): Timer {
    const pending = { at: this.#now + afterMs, run }
    this.#pending.add(pending)
    return pending
  }

  clearTimeout(timer: Timer): void {
    this.#pending.delete(timer as Pending)
  }

  /** Lets time pass; what falls due runs in its order, and so does what follows from it at once. */
  async advance(ms: number): Promise<void> {
    const end = this.#now + ms
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve))
      const [next] = [...this.#pending].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)
      if (!next) break
      this.#pending.delete(next)
      this.#now = Math.max(this.#now, next.at)
      next.run()
    }
    this.#now = end
  }
}
