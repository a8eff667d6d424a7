import type { Clock, Timer } from '../clock.ts'

/** Taps within this time are one gesture, and closer ones are one tap (brilliant_sdk, its receiver of taps). */
const WINDOW_MS = 300
const DEBOUNCE_MS = 40

/** Makes gestures of single taps. A gesture is reported when no further tap followed. */
export class TapCounter {
  readonly #clock: Clock
  readonly #report: (gesture: 'single_tap' | 'double_tap' | 'triple_tap') => void
  #count = 0
  #lastAt = 0
  #timer: Timer

  constructor(clock: Clock, report: (gesture: 'single_tap' | 'double_tap' | 'triple_tap') => void) {
    this.#clock = clock
    this.#report = report
  }

  tap(): void {
    const now = this.#clock.now()
    const isBounce = now - this.#lastAt < DEBOUNCE_MS
    this.#lastAt = now
    if (isBounce) return
    this.#count += 1
    this.#clock.clearTimeout(this.#timer)
    this.#timer = this.#clock.setTimeout(() => {
      const count = this.#count
      this.#count = 0
      this.#report(count === 1 ? 'single_tap' : count === 2 ? 'double_tap' : 'triple_tap')
    }, WINDOW_MS)
  }

  /** Forgets taps that were not reported. */
  reset(): void {
    this.#clock.clearTimeout(this.#timer)
    this.#count = 0
  }
}
