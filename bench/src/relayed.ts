import { closePairs, type Pair } from './pairs.ts'
import type { ServerProcess } from './server-process.ts'

const FRAMES = 3_000
const ROUNDS = 5
/** Frames a pair may have under way, so that queues do not become the measurement. */
const WINDOW = 50

/** A server under measurement, and what its glasses send to its apps. */
interface Side {
  readonly server: ServerProcess
  readonly pairs: readonly Pair[]
  readonly frame: Buffer
}

/**
 * Sends frames through the pairs of each side.
 * @returns µs of the server's processor a frame, the median of some rounds; servers and sockets are gone then
 */
export async function relayed<const Sides extends readonly Side[]>(
  sides: Sides,
): Promise<{ [Index in keyof Sides]: number }> {
  const micros = sides.map((): number[] => [])
  // Rounds take turns, so that whatever else the machine does hits all; the first of each only warms up.
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [at, { server, pairs, frame }] of sides.entries()) {
      const before = await server.ask({ ask: 'cpu' })
      await Promise.all(pairs.map((pair) => drive(pair, frame)))
      const spent = (await server.ask({ ask: 'cpu' })) - before
      if (round > 0) micros[at]?.push(spent / (pairs.length * FRAMES))
    }
  }
  for (const { pairs, server } of sides) {
    closePairs(pairs)
    await server.stop()
  }
  return micros.map(median) as { [Index in keyof Sides]: number }
}

/** Sends all frames through a pair and resolves when the app has them. */
function drive({ glasses, app }: Pair, frame: Buffer): Promise<void> {
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
