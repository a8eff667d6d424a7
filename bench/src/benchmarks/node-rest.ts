import { availableParallelism } from 'node:os'
import type { Benchmark } from '../benchmark.ts'
import { formatNumber } from '../figure.ts'
import { median } from '../statistics.ts'
import { NodeCluster } from '../support/node-cluster.ts'
import { RestClient } from '../support/rest-client.ts'
import type { ServerProcess } from '../support/server-process.ts'
import { signToken } from '../support/tokens.ts'

const PATH = '/api/apps'
const REQUESTS = 2_000
const ROUNDS = 4
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
      await Promise.all(clients.map((client) => client.load(PATH, REQUESTS / nodes.length)))
      const seconds = (performance.now() - startedAt) / 1_000
      for (const client of clients) client.close()
      return REQUESTS / seconds
    }
    const one: number[] = []
    const two: number[] = []
    for (let round = 0; round <= ROUNDS; round += 1) {
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
        name: `GET ${PATH}`,
        value: median(two) / median(one),
        unit: '× one node',
        detail: `${formatNumber(median(two))} against ${formatNumber(median(one))} a second`,
        ...(availableParallelism() >= NEEDED_CORES && { aim: { atLeast: 1.7 } }),
      },
    ]
  },
}
