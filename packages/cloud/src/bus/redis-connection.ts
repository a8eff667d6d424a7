import type { Cluster, Redis, RedisOptions } from 'ioredis'
import type { RedisSettings } from '../config/index.ts'

/** A connection to Redis. */
export type RedisClient = Redis | Cluster

const CONNECT_TIMEOUT_MS = 2_000

/** Opens a connection without waiting for it. Commands fail immediately while Redis is not available. */
export async function connectRedis(
  settings: RedisSettings,
  options: RedisOptions = {},
): Promise<RedisClient> {
  // Loaded only if Redis is configured.
  const { Cluster } = await import('ioredis')
  if (!settings.isCluster) return connectServer(settings, options)
  const { addresses, retryStrategy, authenticated } = readSettings(settings, options)
  return new Cluster(addresses, {
    enableOfflineQueue: false,
    clusterRetryStrategy: retryStrategy,
    redisOptions: authenticated,
  })
}

/**
 * Opens a connection to one server without waiting for it. Of a Redis Cluster this is the first that is available:
 * every server receives all messages, and messages stay in order only if they pass through the same one.
 */
export async function connectServer(settings: RedisSettings, options: RedisOptions = {}): Promise<Redis> {
  const { Redis } = await import('ioredis')
  const { sentinelMaster, isCluster } = settings
  const { nodes, first, addresses, retryStrategy, common, authenticated } = readSettings(settings, options)
  if (isCluster) {
    let index = 0
    const redis: Redis = new Redis({
      ...authenticated,
      ...addresses[0],
      retryStrategy(attempts) {
        if (attempts > 1) index = (index + 1) % addresses.length
        Object.assign(redis.options, addresses[index])
        return retryStrategy(attempts)
      },
    })
    return redis
  }
  if (sentinelMaster !== undefined)
    return new Redis({
      ...authenticated,
      name: sentinelMaster,
      sentinels: addresses.map(({ host, port }, index) => ({
        host,
        port: nodes[index]?.port === '' ? 26_379 : port,
      })),
      sentinelRetryStrategy: retryStrategy,
      enableTLSForSentinelMode: first.protocol === 'rediss:',
      ...(authenticated.tls ? { sentinelTLS: authenticated.tls } : {}),
      ...(authenticated.password === undefined ? {} : { sentinelPassword: authenticated.password }),
      ...(databaseOf(first) === undefined ? {} : { db: databaseOf(first) }),
    })
  return new Redis(first.href, common)
}

function readSettings({ urls }: RedisSettings, options: RedisOptions) {
  const nodes = urls.map((url) => new URL(url))
  const [first] = nodes
  if (!first) throw new Error('Redis has no address')
  const retryStrategy = (attempts: number) => Math.min(attempts * 100, 2_000)
  const common: RedisOptions = {
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: null,
    connectTimeout: CONNECT_TIMEOUT_MS,
    retryStrategy,
    ...options,
  }
  const authenticated: RedisOptions = {
    ...common,
    ...(first.username === '' ? {} : { username: decodeURIComponent(first.username) }),
    ...(first.password === '' ? {} : { password: decodeURIComponent(first.password) }),
    ...(first.protocol === 'rediss:' ? { tls: { servername: first.hostname } } : {}),
  }
  const addresses = nodes.map((url) => ({ host: url.hostname, port: Number(url.port || 6379) }))
  return { nodes, first, addresses, retryStrategy, common, authenticated }
}

function databaseOf({ pathname }: URL): number | undefined {
  return /^\/\d+$/.test(pathname) ? Number(pathname.slice(1)) : undefined
}
