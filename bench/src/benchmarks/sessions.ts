import { type Benchmark, type Figure, formatNumber, median } from '../figure.ts'
import { closePairs, connectBarePairs, connectCloudPairs, type Pair, startAppServer } from '../support/pairs.ts'
import { ServerProcess } from '../support/server-process.ts'
import { IdleClient } from '../support/idle-client.ts'
import { NodeCluster } from '../support/node-cluster.ts'

const SIZES = [1_000, 5_000]
/** The first sessions fill caches and compile code; they are not measured. */
const WARM_UP_SESSIONS = 100

interface BytesPerSession {
  readonly resident: number
  readonly live: number
}

/** Memory per session with one running app, above the two bare sockets it has. */
export const memory: Benchmark = {
  title: 'memory per session with one running app',
  async run() {
    const figures: Figure[] = []
    for (const sessions of SIZES) figures.push(...(await compare(sessions)))
    return figures
  },
}

async function compare(sessions: number): Promise<Figure[]> {
  const bare = await measure('bare', sessions, connectBarePairs)
  const cloud = await measure('cloud', sessions, (server, count, first) =>
    connectCloudPairs(server, count, { streams: ['transcription:en-US'], first }),
  )
  const kb = (bytes: number) => bytes / 1_024
  const figure = (name: string, key: keyof BytesPerSession, atMost: number): Figure => ({
    name: `${name}, ${sessions.toLocaleString('en')} sessions`,
    value: kb(cloud[key] - bare[key]),
    unit: 'KB above bare ws',
    detail: `${formatNumber(kb(cloud[key]))} against ${formatNumber(kb(bare[key]))} KB, ${formatNumber(cloud[key] / bare[key])} ×`,
    aim: { atMost },
  })
  return [
    figure('resident, without forced collection', 'resident', 50),
    figure('live heap and external', 'live', 30),
  ]
}

async function measure(
  name: 'bare' | 'cloud',
  sessions: number,
  connect: (server: ServerProcess, count: number, first: number) => Promise<Pair[]>,
): Promise<BytesPerSession> {
  const server = await ServerProcess.start(name)
  const warmUp = await connect(server, WARM_UP_SESSIONS, sessions)
  const liveBefore = await server.run({ command: 'live-memory' })
  const residentBefore = await server.run({ command: 'resident-memory' })
  const pairs = await connect(server, sessions, 0)
  const residentAfter = await server.run({ command: 'resident-memory' })
  const liveAfter = await server.run({ command: 'live-memory' })
  closePairs([...warmUp, ...pairs])
  await server.stop()
  return {
    resident: (residentAfter - residentBefore) / sessions,
    live: (liveAfter - liveBefore) / sessions,
  }
}

const CONNECTIONS = 500
const ROUNDS = 3

/** Time until 500 glasses that connect simultaneously have their acknowledgement. */
export const connectBurst: Benchmark = {
  title: `${CONNECTIONS} glasses connecting simultaneously`,
  async run() {
    const bareMs: number[] = []
    const cloudMs: number[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      bareMs.push(await burstMs('bare'))
      cloudMs.push(await burstMs('cloud'))
    }
    const [bare, cloud] = [median(bareMs), median(cloudMs)]
    return [
      {
        name: 'time until all are acknowledged',
        value: cloud / bare,
        unit: '× bare ws',
        detail: `${formatNumber(cloud)} against ${formatNumber(bare)} ms`,
        aim: { atMost: 1.3 },
      },
    ]
  },
}

async function burstMs(kind: 'bare' | 'cloud'): Promise<number> {
  const server = await ServerProcess.start(kind)
  const client = await IdleClient.start()
  // Users exist and code is compiled, as after a restart of a running cloud.
  await client.open(server, kind, { count: CONNECTIONS })
  client.stop()
  const burst = await IdleClient.start()
  const startedAt = performance.now()
  await burst.open(server, kind, { count: CONNECTIONS, concurrency: CONNECTIONS })
  const elapsedMs = performance.now() - startedAt
  burst.stop()
  await server.stop()
  return elapsedMs
}

const NODE_SESSIONS = 500
/** The first sessions fill caches and compile code; they are not measured. */
const NODE_WARM_UP = 100

/** Memory per session on a node of a cluster, with the app's socket on the node and on another one. */
export const nodeSessions: Benchmark = {
  title: `memory per session with one running app on nodes, at ${NODE_SESSIONS} sessions`,
  async run() {
    const cluster = await NodeCluster.start(2)
    const [owner, other] = cluster.nodes
    if (!owner || !other) throw new Error('The nodes have not started')
    const appServer = await startAppServer(owner)
    const connect = (apps: ServerProcess, count: number, first: number) =>
      connectCloudPairs(owner, count, { streams: ['transcription:en-US'], appServer, apps, first })
    const pairs = [
      ...(await connect(owner, NODE_WARM_UP, 0)),
      ...(await connect(other, NODE_WARM_UP, NODE_WARM_UP)),
    ]
    const measure = async (node: ServerProcess) => ({
      live: await node.run({ command: 'live-memory' }),
      resident: await node.run({ command: 'resident-memory' }),
    })
    const figures = []
    for (const [name, apps] of [
      ['on its node', owner],
      ['app on another node', other],
    ] as const) {
      const before = [await measure(owner), await measure(other)]
      pairs.push(...(await connect(apps, NODE_SESSIONS, pairs.length)))
      const after = [await measure(owner), await measure(other)]
      const kb = (key: 'live' | 'resident') =>
        after.map((memory, index) => (memory[key] - (before[index]?.[key] ?? 0)) / NODE_SESSIONS / 1_024)
      const [ownerKb = 0, otherKb = 0] = kb('live')
      figures.push({
        name: `session ${name}`,
        value: ownerKb + otherKb,
        unit: 'KB live',
        detail: `${formatNumber(ownerKb)} at the owner and ${formatNumber(otherKb)} at the other; resident ${kb('resident').map(formatNumber).join(' and ')} KB`,
      })
    }
    closePairs(pairs)
    appServer.close()
    await cluster.stop()
    return figures
  },
}
