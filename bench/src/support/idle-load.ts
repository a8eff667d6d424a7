import { measureAudioLatency } from './audio-latency.ts'
import { IdleClient } from './idle-client.ts'
import { closePairs, connectBarePairs, connectCloudPairs } from './pairs.ts'
import { ServerProcess } from './server-process.ts'

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
