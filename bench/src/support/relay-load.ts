import type { WebSocket } from 'ws'
import { median } from '../statistics.ts'
import { closePairs, type Pair } from './pairs.ts'
import type { ServerProcess } from './server-process.ts'

const ROUNDS = 4

/** A server under test, and a load through it. */
export interface RelaySide {
  readonly server: Pick<ServerProcess, 'cpuMicros' | 'stop'>
  readonly pairs: readonly Pair[]
  /** Sends messages through the pairs; resolves with their number when all are delivered. */
  readonly load: (pairs: readonly Pair[]) => Promise<number>
}

/**
 * Measures the processor time per relayed message, as the median of several rounds. The rounds of the sides alternate,
 * so that other load of the machine affects all of them. Stops the servers, unless they are kept.
 * @returns µs per message, by side
 */
export async function measureRelay<const Sides extends readonly RelaySide[]>(
  sides: Sides,
  { keep = false } = {},
): Promise<{ [Index in keyof Sides]: number }> {
  const micros = sides.map((): number[] => [])
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [index, { server, pairs, load }] of sides.entries()) {
      let messages = 0
      const spent = await server.cpuMicros(async () => {
        messages = await load(pairs)
      })
      // The first round warms up.
      if (round > 0) micros[index]?.push(spent / messages)
    }
  }
  for (const { pairs, server } of keep ? [] : sides) {
    closePairs(pairs)
    await server.stop()
  }
  return micros.map(median) as { [Index in keyof Sides]: number }
}

/** Frames in flight per pair, so that queues do not become the measurement. */
const WINDOW = 50

/** Sends `framesPerPair` frames from each pair of glasses to its app, as fast as they are delivered. */
export async function sendFrames(
  pairs: readonly Pair[],
  frame: Buffer | string,
  framesPerPair: number,
): Promise<number> {
  await Promise.all(pairs.map((pair) => sendFramesOfPair(pair, frame, framesPerPair)))
  return pairs.length * framesPerPair
}

function sendFramesOfPair({ glasses, app }: Pair, frame: Buffer | string, frames: number): Promise<void> {
  return new Promise((resolve) => {
    let sent = 0
    let received = 0
    const fill = () => {
      while (sent < frames && sent - received < WINDOW) {
        glasses.send(frame)
        sent += 1
      }
    }
    const count = (_: unknown, isBinary: boolean) => {
      if (isBinary === (typeof frame === 'string')) return
      received += 1
      if (received < frames) return fill()
      app.off('message', count)
      resolve()
    }
    app.on('message', count)
    fill()
  })
}

/** A paced load of text messages from one side of each pair to the other. */
export interface PacedLoad {
  readonly from: 'glasses' | 'app'
  readonly perSecond: number
  readonly count: number
  readonly message: (index: number) => string
  /** Identifies a delivered message among others. */
  readonly marker: string
}

/** Sends text messages at an even rate, each from the next pair; resolves when all are delivered. */
export function sendPaced(pairs: readonly Pair[], options: PacedLoad): Promise<number> {
  const { from, perSecond, count, message, marker } = options
  const to = from === 'glasses' ? 'app' : 'glasses'
  return new Promise((resolve) => {
    const startedAt = performance.now()
    let sent = 0
    let received = 0
    const listeners = pairs.map((pair): [WebSocket, (data: Buffer) => void] => {
      const listener = (data: Buffer) => {
        if (!data.includes(marker)) return
        received += 1
        if (received < count) return
        for (const [ws, registered] of listeners) ws.off('message', registered)
        resolve(count)
      }
      pair[to].on('message', listener)
      return [pair[to], listener]
    })
    const timer = setInterval(() => {
      const due = Math.min(count, Math.floor(((performance.now() - startedAt) * perSecond) / 1_000))
      for (; sent < due; sent += 1) pairs[sent % pairs.length]?.[from].send(message(sent))
      if (sent === count) clearInterval(timer)
    }, 5)
  })
}
