import { type Benchmark, type Figure, formatNumber, median } from '../figure.ts'
import { RestClient } from '../support/rest-client.ts'
import { ServerProcess, signToken } from '../support/server-process.ts'
import { availableParallelism } from 'node:os'
import { NodeCluster } from '../support/node-cluster.ts'

const REQUESTS = 1_000
/** Rounds that are not measured: V8 optimizes most code of a request within the first thousands. */
const WARM_UP_ROUNDS = 3
const ROUNDS = 5

/** App lists with 50 apps and a user who installed none, against `node:http` with the same bytes. */
export const restLists: Benchmark = {
  title: 'app lists over REST, 50 apps, processor time per request',
  async run() {
    const bare = await ServerProcess.start('bare')
    const cloud = await ServerProcess.start('cloud')
    await cloud.run({ command: 'seed', counts: { apps: 50, users: 1, installs: 0, photos: 0 } })
    const figures: Figure[] = []
    for (const path of ['/api/apps/public', '/api/apps']) figures.push(await measure(path, bare, cloud))
    await bare.stop()
    await cloud.stop()
    return figures
  },
}

async function measure(path: string, bare: ServerProcess, cloud: ServerProcess): Promise<Figure> {
  const token = signToken('user0@bench.example')
  const cloudClient = new RestClient(cloud.port, { token })
  const bareClient = new RestClient(bare.port, { token })
  const { body, contentType } = await cloudClient.getOk(path)
  await bare.run({ command: 'serve', path, body, contentType })
  const bareMicros: number[] = []
  const cloudMicros: number[] = []
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round += 1) {
    const bareRound = await bare.cpuMicros(() => bareClient.load(path, REQUESTS))
    const cloudRound = await cloud.cpuMicros(() => cloudClient.load(path, REQUESTS))
    if (round < WARM_UP_ROUNDS) continue
    bareMicros.push(bareRound / REQUESTS)
    cloudMicros.push(cloudRound / REQUESTS)
  }
  bareClient.close()
  cloudClient.close()
  const [base, value] = [median(bareMicros), median(cloudMicros)]
  return {
    name: `GET ${path}`,
    value: base / value,
    unit: 'of bare node:http',
    detail: `${formatNumber(value)} against ${formatNumber(base)} µs, ${body.length} bytes`,
    aim: { atLeast: 0.9 },
  }
}

const LARGE_COUNTS = { apps: 10_000, users: 50_000, installs: 100_000, photos: 100_000 }
/** The smallest block of these rounds counts: other load of the machine only lengthens it. */
const BLOCK_ROUNDS = 5

const PATHS = [
  '/api/apps/public',
  '/api/apps',
  '/api/apps/installed',
  '/api/apps/available',
  '/api/apps?limit=50',
  '/api/apps/search?q=weather',
  '/api/apps/search?q=nothing',
  '/api/gallery',
  '/api/gallery?limit=20',
]

/** Longest block of the event loop by one request on a large database. */
export const largeData: Benchmark = {
  title: '10,000 apps, 50,000 users, 100,000 installs and photos: longest event-loop block by one request',
  async run() {
    const bare = await ServerProcess.start('bare')
    const cloud = await ServerProcess.start('cloud')
    await cloud.run({ command: 'seed', counts: LARGE_COUNTS })
    const figures: Figure[] = []
    for (const path of PATHS) figures.push(await measureBlock(path, bare, cloud))
    await bare.stop()
    await cloud.stop()
    return figures
  },
}

async function measureBlock(path: string, bare: ServerProcess, cloud: ServerProcess): Promise<Figure> {
  const token = signToken('user0@bench.example')
  const cloudClient = new RestClient(cloud.port, { token })
  const bareClient = new RestClient(bare.port, { token })
  const { body, contentType } = await cloudClient.getOk(path)
  await bare.run({ command: 'serve', path, body, contentType })
  const bareMs: number[] = []
  const cloudMs: number[] = []
  for (let round = 0; round < BLOCK_ROUNDS; round += 1) {
    bareMs.push(await bare.longestBlockMs(() => bareClient.getOk(path)))
    cloudMs.push(await cloud.longestBlockMs(() => cloudClient.getOk(path)))
  }
  bareClient.close()
  cloudClient.close()
  const [base, value] = [Math.min(...bareMs), Math.min(...cloudMs)]
  return {
    name: `GET ${path}`,
    value,
    unit: 'ms',
    detail: `${formatNumber(value / base)} × bare node:http with the same ${body.length} bytes`,
    aim: { atMost: 10 },
  }
}

const NODE_PATH = '/api/apps'
const NODE_REQUESTS = 2_000
const NODE_ROUNDS = 4
/** One for each node, the database and the load. */
const NEEDED_CORES = 4

/** Requests a second to two nodes, against one. */
export const nodeRest: Benchmark = {
  title: `requests a second to two nodes; needs ${NEEDED_CORES} cores`,
  async run() {
    const cluster = await NodeCluster.start(2)
    await cluster.nodes[0]?.run({ command: 'seed', counts: { apps: 50, users: 1, installs: 0, photos: 0 } })
    const token = signToken('user0@bench.example')
    const perSecond = async (nodes: readonly ServerProcess[]) => {
      const clients = nodes.map(({ port }) => new RestClient(port, { token }))
      const startedAt = performance.now()
      await Promise.all(clients.map((client) => client.load(NODE_PATH, NODE_REQUESTS / nodes.length)))
      const seconds = (performance.now() - startedAt) / 1_000
      for (const client of clients) client.close()
      return NODE_REQUESTS / seconds
    }
    const one: number[] = []
    const two: number[] = []
    for (let round = 0; round <= NODE_ROUNDS; round += 1) {
      const oneNow = await perSecond(cluster.nodes.slice(0, 1))
      const twoNow = await perSecond(cluster.nodes)
      // The first round warms up.
      if (round === 0) continue
      one.push(oneNow)
      two.push(twoNow)
    }
    await cluster.stop()
    return [
      {
        name: `GET ${NODE_PATH}`,
        value: median(two) / median(one),
        unit: '× one node',
        detail: `${formatNumber(median(two))} against ${formatNumber(median(one))} a second`,
        ...(availableParallelism() >= NEEDED_CORES && { aim: { atLeast: 1.7 } }),
      },
    ]
  },
}
