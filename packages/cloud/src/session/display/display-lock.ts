import type { SessionTiming } from '../timing.ts'
import type { DisplayContent } from './display-content.ts'

type FindContent = (packageName: string) => DisplayContent | undefined

/**
 * The lock that a background app needs to draw over the main app (app-socket.md §2.7). A holder loses it after
 * `displayLockMs`, and after `displayLockIdleMs` without drawing unless its content has a longer duration. Other apps
 * queue while the lock is held.
 */
export class DisplayLock {
  readonly #timing: SessionTiming
  #lock: { readonly holder: string; readonly acquiredAt: number; usedAt: number } | undefined
  #queue: string[] = []

  constructor(timing: SessionTiming) {
    this.#timing = timing
  }

  /** Renews the lock of the app, or adds the app to the queue. */
  request(packageName: string, now: number): void {
    if (this.#lock?.holder === packageName) this.#lock.usedAt = now
    else if (!this.#queue.includes(packageName)) this.#queue.push(packageName)
  }

  /** Releases the lock of the app and removes the app from the queue. */
  release(packageName: string): void {
    if (this.#lock?.holder === packageName) this.#lock = undefined
    this.#queue = this.#queue.filter((queued) => queued !== packageName)
  }

  /**
   * Returns the content of the current holder. An expired lock passes to the next app in the queue; a holder whose
   * latest content was never shown is queued again.
   */
  resolve(now: number, findContent: FindContent): DisplayContent | undefined {
    if (this.#lock && now >= this.#expiry(findContent(this.#lock.holder))) {
      const { holder } = this.#lock
      this.#lock = undefined
      if (findContent(holder)?.wasShown === false) this.#queue.push(holder)
    }
    while (!this.#lock) {
      const next = this.#queue.shift()
      if (next === undefined) return undefined
      if (findContent(next)) this.#lock = { holder: next, acquiredAt: now, usedAt: now }
    }
    return findContent(this.#lock.holder)
  }

  /** When the lock expires; infinite while it is free. */
  until(findContent: FindContent): number {
    return this.#lock ? this.#expiry(findContent(this.#lock.holder)) : Number.POSITIVE_INFINITY
  }

  #expiry(content: DisplayContent | undefined): number {
    if (!this.#lock || !content) return 0
    const idle = this.#lock.usedAt + this.#timing.displayLockIdleMs
    const requested = content.until === Number.POSITIVE_INFINITY ? idle : Math.max(idle, content.until)
    return Math.min(requested, this.#lock.acquiredAt + this.#timing.displayLockMs)
  }
}
