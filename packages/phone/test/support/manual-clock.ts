import type { Clock, Timer } from '../../src/index.ts'

interface PendingTimer {
  readonly dueAt: number
  readonly run: () => void
}

/** A clock that advances only when a test calls `advance`. */
export class ManualClock implements Clock {
  #now = Date.UTC(2026, 0, 2, 15, 4, 5)
  readonly #pending = new Set<PendingTimer>()

  now(): number {
    return this.#now
  }

  setTimeout(run: () => void, afterMs: number): Timer {
    const pending = { dueAt: this.#now + afterMs, run }
    this.#pending.add(pending)
    return pending
  }

  clearTimeout(timer: Timer): void {
    this.#pending.delete(timer as PendingTimer)
  }

  /** Advances the time and runs due timers in order, including those they set. */
  async advance(ms: number): Promise<void> {
    const end = this.#now + ms
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve))
      const [next] = [...this.#pending].filter(({ dueAt }) => dueAt <= end).sort((a, b) => a.dueAt - b.dueAt)
      if (!next) break
      this.#pending.delete(next)
      this.#now = Math.max(this.#now, next.dueAt)
      next.run()
    }
    this.#now = end
  }

  /** Advances the time, and returns what `promise` has become by then. */
  async during<T>(promise: Promise<T>, ms: number): Promise<T> {
    const result = promise.then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    )
    await this.advance(ms)
    const settled = await Promise.race([
      result,
      new Promise<undefined>((resolve) => setImmediate(() => resolve(undefined))),
    ])
    if (settled === undefined) throw new Error(`Not settled after ${ms} ms.`)
    if ('error' in settled) throw settled.error
    return settled.value
  }
}
