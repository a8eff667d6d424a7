import { once } from 'node:events'
import { type Balancer, startBalancer } from '@glasses-cloud/cloud/balancer'
import { Glasses } from '@glasses-cloud/phone'
import { against, type Benchmark, type Figure, formatNumber, measureInTurn, median } from '../figure.ts'
import { measureAudioLatency, measureButtonLatency, measureRelay, sendFrames } from '../support/load.ts'
import { NodeCluster } from '../support/node-cluster.ts'
import {
  type CloudPairOptions,
  closePairs,
  connectCloudPairs,
  type Pair,
  startAppServer,
} from '../support/pairs.ts'
import { signToken } from '../support/server-process.ts'

/** 20 ms of PCM. */
const AUDIO_FRAME = Buffer.alloc(640, 7)
const PAIRS = 20
const FRAMES_PER_PAIR = 1_000
const BUTTON_PRESS = JSON.stringify({ type: 'button_press', buttonId: 'main', pressType: 'short' })
const PRESSES_PER_PAIR = 200
const STREAMS = ['audio_chunk', 'button_press']

const LATENCY_ROUNDS = 5
const LATENCY_MS = 2_000
const BUTTONS = { count: 100, intervalMs: 20 }

/** The pairs of sockets of a placement. */
interface Placement {
  readonly name: string
  readonly pairs: readonly Pair[]
}

/** Messages between sockets on different nodes, against sockets on the node that owns the session. */
export const nodes: Benchmark = {
  title: 'messages across two nodes, against the same on one node; processor time of all nodes together',
  async run() {
    const cluster = await NodeCluster.start(2)
    const [owner, other] = cluster.nodes
    if (!owner || !other) throw new Error('The nodes have not started')
    const appServer = await startAppServer(owner)
    const connect = (first: number, places: Pick<CloudPairOptions, 'apps' | 'glasses'>) =>
      connectCloudPairs(owner, PAIRS, { streams: STREAMS, appServer, first, ...places })
    const local = await connect(0, { apps: owner })
    const across: Placement[] = [
      { name: 'app on another node', pairs: await connect(PAIRS, { apps: other }) },
      {
        name: 'glasses and app on another node',
        pairs: await connect(2 * PAIRS, { apps: other, glasses: other }),
      },
    ]
    appServer.close()
    const figures = [
      ...(await throughputs(cluster, local, across)),
      ...(await latencies('audio frame', local, across, (pairs) =>
        measureAudioLatency(pairs, LATENCY_MS, 0.99),
      )),
      ...(await latencies('button press', local, across, ([pair]) =>
        pair ? measureButtonLatency(pair, BUTTONS) : Promise.reject(new Error('There is no pair')),
      )),
    ]
    closePairs([...local, ...across.flatMap(({ pairs }) => pairs)])
    await cluster.stop()
    return figures
  },
}

async function throughputs(
  cluster: NodeCluster,
  local: readonly Pair[],
  across: readonly Placement[],
): Promise<Figure[]> {
  const loads = {
    'audio frame': (pairs: readonly Pair[]) => sendFrames(pairs, AUDIO_FRAME, FRAMES_PER_PAIR),
    'button press': (pairs: readonly Pair[]) => sendFrames(pairs, BUTTON_PRESS, PRESSES_PER_PAIR),
  }
  const figures: Figure[] = []
  const server = {
    cpuMicros: (load: () => Promise<unknown>) => cluster.cpuMicros(load),
    stop: async () => {},
  }
  for (const [message, load] of Object.entries(loads)) {
    const [base = 0, ...micros] = await measureRelay(
      [local, ...across.map(({ pairs }) => pairs)].map((pairs) => ({ server, pairs, load })),
      { keep: true },
    )
    for (const [index, { name }] of across.entries()) {
      const value = micros[index] ?? 0
      figures.push({
        name: `${message}, ${name}: throughput per core`,
        value: base / value,
        unit: 'of one node',
        detail: against(value, base, 'µs'),
        ...(index === 0 && { aim: { atLeast: 0.5 } }),
      })
    }
  }
  return figures
}

async function latencies(
  message: string,
  local: readonly Pair[],
  across: readonly Placement[],
  measure: (pairs: readonly Pair[]) => Promise<number>,
): Promise<Figure[]> {
  const [base = 0, ...values] = await measureInTurn(
    LATENCY_ROUNDS,
    [local, ...across.map(({ pairs }) => pairs)].map((pairs) => () => measure(pairs)),
  )
  return across.map(({ name }, index) => {
    const value = values[index] ?? 0
    return {
      name: `${message}, ${name}: 99th percentile of the delay`,
      value: value - base,
      unit: 'ms more than on one node',
      detail: against(value, base, 'ms'),
      aim: { atMost: 15 },
    }
  })
}

const NODES = 3
const FAILOVERS = 5
const PRESS_INTERVAL_MS = 50
/** The app SDK waits this long before it reconnects. */
const APP_RECONNECT_MS = 1_000
const AIM_MS = 5_000

/** Time from `kill -9` of the node that owns a session until an app's answer to an event is displayed again. */
export const failover: Benchmark = {
  title: 'time from kill -9 of the owner until an app shows something again, at three nodes',
  async run() {
    const cluster = await NodeCluster.start(NODES)
    const times: number[] = []
    for (let round = 0; round < FAILOVERS; round += 1) {
      const balancer = await startBalancer(cluster.nodes.map(({ port }) => `http://127.0.0.1:${port}`))
      times.push(await measureFailover(cluster, balancer, round))
      await balancer.close()
      await cluster.startNode()
    }
    await cluster.stop()
    return [
      {
        name: 'median',
        value: median(times),
        unit: 'ms',
        detail: `at most ${formatNumber(Math.max(...times))} ms of ${FAILOVERS} times`,
        aim: { atMost: AIM_MS },
      },
    ]
  },
}

async function measureFailover(cluster: NodeCluster, balancer: Balancer, round: number): Promise<number> {
  const before = await countSessions(cluster)
  const glasses = new Glasses({ url: balancer.url, token: signToken(`user${round}@bench.example`) })
  await glasses.connect()
  const [node] = cluster.nodes
  if (!node) throw new Error('No node runs')
  const app = await startAppServer(node, {
    subscriptions: ['button_press'],
    reconnectMs: APP_RECONNECT_MS,
    respond: (message) => /"buttonId":"([^"]*)"/.exec(message)?.[1],
  })
  app.socketUrl = `${balancer.url.replace('http', 'ws')}/app-ws`
  await glasses.api.startApp('bench.app')
  let presses = 0
  const timer = setInterval(() => {
    presses += 1
    if (glasses.isConnected) glasses.pressButton(`press ${presses}`)
  }, PRESS_INTERVAL_MS)
  await nextDisplay(glasses, 0)

  // Sessions of earlier rounds continue for a minute.
  const after = await countSessions(cluster)
  const owner = cluster.nodes.find((_, index) => (after[index] ?? 0) > (before[index] ?? 0))
  if (!owner) throw new Error('No node has the session')
  const killedAt = performance.now()
  const pressedBefore = presses
  await cluster.killNode(owner)
  await nextDisplay(glasses, pressedBefore)
  const tookMs = performance.now() - killedAt

  clearInterval(timer)
  app.close()
  await glasses.disconnect()
  return tookMs
}

/** Waits until a button that was pressed after the first `presses` is displayed. */
async function nextDisplay(glasses: Glasses, presses: number): Promise<void> {
  for (;;) {
    const [{ layout }] = await once(glasses, 'displayEvent')
    const pressed = /^press (\d+)$/.exec((layout as { text?: string }).text ?? '')?.[1]
    if (pressed !== undefined && Number(pressed) > presses) return
  }
}

/** Returns the number of sessions of each node. */
function countSessions({ nodes }: NodeCluster): Promise<number[]> {
  return Promise.all(
    nodes.map(async ({ port }) => {
      const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
      return Number(/^user_sessions{.*} (\d+)$/m.exec(metrics)?.[1] ?? 0)
    }),
  )
}
