import { nodeChannel, type RedisClient, versionedChannel } from '../bus/index.ts'
import { type LiveNode, NODE_LEASE_MS, type NodeInfo, nodeIdOf, type SharedLeases } from './shared-leases.ts'

/** Longer than any statement that takes over a session may take. */
const BLOCK_MS = 60_000
const BLOCKED = 'blocked'

/** How long information about a node is kept. */
const INFO_MS = 30_000

/** Records since when Redis has kept leases, unless it is known. KEYS[1]: where. */
const RECORD_START = `
  local time = redis.call('time')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  redis.call('set', KEYS[1], now, 'nx')`

/** KEYS: start, lease, info, set of holders. ARGV: holder, lease in ms, info, info in ms. */
const RENEW = `${RECORD_START}
  local value = redis.call('get', KEYS[2])
  if value and value ~= ARGV[1] then return 0 end
  redis.call('set', KEYS[2], ARGV[1], 'px', ARGV[2])
  redis.call('set', KEYS[3], ARGV[3], 'px', ARGV[4])
  redis.call('sadd', KEYS[4], ARGV[1])
  return 1`

/**
 * KEYS: start, lease. ARGV: holder, the value of a blocked lease, its duration in ms, the duration of a lease in ms. A
 * Redis that has lost its data may have lost an unexpired lease, whose holder still relies on it.
 */
const BLOCK = `${RECORD_START}
  if now - redis.call('get', KEYS[1]) < tonumber(ARGV[4]) then return 0 end
  if redis.call('get', KEYS[2]) == ARGV[1] then return 0 end
  redis.call('set', KEYS[2], ARGV[2], 'px', ARGV[3])
  return 1`

/** Leases in Redis. All keys share a hash tag, so that a Redis Cluster keeps them on one server. */
export class RedisLeases implements SharedLeases {
  readonly #redis: RedisClient
  readonly #prefix: string
  readonly #isCluster: boolean

  /** @param prefix the prefix of this cloud on the Redis server */
  constructor(redis: RedisClient, prefix: string, isCluster: boolean) {
    this.#redis = redis
    this.#prefix = prefix
    this.#isCluster = isCluster
  }

  async renew(info: NodeInfo, ms: number): Promise<boolean> {
    const { holder } = info
    const keys = [this.#startKey, this.#leaseKey(holder), this.#infoKey(holder), this.#holdersKey]
    return (await this.#redis.eval(RENEW, 4, ...keys, holder, ms, JSON.stringify(info), INFO_MS)) === 1
  }

  async block(holder: string): Promise<boolean> {
    const keys = [this.#startKey, this.#leaseKey(holder)]
    return (await this.#redis.eval(BLOCK, 2, ...keys, holder, BLOCKED, BLOCK_MS, NODE_LEASE_MS)) === 1
  }

  async release(holder: string): Promise<void> {
    await this.#redis.del(this.#leaseKey(holder), this.#infoKey(holder))
    await this.#redis.srem(this.#holdersKey, holder)
  }

  async isHeld(holder: string): Promise<boolean> {
    return (await this.#redis.get(this.#leaseKey(holder))) === holder
  }

  async list(): Promise<LiveNode[]> {
    const holders = await this.#redis.smembers(this.#holdersKey)
    if (holders.length === 0) return []
    const [leases, infos, listening] = await Promise.all([
      this.#redis.mget(holders.map((holder) => this.#leaseKey(holder))),
      this.#redis.mget(holders.map((holder) => this.#infoKey(holder))),
      this.#countListeners(holders),
    ])
    const nodes: LiveNode[] = []
    for (const [index, holder] of holders.entries()) {
      const info = infos[index]
      if (leases[index] === holder && info)
        nodes.push({ ...(JSON.parse(info) as NodeInfo), isListening: listening?.[index] })
      // A node that is gone for long is forgotten.
      else if (!info) await this.#redis.srem(this.#holdersKey, holder)
    }
    return nodes
  }

  async #countListeners(holders: readonly string[]): Promise<boolean[] | undefined> {
    // The servers of a Redis Cluster count only their own subscribers.
    if (this.#isCluster) return undefined
    const channels = holders.map((holder) => this.#prefix + versionedChannel(nodeChannel(nodeIdOf(holder))))
    const counts = (await this.#redis.pubsub('NUMSUB', ...channels)) as (string | number)[]
    return channels.map((_, index) => Number(counts[2 * index + 1]) > 0)
  }

  get #startKey(): string {
    return `${this.#prefix}{nodes}:start`
  }

  get #holdersKey(): string {
    return `${this.#prefix}{nodes}:holders`
  }

  #leaseKey(holder: string): string {
    return `${this.#prefix}{nodes}:lease:${holder}`
  }

  #infoKey(holder: string): string {
    return `${this.#prefix}{nodes}:info:${holder}`
  }
}
