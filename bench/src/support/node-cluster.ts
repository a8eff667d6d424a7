import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDatabase, dropDatabase, optionsFor } from '@glasses-cloud/cloud/testing-postgres'
import { ServerProcess } from './server-process.ts'

const REDIS = process.env.TEST_REDIS_URL ?? 'redis://127.0.0.1:6379'

/** Nodes of one cloud, on a PostgreSQL database of their own and on Redis. */
export class NodeCluster {
  readonly nodes: ServerProcess[] = []
  readonly #env: Readonly<Record<string, string>>
  /** The name of its database. */
  readonly database: string
  #started = 0

  private constructor(database: string, env: Readonly<Record<string, string>>) {
    this.database = database
    this.#env = env
  }

  /**
   * Starts nodes.
   * @param env additional settings
   */
  static async start(size: number, env: Readonly<Record<string, string>> = {}): Promise<NodeCluster> {
    const database = await createDatabase()
    const cluster = new NodeCluster(database, {
      DATABASE_URL: String(optionsFor(database).databaseUrl),
      DATABASE_POOL_SIZE: '4',
      REDIS_URL: REDIS,
      SHARED_DATA_DIR: 'true',
      DATA_DIR: mkdtempSync(join(tmpdir(), 'glasses-cloud-bench-')),
      ...env,
    })
    while (cluster.nodes.length < size) await cluster.startNode()
    return cluster
  }

  /** Starts another node. */
  async startNode(env: Readonly<Record<string, string>> = {}): Promise<ServerProcess> {
    this.#started += 1
    const node = await ServerProcess.start('cloud', {
      ...this.#env,
      NODE_NAME: `node-${this.#started}`,
      ...env,
    })
    this.nodes.push(node)
    return node
  }

  /** Kills a node. */
  async killNode(node: ServerProcess): Promise<void> {
    this.nodes.splice(this.nodes.indexOf(node), 1)
    await node.stop()
  }

  /** Processor time of all nodes so far, in µs. */
  async cpuMicrosSoFar(): Promise<number> {
    const times = await Promise.all(this.nodes.map((node) => node.run({ command: 'cpu' })))
    return times.reduce((sum, time) => sum + time, 0)
  }

  /** Processor time of all nodes while `load` runs, in µs. */
  async cpuMicros(load: () => Promise<unknown>): Promise<number> {
    const before = await this.cpuMicrosSoFar()
    await load()
    return (await this.cpuMicrosSoFar()) - before
  }

  /** Kills the nodes and deletes their data. */
  async stop(): Promise<void> {
    for (const node of [...this.nodes]) await this.killNode(node)
    await dropDatabase(this.database)
    rmSync(String(this.#env.DATA_DIR), { recursive: true, force: true })
  }
}
