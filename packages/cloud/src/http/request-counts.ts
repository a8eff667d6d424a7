import type { FastifyRateLimitStore } from '@fastify/rate-limit'
import type { Logger } from 'pino'
import { connectRedis, type RedisClient } from '../bus/index.ts'
import type { RedisSettings } from '../config/index.ts'

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

/** Request counts that all nodes share. */
export interface SharedCounts {
  readonly redis: RedisClient
  /** Precedes the keys of this cloud, so that clouds can share a Redis server. */
  readonly prefix: string
  close(): void
}

/** Time after which a request is counted by this node alone. */
const COMMAND_TIMEOUT_MS = 250

/**
 * Opens request counts in Redis, without waiting for the connection. While Redis is not available, counting fails
 * immediately; the log has one line at the start and one at the end of an outage.
 */
export async function openSharedCounts(
  settings: RedisSettings,
  prefix: string,
  log: Logger,
): Promise<SharedCounts> {
  const redis = await connectRedis(settings, {
    commandTimeout: COMMAND_TIMEOUT_MS,
    // Close a connection that hangs, so that only one request waits for the timeout.
    socketTimeout: COMMAND_TIMEOUT_MS,
  })
  let isDown = false
  const onError = (err: unknown) => {
    if (isDown) return
    isDown = true
    log.warn({ err }, 'redis: not available, this node limits requests by its own counts')
  }
  redis.on('error', onError)
  redis.on('ready', () => {
    if (isDown) log.info('redis: available again, nodes limit requests together')
    isDown = false
  })
  return { redis, prefix, close: () => redis.disconnect() }
}
