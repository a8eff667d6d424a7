import type { Benchmark } from '../benchmark.ts'
import { type Figure, formatNumber } from '../figure.ts'
import { median } from '../statistics.ts'
import { measureAudioLatency } from '../support/audio-latency.ts'
import { measureButtonLatency } from '../support/button-latency.ts'
import { NodeCluster } from '../support/node-cluster.ts'
import {
  type CloudPairOptions,
  closePairs,
  connectCloudPairs,
  type Pair,
  startAppServer,
} from '../support/pairs.ts'
import { measureRelay, sendFrames } from '../support/relay-load.ts'

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
        detail: `${formatNumber(value)} against ${formatNumber(base)} µs`,
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
  const base: number[] = []
  const values = across.map((): number[] => [])
  for (let round = 0; round <= LATENCY_ROUNDS; round += 1) {
    const baseMs = await measure(local)
    for (const [index, { pairs }] of across.entries()) {
      const ms = await measure(pairs)
      // The first round warms up.
      if (round > 0) values[index]?.push(ms)
    }
    if (round > 0) base.push(baseMs)
  }
  return across.map(({ name }, index) => {
    const ms = values[index] ?? []
    return {
      name: `${message}, ${name}: 99th percentile of the delay`,
      value: median(ms) - median(base),
      unit: 'ms more than on one node',
      detail: `${formatNumber(median(ms))} against ${formatNumber(median(base))} ms; least ${formatNumber(Math.min(...ms))} against ${formatNumber(Math.min(...base))} ms`,
      aim: { atMost: 15 },
    }
  })
}
