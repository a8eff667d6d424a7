import type { Logger } from 'pino'
import { connectRedis, type RedisClient } from '../bus/index.ts'
import type { RedisSettings } from '../config/index.ts'

/** Request counts that all nodes share. */
export interface SharedCounts {
  readonly redis: RedisClient
  /** Precedes the keys of this cloud, so that clouds can share a Redis server. */
  readonly prefix: string
  close(): void
}

/** Time after which a request is served without being counted. */
const COMMAND_TIMEOUT_MS = 250

/**
 * Opens request counts in Redis, without waiting for the connection. While Redis is not available, counting fails
 * immediately and requests are not limited; the log has one line at the start and one at the end of an outage.
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
    log.warn({ err }, 'redis: not available, requests are not limited')
  }
  redis.on('error', onError)
  redis.on('ready', () => {
    if (isDown) log.info('redis: available again, requests are limited')
    isDown = false
  })
  return { redis, prefix, close: () => redis.disconnect() }
}
