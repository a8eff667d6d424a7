import type { Benchmark } from '../benchmark.ts'
import { formatNumber } from '../figure.ts'
import { measureIdleLoad } from '../support/idle-load.ts'

/** What phones send that expect a JSON ping every 2 s. */
const PINGED_QUERY = '?udpEncryption=true'

/**
 * Cost of idle glasses, `--connections` of them. The aim is 25,000 with an audio latency under 50 ms; that number needs
 * `ulimit -n` above 60,000 and `net.ipv4.ip_local_port_range` above 25,000 ports.
 */
export const idleConnections: Benchmark = {
  title: 'idle glasses connections with ten audio sessions',
  async run({ connections }) {
    const bare = await measureIdleLoad('bare', connections)
    const cloud = await measureIdleLoad('cloud', connections)
    const pinged = await measureIdleLoad('cloud', connections, PINGED_QUERY)
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
      {
        name: 'processor time per second with JSON pings',
        value: pinged.cpuMsPerSecond,
        unit: 'ms',
        detail: `without: ${formatNumber(cloud.cpuMsPerSecond)} ms`,
      },
      {
        name: 'audio latency with JSON pings, 99.9th percentile',
        value: pinged.audioP999Ms,
        unit: 'ms',
        detail: `without: ${formatNumber(cloud.audioP999Ms)} ms`,
        aim: { atMost: 50 },
      },
    ]
  },
}
