import type { Logger } from 'pino'
import { AuthenticatedTransport, type Bus, MemoryExchange, MessageBus, RedisTransport } from '../bus/index.ts'
import type { RedisSettings } from '../config/index.ts'
import { type Database, readCloudId } from '../db/index.ts'
import type { Clock } from '../time/index.ts'
import type { Tracing } from '../tracing/index.ts'

export interface BusDeps {
  /** Undefined: this is the only node. */
  readonly redis: RedisSettings | undefined
  /** The accepted values of `AUTH_SECRET`, the current one first. */
  readonly secrets: readonly [string, ...string[]]
  readonly db: Database
  readonly clock: Clock
  readonly log: Logger
  readonly tracing: Tracing
}

/** Opens the bus between the nodes that share a database. Without Redis it connects this node with itself. */
export async function openBus({ redis, secrets, db, clock, log, tracing }: BusDeps): Promise<Bus> {
  const failed = (err: unknown) => log.error({ err }, 'bus: a listener failed')
  if (!redis) return new MessageBus(new MemoryExchange().connect(), { clock, failed, tracing })
  const prefix = await redisPrefix(db)
  const transport = await RedisTransport.open({ redis, prefix, clock, log })
  const authenticated = new AuthenticatedTransport(transport, { secrets, cloud: prefix, clock, log })
  return new MessageBus(authenticated, { clock, failed, tracing })
}

/** Returns what precedes the Redis keys and channels of this cloud, so that clouds can share a Redis server. */
export async function redisPrefix(db: Database): Promise<string> {
  return `glasses-cloud:${await readCloudId(db)}:`
}
