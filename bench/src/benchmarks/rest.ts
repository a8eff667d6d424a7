import { availableParallelism } from 'node:os'
import { against, type Benchmark, type Figure, formatNumber, measureInTurn } from '../figure.ts'
import { NodeCluster } from '../support/node-cluster.ts'
import { RestClient } from '../support/rest-client.ts'
import { ServerProcess, signToken } from '../support/server-process.ts'

const REQUESTS = 1_000
/** Rounds that are not measured: V8 optimizes most code of a request within the first thousands. */
const WARM_UP_ROUNDS = 3
const ROUNDS = 5
const FEW_APPS = { apps: 50, users: 1, installs: 0, photos: 0 }

/** App lists with 50 apps and a user who installed none, against `node:http` with the same bytes. */
export const restLists: Benchmark = {
  title: 'app lists over REST, 50 apps, processor time per request',
  run: () =>
    measurePaths(FEW_APPS, ['/api/apps/public', '/api/apps'], async (path, bare, cloud, bytes) => {
      const microsOf =
        ({ server, client }: Side) =>
        async () =>
          (await server.cpuMicros(() => client.load(path, REQUESTS))) / REQUESTS
      const [base, value] = await measureInTurn(ROUNDS, [microsOf(bare), microsOf(cloud)], WARM_UP_ROUNDS)
      return {
        name: `GET ${path}`,
        value: base / value,
        unit: 'of bare node:http',
        detail: `${against(value, base, 'µs')}, ${bytes} bytes`,
        aim: { atLeast: 0.9 },
      }
    }),
}

const LARGE = { apps: 10_000, users: 50_000, installs: 100_000, photos: 100_000 }
const LARGE_PATHS = [
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
  run: () =>
    measurePaths(LARGE, LARGE_PATHS, async (path, bare, cloud, bytes) => {
      const blockOf = ({ server, client }: Side) => server.longestBlockMs(() => client.getOk(path))
      // The smallest block of the rounds counts: other load of the machine only lengthens it.
      let [base, value] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
      for (let round = 0; round < ROUNDS; round += 1) {
        base = Math.min(base, await blockOf(bare))
        value = Math.min(value, await blockOf(cloud))
      }
      return {
        name: `GET ${path}`,
        value,
        unit: 'ms',
        detail: `${formatNumber(value / base)} × bare node:http with the same ${bytes} bytes`,
        aim: { atMost: 10 },
      }
    }),
}

interface Side {
  readonly server: ServerProcess
  readonly client: RestClient
}

/** Measures paths of a cloud with rows, and a bare server that responds with the same bytes. */
async function measurePaths(
  counts: typeof LARGE,
  paths: readonly string[],
  measure: (path: string, bare: Side, cloud: Side, bytes: number) => Promise<Figure>,
): Promise<Figure[]> {
  const token = signToken('user0@bench.example')
  const start = async (kind: 'bare' | 'cloud'): Promise<Side> => {
    const server = await ServerProcess.start(kind)
    return { server, client: new RestClient(server.port, { token }) }
  }
  const [bare, cloud] = [await start('bare'), await start('cloud')]
  await cloud.server.run({ command: 'seed', counts })
  const figures: Figure[] = []
  for (const path of paths) {
    const { body, contentType } = await cloud.client.getOk(path)
    await bare.server.run({ command: 'serve', path, body, contentType })
    figures.push(await measure(path, bare, cloud, body.length))
  }
  for (const { server, client } of [bare, cloud]) {
    client.close()
    await server.stop()
  }
  return figures
}

const NODE_REQUESTS = 2_000
/** One for each node, the database and the load. */
const NEEDED_CORES = 4

/** Requests a second to two nodes, against one. */
export const nodeRest: Benchmark = {
  title: `requests a second to two nodes; needs ${NEEDED_CORES} cores`,
  async run() {
    const cluster = await NodeCluster.start(2)
    await cluster.nodes[0]?.run({ command: 'seed', counts: FEW_APPS })
    const token = signToken('user0@bench.example')
    const perSecond = (nodes: readonly ServerProcess[]) => async () => {
      const clients = nodes.map(({ port }) => new RestClient(port, { token }))
      const startedAt = performance.now()
      await Promise.all(clients.map((client) => client.load('/api/apps', NODE_REQUESTS / nodes.length)))
      const seconds = (performance.now() - startedAt) / 1_000
      for (const client of clients) client.close()
      return NODE_REQUESTS / seconds
    }
    const [one, two] = await measureInTurn(4, [
      perSecond(cluster.nodes.slice(0, 1)),
      perSecond(cluster.nodes),
    ])
    await cluster.stop()
    return [
      {
        name: 'GET /api/apps',
        value: two / one,
        unit: '× one node',
        detail: against(two, one, 'a second'),
        ...(availableParallelism() >= NEEDED_CORES && { aim: { atLeast: 1.7 } }),
      },
    ]
  },
}
