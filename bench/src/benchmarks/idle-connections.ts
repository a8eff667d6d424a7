import type { Benchmark } from '../benchmark.ts'
import { formatNumber } from '../figure.ts'
import { measureIdleLoad } from '../support/idle-load.ts'

/**
 * Cost of idle glasses, `--connections` of them. The aim is 25,000 with an audio latency under 50 ms; that number needs
 * `ulimit -n` above 60,000 and `net.ipv4.ip_local_port_range` above 25,000 ports.
 */
export const idleConnections: Benchmark = {
  title: 'idle glasses connections with ten audio sessions',
  async run({ connections }) {
    const bare = await measureIdleLoad('bare', connections)
    const cloud = await measureIdleLoad('cloud', connections)
    const kb = (bytes: number) => bytes / 1_024
    return [
      {
        name: 'audio latency, 99.9th percentile',
        value: cloud.audioP999Ms,
        unit: `ms at ${connections.toLocaleString('en')} connections`,
        detail: `bare ws: ${formatNumber(bare.audioP999Ms)} ms`,
        aim: { atMost: 50 },
      },
      {
        name: 'resident memory per connection',
        value: kb(cloud.residentBytesPerConnection),
        unit: 'KB',
        detail: `bare ws: ${formatNumber(kb(bare.residentBytesPerConnection))} KB`,
      },
      {
        name: 'processor time per second',
        value: cloud.cpuMsPerSecond,
        unit: 'ms',
        detail: `bare ws: ${formatNumber(bare.cpuMsPerSecond)} ms, audio included`,
      },
    ]
  },
}
