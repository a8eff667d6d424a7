import type { Benchmark } from '../benchmark.ts'
import { type Figure, formatNumber } from '../figure.ts'
import { closePairs, connectBarePairs, connectCloudPairs, type Pair } from '../support/pairs.ts'
import { ServerProcess } from '../support/server-process.ts'

const SIZES = [1_000, 5_000]
/** The first sessions fill caches and compile code; they are not measured. */
const WARM_UP_SESSIONS = 100

interface BytesPerSession {
  readonly resident: number
  readonly live: number
}

/** Memory per session with one running app, above the two bare sockets it has. */
export const memory: Benchmark = {
  title: 'memory per session with one running app',
  async run() {
    const figures: Figure[] = []
    for (const sessions of SIZES) figures.push(...(await compare(sessions)))
    return figures
  },
}

async function compare(sessions: number): Promise<Figure[]> {
  const bare = await measure('bare', sessions, connectBarePairs)
  const cloud = await measure('cloud', sessions, (server, count, first) =>
    connectCloudPairs(server, count, { streams: ['transcription:en-US'], first }),
  )
  const kb = (bytes: number) => bytes / 1_024
  const figure = (name: string, key: keyof BytesPerSession, atMost: number): Figure => ({
    name: `${name}, ${sessions.toLocaleString('en')} sessions`,
    value: kb(cloud[key] - bare[key]),
    unit: 'KB above bare ws',
    detail: `${formatNumber(kb(cloud[key]))} against ${formatNumber(kb(bare[key]))} KB, ${formatNumber(cloud[key] / bare[key])} ×`,
    aim: { atMost },
  })
  return [
    figure('resident, without forced collection', 'resident', 50),
    figure('live heap and external', 'live', 30),
  ]
}

async function measure(
  name: 'bare' | 'cloud',
  sessions: number,
  connect: (server: ServerProcess, count: number, first: number) => Promise<Pair[]>,
): Promise<BytesPerSession> {
  const server = await ServerProcess.start(name)
  const warmUp = await connect(server, WARM_UP_SESSIONS, sessions)
  const liveBefore = await server.run({ command: 'live-memory' })
  const residentBefore = await server.run({ command: 'resident-memory' })
  const pairs = await connect(server, sessions, 0)
  const residentAfter = await server.run({ command: 'resident-memory' })
  const liveAfter = await server.run({ command: 'live-memory' })
  closePairs([...warmUp, ...pairs])
  await server.stop()
  return {
    resident: (residentAfter - residentBefore) / sessions,
    live: (liveAfter - liveBefore) / sessions,
  }
}
