import type { FastifyRateLimitStore } from '@fastify/rate-limit'

interface Window {
  readonly startedAt: number
  count: number
}

/**
 * Request counts of this process by caller. Windows are measured on the monotonic clock: the counts that
 * `@fastify/rate-limit` would use by default freeze when the wall clock is set back. Beyond `maxCallers`, the least
 * recently seen callers are evicted.
 */
export class RequestCounts implements FastifyRateLimitStore {
  readonly #maxCallers: number
  /** Least recently seen first. */
  readonly #windows = new Map<string, Window>()

  constructor(maxCallers: number) {
    this.#maxCallers = maxCallers
  }

  incr(
    caller: string,
    done: (error: Error | null, result: { current: number; ttl: number }) => void,
    windowMs: number,
  ): void {
    const now = performance.now()
    const known = this.#windows.get(caller)
    const window = known && now < known.startedAt + windowMs ? known : { startedAt: now, count: 0 }
    window.count += 1
    this.#windows.delete(caller)
    this.#windows.set(caller, window)
    if (this.#windows.size > this.#maxCallers) this.#evictOldest()
    done(null, { current: window.count, ttl: Math.ceil(window.startedAt + windowMs - now) })
  }

  child(): RequestCounts {
    return new RequestCounts(this.#maxCallers)
  }

  #evictOldest(): void {
    for (const caller of this.#windows.keys()) {
      this.#windows.delete(caller)
      return
    }
  }
}
