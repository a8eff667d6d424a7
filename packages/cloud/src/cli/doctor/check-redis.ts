import type { Config } from '../../config/index.ts'
import { type Finding, ok, wrong } from './finding.ts'

/** Redis answers, where one is configured. */
export async function checkRedis({ data }: Config): Promise<Finding[]> {
  if (data.redisUrl === undefined) return []
  const { Redis } = await import('ioredis')
  const redis = new Redis(data.redisUrl, {
    lazyConnect: true,
    connectTimeout: 3_000,
    retryStrategy: () => null,
  })
  // Reported by what `connect` rejects with; without a listener it would be printed besides.
  redis.on('error', () => {})
  try {
    await redis.connect()
    await redis.ping()
    return [ok('redis', 'answers')]
  } catch (error) {
    const { message } = error as Error
    return [wrong('redis', `does not answer (${message}); start it, or correct REDIS_URL`)]
  } finally {
    redis.disconnect()
  }
}
