import type { Benchmark } from '../benchmark.ts'
import { formatNumber } from '../figure.ts'
import { measureIdleLoad } from '../support/idle-load.ts'

const CONNECTIONS = 4_000

/** Delay of the event loop and of audio while the cloud pings all sockets; the baseline pings them in one tick. */
export const heartbeat: Benchmark = {
  title: `heartbeat of ${CONNECTIONS.toLocaleString('en')} connections`,
  async run() {
    const bare = await measureIdleLoad('bare', CONNECTIONS)
    const cloud = await measureIdleLoad('cloud', CONNECTIONS)
    return [
      {
        name: 'longest event-loop block',
        value: cloud.longestBlockMs,
        unit: 'ms',
        detail: `bare ws, all pings in one tick: ${formatNumber(bare.longestBlockMs)} ms`,
        aim: { atMost: 15 },
      },
      {
        name: 'audio latency, 99.9th percentile',
        value: cloud.audioP999Ms,
        unit: 'ms',
        detail: `bare ws: ${formatNumber(bare.audioP999Ms)} ms`,
        aim: { atMost: 15 },
      },
    ]
  },
}
