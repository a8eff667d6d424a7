import { setTimeout as delay } from 'node:timers/promises'
import { type Benchmark, formatNumber } from '../figure.ts'
import { ServerProcess } from '../support/server-process.ts'
import { measureAudioLatency } from '../support/load.ts'
import { IdleClient } from '../support/idle-client.ts'
import { closePairs, connectBarePairs, connectCloudPairs } from '../support/pairs.ts'

/** Time for the work after the start to finish. */
const SETTLE_MS = 3_000
const IDLE_MS = 10_000

/** Processor time of a cloud without any load, which is mostly that of its metrics. */
export const idleProcess: Benchmark = {
  title: 'processor time of an idle process',
  async run() {
    const [bare, cloud] = await Promise.all([ServerProcess.start('bare'), ServerProcess.start('cloud')])
    await delay(SETTLE_MS)
    const idle = () => delay(IDLE_MS)
    const micros = await Promise.all([bare.cpuMicros(idle), cloud.cpuMicros(idle)])
    await Promise.all([bare.stop(), cloud.stop()])
    const [bareMs, cloudMs] = micros.map((each) => each / IDLE_MS) as [number, number]
    return [
      {
        name: 'processor time per second',
        value: cloudMs,
        unit: 'ms',
        detail: `bare ${formatNumber(bareMs)} ms`,
        aim: { atMost: 2 },
      },
    ]
  },
}

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

const AUDIO_SESSIONS = 10
/** More than two intervals between pings. */
const MEASURE_MS = 22_000

/** What a number of idle connections costs a server. */
export interface IdleLoad {
  readonly residentBytesPerConnection: number
  readonly cpuMsPerSecond: number
  readonly longestBlockMs: number
  /** 99.9th percentile of the audio latency of ten sessions among the idle ones. */
  readonly audioP999Ms: number
}

/**
 * Opens idle glasses connections and measures them over two pings, together with ten audio sessions.
 * @param query of the handshakes with the cloud
 */
export async function measureIdleLoad(
  kind: 'bare' | 'cloud',
  connections: number,
  query = '',
): Promise<IdleLoad> {
  const server = await ServerProcess.start(kind)
  const pairs = await (kind === 'bare'
    ? connectBarePairs(server, AUDIO_SESSIONS)
    : connectCloudPairs(server, AUDIO_SESSIONS, { streams: ['audio_chunk'] }))
  if (kind === 'bare') await server.run({ command: 'ping-sockets' })
  const client = await IdleClient.start()
  const before = await server.run({ command: 'resident-memory' })
  await client.open(server, kind, { count: connections, query })
  const after = await server.run({ command: 'resident-memory' })
  let audioP999Ms = Number.NaN
  let longestBlockMs = Number.NaN
  const cpuMicros = await server.cpuMicros(async () => {
    longestBlockMs = await server.longestBlockMs(async () => {
      audioP999Ms = await measureAudioLatency(pairs, MEASURE_MS)
    })
  })
  closePairs(pairs)
  client.stop()
  await server.stop()
  return {
    residentBytesPerConnection: (after - before) / connections,
    cpuMsPerSecond: cpuMicros / MEASURE_MS,
    longestBlockMs,
    audioP999Ms,
  }
}
