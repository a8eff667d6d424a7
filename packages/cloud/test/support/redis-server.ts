import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis, type RedisOptions } from 'ioredis'
import { findProgram } from '../../src/config/index.ts'
import { findFreePort } from '../../src/http/free-port.ts'
import { skipIfMissing } from './optional-part.ts'
import { CleanUpStack, type Scope } from './scope.ts'
import { waitFor } from './wait-for.ts'

const SLOTS = 16_384
const CLUSTER_SIZE = 3

/** Why tests with Redis servers of their own are skipped; false if the program `redis-server` is installed. */
export const redisServerMissing = skipIfMissing(
  findProgram('redis-server') === undefined
    ? 'redis-server is not installed (apt-get install redis-server)'
    : undefined,
)

/** A Redis server of a test, in a folder of its own. Without persistence: it starts empty. */
export class RedisServer {
  readonly port: number
  readonly #arguments: readonly string[]
  #process: ChildProcess | undefined

  private constructor(port: number, args: readonly string[]) {
    this.port = port
    this.#arguments = args
  }

  /**
   * Starts a server on a free port; the scope kills it.
   * @param settings lines of its configuration file
   * @param mode flags of the program
   */
  static async start(
    scope: Scope,
    settings: readonly string[] = ['save ""'],
    mode: readonly string[] = [],
  ): Promise<RedisServer> {
    const cleanUp = new CleanUpStack(scope)
    const folder = await mkdtemp(join(tmpdir(), 'glasses-cloud-redis-'))
    cleanUp.after(() => rm(folder, { recursive: true, force: true }))
    const port = await findFreePort()
    const file = join(folder, 'redis.conf')
    await writeFile(file, [`port ${port}`, 'bind 127.0.0.1', `dir ${folder}`, ...settings, ''].join('\n'))
    const server = new RedisServer(port, [file, ...mode])
    cleanUp.after(() => server.kill())
    await server.start()
    return server
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`
  }

  /** Starts it at the same port, empty. */
  async start(): Promise<void> {
    this.#process = spawn('redis-server', this.#arguments, { stdio: 'ignore' })
    await waitFor('the start of Redis', async () => (await this.run((redis) => redis.ping())) === 'PONG')
  }

  /** Kills it as a power failure would. */
  async kill(): Promise<void> {
    const killed = this.#process
    if (!killed || killed.exitCode !== null || killed.signalCode !== null) return
    const exited = once(killed, 'exit')
    killed.kill('SIGKILL')
    await exited
  }

  /** Runs commands on a connection of their own. */
  async run<Result>(task: (redis: Redis) => Promise<Result>): Promise<Result> {
    const options: RedisOptions = { lazyConnect: true, connectTimeout: 20_000, retryStrategy: () => null }
    const redis = new Redis(this.port, '127.0.0.1', options)
    redis.on('error', () => {})
    try {
      await redis.connect()
      return await task(redis)
    } finally {
      redis.disconnect()
    }
  }
}

/** A master with a replica, and a Sentinel that makes the replica the master once the master is gone. */
export interface SentinelServers {
  readonly master: RedisServer
  readonly replica: RedisServer
  readonly sentinel: RedisServer
  /** The settings of a cloud that uses them. */
  readonly env: Readonly<Record<string, string>>
}

/** Starts Redis with a replica and a Sentinel. */
export async function startSentinel(scope: Scope): Promise<SentinelServers> {
  const name = 'cloud'
  const master = await RedisServer.start(scope)
  const replica = await RedisServer.start(scope, ['save ""', `replicaof 127.0.0.1 ${master.port}`])
  await waitFor('the replication', () =>
    replica.run(async (redis) => (await redis.info('replication')).includes('master_link_status:up')),
  )
  const sentinel = await RedisServer.start(
    scope,
    [
      `sentinel monitor ${name} 127.0.0.1 ${master.port} 1`,
      `sentinel down-after-milliseconds ${name} 1000`,
      `sentinel failover-timeout ${name} 5000`,
    ],
    ['--sentinel'],
  )
  await waitFor('the replica at the Sentinel', () =>
    sentinel.run(
      async (redis) => ((await redis.call('SENTINEL', 'REPLICAS', name)) as unknown[]).length === 1,
    ),
  )
  const env = { REDIS_URL: sentinel.url, REDIS_SENTINEL_MASTER: name }
  return { master, replica, sentinel, env }
}

/** Starts a Redis Cluster of three masters without replicas. */
export async function startRedisCluster(scope: Scope): Promise<readonly RedisServer[]> {
  const servers: { server: RedisServer; busPort: number }[] = []
  while (servers.length < CLUSTER_SIZE) {
    const busPort = await findFreePort()
    const settings = [
      'save ""',
      'cluster-enabled yes',
      `cluster-port ${busPort}`,
      'cluster-node-timeout 1000',
    ]
    servers.push({ server: await RedisServer.start(scope, settings), busPort })
  }
  const [first] = servers
  for (const [index, { server, busPort }] of servers.entries()) {
    const slot = (n: number) => Math.floor((n * SLOTS) / CLUSTER_SIZE)
    await server.run((redis) => redis.cluster('ADDSLOTSRANGE', slot(index), slot(index + 1) - 1))
    await first?.server.run((redis) => redis.call('CLUSTER', 'MEET', '127.0.0.1', server.port, busPort))
  }
  for (const { server } of servers) await waitForClusterState(server, 'ok')
  return servers.map(({ server }) => server)
}

/** Waits until a server of a Redis Cluster finds that the cluster works, or that it does not. */
export async function waitForClusterState(server: RedisServer, state: 'ok' | 'fail'): Promise<void> {
  await waitFor(`the state ${state} of the Redis Cluster`, () =>
    server.run(async (redis) => (await redis.cluster('INFO')).includes(`cluster_state:${state}`)),
  )
}
