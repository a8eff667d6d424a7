import type { Config } from '../../config/index.ts'
import { type Finding, failure, ok } from './finding.ts'

/** Checks that Redis responds, if it is configured. */
export async function checkRedis({ data }: Config): Promise<Finding[]> {
  if (data.redisUrl === undefined) return []
  const { Redis } = await import('ioredis')
  const redis = new Redis(data.redisUrl, {
    lazyConnect: true,
    connectTimeout: 3_000,
    retryStrategy: () => null,
  })
  // `connect` rejects with the same error; without a listener it would also be printed.
  redis.on('error', () => {})
  try {
    await redis.connect()
    await redis.ping()
    return [ok('redis', 'responds')]
  } catch (error) {
    const { message } = error as Error
    return [failure('redis', `does not respond (${message}); start it, or correct REDIS_URL`)]
  } finally {
    redis.disconnect()
  }
}
