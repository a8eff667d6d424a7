import type { Benchmark } from '../benchmark.ts'
import { formatNumber } from '../figure.ts'
import { NodeCluster } from '../support/node-cluster.ts'
import { closePairs, connectCloudPairs, startAppServer } from '../support/pairs.ts'
import type { ServerProcess } from '../support/server-process.ts'

const SESSIONS = 500
/** The first sessions fill caches and compile code; they are not measured. */
const WARM_UP_SESSIONS = 100

/** Memory per session on a node of a cluster, with the app's socket on the node and on another one. */
export const nodeSessions: Benchmark = {
  title: `memory per session with one running app on nodes, at ${SESSIONS} sessions`,
  async run() {
    const cluster = await NodeCluster.start(2)
    const [owner, other] = cluster.nodes
    if (!owner || !other) throw new Error('The nodes have not started')
    const appServer = await startAppServer(owner)
    const connect = (apps: ServerProcess, count: number, first: number) =>
      connectCloudPairs(owner, count, { streams: ['transcription:en-US'], appServer, apps, first })
    const pairs = [
      ...(await connect(owner, WARM_UP_SESSIONS, 0)),
      ...(await connect(other, WARM_UP_SESSIONS, WARM_UP_SESSIONS)),
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
      pairs.push(...(await connect(apps, SESSIONS, pairs.length)))
      const after = [await measure(owner), await measure(other)]
      const kb = (key: 'live' | 'resident') =>
        after.map((memory, index) => (memory[key] - (before[index]?.[key] ?? 0)) / SESSIONS / 1_024)
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
