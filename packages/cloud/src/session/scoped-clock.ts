import type { Clock, Timer } from '../time/index.ts'
import { LazySet } from './lazy-collections.ts'

/**
 * A clock whose timers are canceled together: after `close()` none of them fires and none can be created. A session
 * passes it to all its parts, so that no timer outlives the session. Timers run under the guard of the session.
 */
export class ScopedClock implements Clock {
  readonly #clock: Clock
  readonly #pending = new LazySet<Timer>()
  readonly #guard: (task: () => void) => void
  #isClosed = false

  constructor(clock: Clock, guard: (task: () => void) => void) {
    this.#clock = clock
    this.#guard = guard
  }

  now(): number {
    return this.#clock.now()
  }

  monotonicNow(): number {
    return this.#clock.monotonicNow()
  }

  after(ms: number, run: () => void): Timer {
    if (this.#isClosed) return { cancel() {} }
    const inner = this.#clock.after(ms, () => {
      this.#pending.delete(timer)
      this.#guard(run)
    })
    const timer: Timer = {
      cancel: () => {
        this.#pending.delete(timer)
        inner.cancel()
      },
    }
    this.#pending.add(timer)
    return timer
  }

  /** Cancels all timers. May be called twice. */
  close(): void {
    this.#isClosed = true
    for (const timer of [...this.#pending]) timer.cancel()
  }
}
