import { setTimeout as delay } from 'node:timers/promises'
import { type Benchmark, formatNumber } from '../figure.ts'
import { IdleClient } from '../support/idle-client.ts'
import { measureAudioLatency } from '../support/load.ts'
import { closePairs, connectBarePairs, connectCloudPairs } from '../support/pairs.ts'
import { ServerProcess } from '../support/server-process.ts'

/** Time for the work after the start to finish. */
const SETTLE_MS = 3_000
const IDLE_MS = 10_000

/** Processor time of a cloud without any load, which is mostly that of its metrics. */
export const idleProcess: Benchmark = {
  title: 'processor time of an idle process',
  async run() {
    const servers = await Promise.all([ServerProcess.start('bare'), ServerProcess.start('cloud')])
    await delay(SETTLE_MS)
    const [bare = 0, cloud = 0] = await Promise.all(
      servers.map(async (server) => (await server.cpuMicros(() => delay(IDLE_MS))) / IDLE_MS),
    )
    await Promise.all(servers.map((server) => server.stop()))
    return [
      {
        name: 'processor time per second',
        value: cloud,
        unit: 'ms',
        detail: `bare ${formatNumber(bare)} ms`,
        aim: { atMost: 2 },
      },
    ]
  },
}

/** What phones send that expect a JSON ping every 2 s. */
const PINGED_QUERY = '?udpEncryption=true'
const AUDIO_SESSIONS = 10
/** More than two intervals between pings. */
const MEASURE_MS = 22_000

/**
 * Cost of idle glasses, `--connections` of them. The aim is 25,000 with an audio latency under 50 ms; that number needs
 * `ulimit -n` above 60,000 and `net.ipv4.ip_local_port_range` above 25,000 ports.
 */
export const idleConnections: Benchmark = {
  title: 'idle glasses connections with ten audio sessions',
  async run({ connections }) {
    const bare = await measureLoad('bare', connections)
    const cloud = await measureLoad('cloud', connections)
    const pinged = await measureLoad('cloud', connections, PINGED_QUERY)
    const audio = 'audio latency, 99.9th percentile'
    const at = `ms at ${connections.toLocaleString('en')} connections`
    const bareIs = (value: number, unit: string) => `bare ws: ${formatNumber(value)} ${unit}`
    const without = (value: number) => `without: ${formatNumber(value)} ms`
    return [
      {
        name: audio,
        value: cloud.audioMs,
        unit: at,
        detail: bareIs(bare.audioMs, 'ms'),
        aim: { atMost: 50 },
      },
      {
        name: 'longest event-loop block',
        value: cloud.blockMs,
        unit: 'ms',
        detail: bareIs(bare.blockMs, 'ms, all pings in one tick'),
        aim: { atMost: 15 },
      },
      {
        name: 'resident memory per connection',
        value: cloud.residentKb,
        unit: 'KB',
        detail: bareIs(bare.residentKb, 'KB'),
      },
      {
        name: 'processor time per second',
        value: cloud.cpuMs,
        unit: 'ms',
        detail: bareIs(bare.cpuMs, 'ms, audio included'),
      },
      {
        name: 'processor time per second with JSON pings',
        value: pinged.cpuMs,
        unit: 'ms',
        detail: without(cloud.cpuMs),
      },
      {
        name: 'audio latency with JSON pings, 99.9th percentile',
        value: pinged.audioMs,
        unit: 'ms',
        detail: without(cloud.audioMs),
        aim: { atMost: 50 },
      },
    ]
  },
}

/**
 * Opens idle glasses connections and measures them over two pings, together with ten audio sessions.
 * @param query of the handshakes with the cloud
 */
async function measureLoad(kind: 'bare' | 'cloud', connections: number, query = '') {
  const server = await ServerProcess.start(kind)
  const pairs = await (kind === 'bare'
    ? connectBarePairs(server, AUDIO_SESSIONS)
    : connectCloudPairs(server, AUDIO_SESSIONS, { streams: ['audio_chunk'] }))
  if (kind === 'bare') await server.run({ command: 'ping-sockets' })
  const client = await IdleClient.start()
  const before = await server.run({ command: 'resident-memory' })
  await client.open(server, kind, { count: connections, query })
  const residentKb = ((await server.run({ command: 'resident-memory' })) - before) / connections / 1_024
  let [audioMs, blockMs] = [Number.NaN, Number.NaN]
  const cpuMicros = await server.cpuMicros(async () => {
    blockMs = await server.longestBlockMs(async () => {
      audioMs = await measureAudioLatency(pairs, MEASURE_MS)
    })
  })
  closePairs(pairs)
  client.stop()
  await server.stop()
  return { residentKb, cpuMs: cpuMicros / MEASURE_MS, blockMs, audioMs }
}
