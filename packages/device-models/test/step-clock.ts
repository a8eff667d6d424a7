import type { Clock } from '../src/index.ts'

interface Pending {
  readonly dueAt: number
  readonly run: () => void
}

/** A clock that stands still until a test advances it. */
export class StepClock implements Clock {
  #now = 0
  readonly #pending = new Set<Pending>()

  now(): number {
    return this.#now
  }

  setTimeout(run: () => void, afterMs: number): unknown {
    const pending = { dueAt: this.#now + afterMs, run }
    this.#pending.add(pending)
    return pending
  }

  clearTimeout(timer: unknown): void {
    this.#pending.delete(timer as Pending)
  }

  async advance(ms: number): Promise<void> {
    const end = this.#now + ms
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve))
      const [next] = [...this.#pending].filter(({ dueAt }) => dueAt <= end).sort((a, b) => a.dueAt - b.dueAt)
      if (!next) break
      this.#pending.delete(next)
      this.#now = next.dueAt
      next.run()
    }
    this.#now = end
  }
}
