import type { SessionTiming } from '../timing.ts'
import type { Content } from './content.ts'

/**
 * The lock a background app needs to draw over the main app: ten seconds at most, gone after two seconds without
 * use unless the content itself asked to stay longer. Who comes while it is held waits in line (app socket
 * protocol, 2.7).
 */
export class DisplayLock {
  readonly #timing: SessionTiming
  #held: { holder: string; since: number; used: number } | undefined
  #line: string[] = []

  constructor(timing: SessionTiming) {
    this.#timing = timing
  }

  /** The app asks to draw now: it takes the lock, uses the one it holds, or waits in line. */
  ask(packageName: string, now: number): void {
    if (this.#held?.holder === packageName) this.#held.used = now
    else if (!this.#line.includes(packageName)) this.#line.push(packageName)
  }

  /** The app draws no more. */
  leave(packageName: string): void {
    if (this.#held?.holder === packageName) this.#held = undefined
    this.#line = this.#line.filter((waiting) => waiting !== packageName)
  }

  /**
   * Who may draw now. Passes the lock on when its time is up; a holder whose last content nobody saw yet waits in
   * line again.
   * @param contentOf the live content of an app, if any
   */
  holder(now: number, contentOf: (packageName: string) => Content | undefined): Content | undefined {
    if (this.#held && now >= this.#end(contentOf(this.#held.holder))) {
      const { holder } = this.#held
      this.#held = undefined
      if (contentOf(holder)?.shown === false) this.#line.push(holder)
    }
    while (!this.#held) {
      const next = this.#line.shift()
      if (next === undefined) return undefined
      if (contentOf(next)) this.#held = { holder: next, since: now, used: now }
    }
    return contentOf(this.#held.holder)
  }

  /** When the lock ends by itself; infinite while nobody holds it. */
  until(contentOf: (packageName: string) => Content | undefined): number {
    return this.#held ? this.#end(contentOf(this.#held.holder)) : Number.POSITIVE_INFINITY
  }

  #end(content: Content | undefined): number {
    if (!this.#held || !content) return 0
    const idle = this.#held.used + this.#timing.displayLockIdleMs
    const wanted = content.until === Number.POSITIVE_INFINITY ? idle : Math.max(idle, content.until)
    return Math.min(wanted, this.#held.since + this.#timing.displayLockMs)
  }
}
