import { barePairs, closePairs, cloudPairs, type Pair } from './pairs.ts'
import { ServerProcess } from './server-process.ts'

const PAIRS = 20
const FRAMES = 3_000
const ROUNDS = 5
/** 20 ms of sound. */
const frame = Buffer.alloc(640, 7)
/** Frames a pair may have under way, so that queues do not become the measurement. */
const WINDOW = 50

/** Processor time a relayed frame of sound costs, as a ratio of bare `ws` to the cloud. Aim: 0.8 or better. */
export async function relay(): Promise<string> {
  const bare = await ServerProcess.start('bare')
  const cloud = await ServerProcess.start('cloud')
  const sides = [
    { server: bare, pairs: await barePairs(bare, PAIRS), micros: [] as number[] },
    { server: cloud, pairs: await cloudPairs(cloud, PAIRS, ['audio_chunk']), micros: [] as number[] },
  ] as const
  // Rounds take turns, so that whatever else the machine does hits both; the first of each only warms up.
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const { server, pairs, micros } of sides) {
      const before = await server.ask({ ask: 'cpu' })
      await Promise.all(pairs.map(drive))
      const spent = (await server.ask({ ask: 'cpu' })) - before
      if (round > 0) micros.push(spent / (PAIRS * FRAMES))
    }
  }
  const [bareMicros, cloudMicros] = sides.map(({ micros }) => median(micros)) as [number, number]
  for (const { pairs, server } of sides) {
    closePairs(pairs)
    await server.stop()
  }
  return `relay of 640-byte frames: ${(bareMicros / cloudMicros).toFixed(2)} of bare ws (${cloudMicros.toFixed(1)} against ${bareMicros.toFixed(1)} µs of processor a frame; aim: 0.8)`
}

/** Sends all frames through a pair and resolves when the app has them. */
function drive({ glasses, app }: Pair): Promise<void> {
  return new Promise((resolve) => {
    let sent = 0
    let received = 0
    const fill = () => {
      while (sent < FRAMES && sent - received < WINDOW) {
        glasses.send(frame)
        sent += 1
      }
    }
    const count = (_: unknown, isBinary: boolean) => {
      if (!isBinary) return
      received += 1
      if (received < FRAMES) return fill()
      app.off('message', count)
      resolve()
    }
    app.on('message', count)
    fill()
  })
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}
