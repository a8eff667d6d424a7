import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Env } from '../../src/config/index.ts'
import { openDatabase } from '../../src/db/index.ts'
import type { TestDatabase } from '../../src/db/testing.ts'
import { findFreePort } from '../../src/http/free-port.ts'
import { startBalancer } from '../../src/local-cluster/balancer.ts'
import type { NodeInfo } from '../../src/nodes/index.ts'
import { UserSessionStore } from '../../src/session-host/index.ts'
import { cli } from './cli.ts'
import { redisUrl } from './redis.ts'
import type { Scope } from './scope.ts'
import {
  type LocalCloud,
  type SpawnedCloud,
  spawnCloud,
  startCloud,
  type TestCloudOptions,
} from './test-cloud.ts'

/** Creates what the nodes of a cluster share, and returns their environment. */
async function clusterEnv(scope: Scope, database: TestDatabase, given?: Env): Promise<Env> {
  const dataDir = await mkdtemp(join(tmpdir(), 'glasses-cloud-'))
  scope.after(() => rm(dataDir, { recursive: true, force: true }))
  const databaseUrl = given?.DATABASE_URL ?? (await database.createEmpty(scope)).databaseUrl
  return { DATABASE_URL: databaseUrl, DATA_DIR: dataDir, SHARED_DATA_DIR: 'true', REDIS_URL: redisUrl }
}

/** Starts nodes of one cluster in this process. */
export async function startNodes<const Names extends readonly string[]>(
  scope: Scope,
  database: TestDatabase,
  names: Names,
  options: Parameters<typeof startCloud>[1] = {},
): Promise<{ readonly [Index in keyof Names]: LocalCloud }> {
  const env = { ...(await clusterEnv(scope, database, options.env)), ...options.env }
  const nodes: LocalCloud[] = []
  for (const name of names)
    nodes.push(await startCloud(scope, { ...options, env: { ...env, NODE_NAME: name } }))
  return nodes as unknown as { readonly [Index in keyof Names]: LocalCloud }
}

/** A node in a process of its own. */
export interface NodeProcess extends SpawnedCloud {
  /** Its own URL; `url` is the balancer's. */
  readonly nodeUrl: string
  readonly name: string
}

/** Three nodes in processes of their own, and a round-robin balancer. */
export interface ProcessCluster {
  /** The balancer's URL. */
  readonly url: string
  readonly nodes: readonly NodeProcess[]
  /** Returns the nodes with a valid lease in Redis, by name. */
  leases(): Promise<NodeInfo[]>
  /** Returns the node that owns a session. */
  ownerOf(userSessionId: string): Promise<NodeProcess>
  /**
   * Starts a node that was stopped or killed again, at the same address.
   * @param from the program; the bundle of this version by default
   */
  restart(node: NodeProcess, from?: { readonly main: string }): Promise<NodeProcess>
}

/** Starts nodes in processes of their own, behind a balancer. */
export async function startCluster(
  scope: Scope,
  database: TestDatabase,
  size = 3,
  { ownAppSocketUrl = false, ...options }: TestCloudOptions & { readonly ownAppSocketUrl?: boolean } = {},
): Promise<ProcessCluster> {
  const shared = { ...(await clusterEnv(scope, database, options.env)), ...options.env }
  const ports = await Promise.all(Array.from({ length: size }, () => findFreePort()))
  const balancerPort = await findFreePort()
  const url = `http://127.0.0.1:${balancerPort}`
  const nodes: NodeProcess[] = []
  const start = async (index: number, from?: { readonly main: string }): Promise<NodeProcess> => {
    const name = `node-${index + 1}`
    const appSocketUrl = ownAppSocketUrl ? { APP_SOCKET_URL: `ws://127.0.0.1:${ports[index]}/app-ws` } : {}
    const env = { PUBLIC_URL: url, ...shared, ...appSocketUrl, PORT: String(ports[index]), NODE_NAME: name }
    const cloud = await spawnCloud(scope, { env, ...(from && { from }) })
    const node = { ...cloud, name, nodeUrl: `http://127.0.0.1:${ports[index]}` }
    nodes[index] = node
    return node
  }
  // The first one migrates the database.
  await start(0)
  await Promise.all(ports.slice(1).map((_, index) => start(index + 1)))
  const balancer = await startBalancer(
    ports.map((port) => `http://127.0.0.1:${port}`),
    balancerPort,
  )
  scope.after(() => balancer.close())
  const leases = async () => {
    const { out } = await cli({ ...nodes[0]?.env, REDIS_URL: redisUrl }, 'nodes', '--json')
    return JSON.parse(out) as NodeInfo[]
  }
  const ownerOf = async (userSessionId: string) => {
    const db = await openDatabase({ databaseUrl: shared.DATABASE_URL, dataDir: String(shared.DATA_DIR) })
    const place = await new UserSessionStore(db).locateById(userSessionId).finally(() => db.destroy())
    const lease = (await leases()).find(({ holder }) => holder === place?.owner)
    const owner = nodes.find(({ name }) => name === lease?.name)
    if (!owner) throw new Error('no node owns the session')
    return owner
  }
  return { url, nodes, leases, ownerOf, restart: (node, from) => start(nodes.indexOf(node), from) }
}
