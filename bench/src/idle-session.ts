import { barePairs, closePairs, cloudPairs, type Pair } from './pairs.ts'
import { ServerProcess } from './server-process.ts'

const SESSIONS = 300
const WARM_UP = 100

/** Bytes an idle session costs above the two bare sockets it holds. Aim: under 60 KB. */
export async function idleSession(): Promise<string> {
  const bare = await bytesASession('bare', barePairs)
  const cloud = await bytesASession('cloud', (server, count, first) =>
    cloudPairs(server, count, ['transcription:en-US'], first),
  )
  const above = (cloud - bare) / 1024
  return `idle session: ${above.toFixed(1)} KB above bare ws (${kb(cloud)} against ${kb(bare)} KB, ratio ${(cloud / bare).toFixed(2)}; aim: under 60 KB)`
}

async function bytesASession(
  name: 'bare' | 'cloud',
  connect: (server: ServerProcess, count: number, first: number) => Promise<Pair[]>,
): Promise<number> {
  const server = await ServerProcess.start(name)
  // The first ones fill caches and compile what is compiled once; what the others add is their own.
  const warm = await connect(server, WARM_UP, SESSIONS)
  const before = await server.ask({ ask: 'memory' })
  const pairs = await connect(server, SESSIONS, 0)
  const after = await server.ask({ ask: 'memory' })
  closePairs([...warm, ...pairs])
  await server.stop()
  return (after - before) / SESSIONS
}

function kb(bytes: number): string {
  return (bytes / 1024).toFixed(1)
}
