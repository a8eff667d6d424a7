import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { connectRedis, type RedisClient } from '@glasses-cloud/cloud/bus'
import { findFreePort } from '@glasses-cloud/cloud/free-port'
import { readDatabaseUse } from '@glasses-cloud/cloud/testing-postgres'
import { NodeCluster } from '../support/node-cluster.ts'
import type { Cost } from './model.ts'

/** PostgreSQL counts what a connection did up to 10 s after it became idle; logs of apps are written seconds later, too. */
const SETTLE_MS = 12_000

/** Two nodes with a database and a Redis server of their own, and what all of them have used. */
export class Resources {
  readonly cluster: NodeCluster
  readonly #redis: RedisClient
  readonly #server: ChildProcess

  private constructor(cluster: NodeCluster, redis: RedisClient, server: ChildProcess) {
    this.cluster = cluster
    this.#redis = redis
    this.#server = server
  }

  static async start(): Promise<Resources> {
    const port = await findFreePort()
    const args = ['--bind', '127.0.0.1', '--port', String(port), '--save', '']
    const server = spawn('redis-server', args, { stdio: 'ignore' })
    const url = `redis://127.0.0.1:${port}`
    const redis = await connectRedis({ urls: [url], isCluster: false })
    redis.on('error', () => {})
    if (redis.status !== 'ready') await once(redis, 'ready')
    return new Resources(await NodeCluster.start(2, { REDIS_URL: url }), redis, server)
  }

  /** What was used while a task ran. @returns also its seconds, including the time to settle */
  async during(task: () => Promise<unknown>): Promise<{ readonly cost: Cost; readonly seconds: number }> {
    await delay(SETTLE_MS)
    const before = await this.#read()
    const startedAt = performance.now()
    await task()
    await delay(SETTLE_MS)
    const after = await this.#read()
    const seconds = (performance.now() - startedAt) / 1_000
    const keys = Object.keys(before) as (keyof Cost)[]
    const cost = Object.fromEntries(keys.map((key) => [key, after[key] - before[key]])) as unknown as Cost
    return { cost, seconds }
  }

  async stop(): Promise<void> {
    await this.cluster.stop()
    this.#redis.disconnect()
    this.#server.kill()
  }

  async #read(): Promise<Cost> {
    const times = await Promise.all(this.cluster.nodes.map((node) => node.run({ command: 'cpu' })))
    const { transactions, rowsWritten } = await readDatabaseUse(this.cluster.database)
    const info = String(await this.#redis.info())
    const field = (name: string) => Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(info)?.[1])
    return {
      cpuMicros: times.reduce((sum, time) => sum + time, 0),
      transactions,
      rowsWritten,
      redisCommands: field('total_commands_processed'),
      redisBytes: field('total_net_input_bytes') + field('total_net_output_bytes'),
    }
  }
}
