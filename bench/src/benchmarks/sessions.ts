import { against, type Benchmark, type Figure, formatNumber, measureInTurn } from '../figure.ts'
import { IdleClient } from '../support/idle-client.ts'
import { NodeCluster } from '../support/node-cluster.ts'
import {
  closePairs,
  connectBarePairs,
  connectCloudPairs,
  type Pair,
  startAppServer,
} from '../support/pairs.ts'
import { ServerProcess } from '../support/server-process.ts'

/** The first sessions fill caches and compile code; they are not measured. */
const WARM_UP_SESSIONS = 100
const STREAMS = ['transcription:en-US']

interface Memory {
  readonly resident: number
  readonly live: number
}

const measureMemory = async (server: ServerProcess): Promise<Memory> => ({
  live: await server.run({ command: 'live-memory' }),
  resident: await server.run({ command: 'resident-memory' }),
})

/** What sessions added, in KB for each. */
const kbPerSession = (before: Memory, after: Memory, sessions: number): Memory => ({
  resident: (after.resident - before.resident) / sessions / 1_024,
  live: (after.live - before.live) / sessions / 1_024,
})

/** Memory per session with one running app, above the two bare sockets it has. */
export const memory: Benchmark = {
  title: 'memory per session with one running app',
  async run() {
    const figures: Figure[] = []
    for (const sessions of [1_000, 5_000]) {
      const bare = await memoryOf('bare', sessions, connectBarePairs)
      const cloud = await memoryOf('cloud', sessions, (server, count, first) =>
        connectCloudPairs(server, count, { streams: STREAMS, first }),
      )
      const figure = (name: string, key: keyof Memory, atMost: number): Figure => ({
        name: `${name}, ${sessions.toLocaleString('en')} sessions`,
        value: cloud[key] - bare[key],
        unit: 'KB above bare ws',
        detail: `${against(cloud[key], bare[key], 'KB')}, ${formatNumber(cloud[key] / bare[key])} ×`,
        aim: { atMost },
      })
      figures.push(
        figure('resident, without forced collection', 'resident', 50),
        figure('live heap and external', 'live', 30),
      )
    }
    return figures
  },
}

async function memoryOf(
  name: 'bare' | 'cloud',
  sessions: number,
  connect: (server: ServerProcess, count: number, first: number) => Promise<Pair[]>,
): Promise<Memory> {
  const server = await ServerProcess.start(name)
  const warmUp = await connect(server, WARM_UP_SESSIONS, sessions)
  const before = await measureMemory(server)
  const pairs = await connect(server, sessions, 0)
  // Resident memory first: a forced collection returns some.
  const resident = await server.run({ command: 'resident-memory' })
  const after = { ...(await measureMemory(server)), resident }
  closePairs([...warmUp, ...pairs])
  await server.stop()
  return kbPerSession(before, after, sessions)
}

const NODE_SESSIONS = 500

/** Memory per session on a node of a cluster, with the app's socket on the node and on another one. */
export const nodeSessions: Benchmark = {
  title: `memory per session with one running app on nodes, at ${NODE_SESSIONS} sessions`,
  async run() {
    const cluster = await NodeCluster.start(2)
    const [owner, other] = cluster.nodes
    if (!owner || !other) throw new Error('The nodes have not started')
    const appServer = await startAppServer(owner)
    const pairs: Pair[] = []
    const connect = async (apps: ServerProcess, count: number) =>
      void pairs.push(
        ...(await connectCloudPairs(owner, count, {
          streams: STREAMS,
          appServer,
          apps,
          first: pairs.length,
        })),
      )
    await connect(owner, WARM_UP_SESSIONS)
    await connect(other, WARM_UP_SESSIONS)
    const figures: Figure[] = []
    for (const [name, apps] of [
      ['on its node', owner],
      ['app on another node', other],
    ] as const) {
      const before = [await measureMemory(owner), await measureMemory(other)] as const
      await connect(apps, NODE_SESSIONS)
      const atOwner = kbPerSession(before[0], await measureMemory(owner), NODE_SESSIONS)
      const atOther = kbPerSession(before[1], await measureMemory(other), NODE_SESSIONS)
      const both = (key: keyof Memory, word: string) =>
        `${formatNumber(atOwner[key])}${word} and ${formatNumber(atOther[key])}`
      figures.push({
        name: `session ${name}`,
        value: atOwner.live + atOther.live,
        unit: 'KB live',
        detail: `${both('live', ' at the owner')} at the other; resident ${both('resident', '')} KB`,
      })
    }
    closePairs(pairs)
    appServer.close()
    await cluster.stop()
    return figures
  },
}

const CONNECTIONS = 500

/** Time until 500 glasses that connect simultaneously have their acknowledgement. */
export const connectBurst: Benchmark = {
  title: `${CONNECTIONS} glasses connecting simultaneously`,
  async run() {
    const [bare, cloud] = await measureInTurn(3, [() => burstMs('bare'), () => burstMs('cloud')], 0)
    return [
      {
        name: 'time until all are acknowledged',
        value: cloud / bare,
        unit: '× bare ws',
        detail: against(cloud, bare, 'ms'),
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
