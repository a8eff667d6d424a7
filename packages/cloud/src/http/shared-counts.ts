import type { Redis } from 'ioredis'
import type { Logger } from 'pino'

/** Counts that all nodes share. */
export interface SharedCounts {
  readonly redis: Redis
  close(): void
}

/** How long a request waits for Redis before it goes uncounted, in ms. */
const COMMAND_TIMEOUT_MS = 250

/**
 * Opens counts in Redis. It is not waited for, now or later: while Redis does not answer, every count fails at once
 * (requests then go uncounted) and one log line says so; another one says when it is back.
 */
export async function openSharedCounts(redisUrl: string, log: Logger): Promise<SharedCounts> {
  // Only where it is used: its start-up is not free.
  const { Redis } = await import('ioredis')
  const redis = new Redis(redisUrl, {
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    commandTimeout: COMMAND_TIMEOUT_MS,
    // A Redis that hangs is given up as a whole, so that it costs one wait and not one a request.
    socketTimeout: COMMAND_TIMEOUT_MS,
    connectTimeout: 2_000,
    retryStrategy: (attempts) => Math.min(attempts * 100, 2_000),
  })
  let down = false
  const lost = (err: unknown) => {
    if (down) return
    down = true
    log.warn({ err }, 'redis does not answer: requests are not limited')
  }
  redis.on('error', lost)
  redis.on('ready', () => {
    if (down) log.info('redis answers again: requests are limited')
    down = false
  })
  return { redis, close: () => redis.disconnect() }
}
