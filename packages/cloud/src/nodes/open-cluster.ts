import type { Logger } from 'pino'
import {
  AuthenticatedTransport,
  type Bus,
  connectRedis,
  MemoryExchange,
  MessageBus,
  type RedisClient,
  RedisTransport,
} from '../bus/index.ts'
import type { RedisSettings } from '../config/index.ts'
import { type Database, openLeaseDatabase, readCloudId } from '../db/index.ts'
import { type Clock, pause } from '../time/index.ts'
import type { Tracing } from '../tracing/index.ts'
import { LiveNodes } from './live-nodes.ts'
import { NodeLease } from './node-lease.ts'
import { NodeLeaseStore } from './node-lease-store.ts'
import { RedisLeases } from './redis-leases.ts'
import { NODE_LEASE_MS, type NodeInfo } from './shared-leases.ts'

/** Time after which a Redis command fails. */
const COMMAND_TIMEOUT_MS = 1_000

/** Time to wait for Redis at the start of a node. */
const FIRST_CONNECTION_MS = 1_000

/** Leases that expired this long ago are deleted at the start of a node. */
const OLD_LEASE_MS = 24 * 60 * 60_000

export interface ClusterDeps {
  readonly redis: RedisSettings
  readonly databaseUrl: string
  readonly db: Database
  readonly bus: Bus
  readonly clock: Clock
  readonly log: Logger
  readonly name: string
  readonly version: string
  readonly secretId: string
}

/** What a node reports about itself. */
export interface NodeStatus {
  sessions: () => number
  isDraining: boolean
}

/** This node in its cluster. */
export interface Cluster {
  readonly lease: NodeLease
  readonly nodes: LiveNodes
  readonly status: NodeStatus
  /** Releases the lease and closes the connections. */
  close(): Promise<void>
}

/** Opens the leases of the cluster and acquires the one of this node. */
export async function openCluster(deps: ClusterDeps): Promise<Cluster> {
  const { redis: settings, bus, clock, log, name, version } = deps
  const redis = await connectRedis(settings, {
    commandTimeout: COMMAND_TIMEOUT_MS,
    socketTimeout: COMMAND_TIMEOUT_MS,
  })
  // The lease reports an outage.
  redis.on('error', () => {})
  const isConnected = new Promise<void>((resolve) => redis.once('ready', resolve))
  // A busy pool must not delay the renewal of the lease.
  const db = await openLeaseDatabase(deps.databaseUrl, NODE_LEASE_MS, log)
  const shared = new RedisLeases(redis, await redisPrefix(deps.db), settings.isCluster)
  const store = new NodeLeaseStore(db)
  const startedAt = clock.monotonicNow()
  const status: NodeStatus = { sessions: () => 0, isDraining: false }
  const lease = new NodeLease({
    nodeId: bus.nodeId,
    clock,
    shared,
    store,
    log,
    info: () => ({
      name,
      version,
      secretId: deps.secretId,
      uptimeMs: clock.monotonicNow() - startedAt,
      sessions: status.sessions(),
      isDraining: status.isDraining,
    }),
  })
  const nodes = new LiveNodes({ clock, shared, store, bus })
  // Without Redis, the node starts with its lease in the database.
  await Promise.race([isConnected, pause(clock, FIRST_CONNECTION_MS)])
  await lease.start()
  nodes.start()
  await store.deleteExpired(OLD_LEASE_MS)
  return {
    lease,
    nodes,
    status,
    async close() {
      nodes.stop()
      await lease.stop()
      redis.disconnect()
      await db.destroy()
    },
  }
}

/** Lists the nodes with a valid lease, by name. */
export async function listNodes(
  redis: RedisClient,
  db: Database,
  isCluster: boolean,
): Promise<readonly NodeInfo[]> {
  const nodes = await new RedisLeases(redis, await redisPrefix(db), isCluster).list()
  return nodes
    .map(({ isListening: _, ...info }) => info)
    .sort((one, other) => (one.name < other.name ? -1 : 1))
}

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
