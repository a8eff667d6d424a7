import { once } from 'node:events'
import type { WebSocket } from 'ws'
import { measureInTurn, percentile } from '../figure.ts'
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
  const micros = await measureInTurn(
    ROUNDS,
    sides.map(({ server, pairs, load }) => async () => {
      let messages = 0
      const spent = await server.cpuMicros(async () => {
        messages = await load(pairs)
      })
      return spent / messages
    }),
  )
  for (const { pairs, server } of keep ? [] : sides) {
    closePairs(pairs)
    await server.stop()
  }
  return micros as { [Index in keyof Sides]: number }
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

const FRAME_MS = 20
const FRAME_BYTES = 640

/**
 * Sends audio in real time from each pair of glasses and measures the time until its app receives it.
 * @param fraction which percentile; 99.9 by default
 * @returns the percentile, in ms
 */
export async function measureAudioLatency(
  pairs: readonly Pair[],
  durationMs: number,
  fraction = 0.999,
): Promise<number> {
  const latencies: number[] = []
  const listeners = pairs.map(({ app }) => {
    const listener = (data: Buffer, isBinary: boolean) => {
      if (isBinary) latencies.push(performance.now() - data.readDoubleLE(0))
    }
    app.on('message', listener)
    return () => app.off('message', listener)
  })
  await Promise.all(
    pairs.map((pair, index) => sendInRealTime(pair, durationMs, (index * FRAME_MS) / pairs.length)),
  )
  for (const remove of listeners) remove()
  return percentile(latencies, fraction)
}

/**
 * Sends a sound again and again from all pairs in real time, evenly distributed.
 * @returns the number of frames
 */
export async function playInRealTime(
  pairs: readonly Pair[],
  pcm: Buffer,
  durationMs: number,
): Promise<number> {
  const frames = Math.floor(pcm.byteLength / FRAME_BYTES)
  await Promise.all(
    pairs.map((pair, index) => {
      let sent = 0
      return sendInRealTime(pair, durationMs, (index * FRAME_MS) / pairs.length, () => {
        const at = (sent++ % frames) * FRAME_BYTES
        return pcm.subarray(at, at + FRAME_BYTES)
      })
    }),
  )
  return pairs.length * Math.ceil(durationMs / FRAME_MS)
}

function stampedFrame(): Buffer {
  const frame = Buffer.alloc(FRAME_BYTES)
  frame.writeDoubleLE(performance.now(), 0)
  return frame
}

function sendInRealTime(
  { glasses }: Pair,
  durationMs: number,
  offsetMs: number,
  nextFrame: () => Buffer = stampedFrame,
): Promise<void> {
  return new Promise((resolve) => {
    const startedAt = performance.now() + offsetMs
    let sent = 0
    const sendNext = () => {
      glasses.send(nextFrame())
      sent += 1
      if (sent * FRAME_MS >= durationMs) return resolve()
      setTimeout(sendNext, Math.max(0, startedAt + sent * FRAME_MS - performance.now()))
    }
    setTimeout(sendNext, offsetMs)
  })
}

/**
 * Sends button presses from the glasses of a pair at an even rate and measures the time until its app receives them.
 * @returns the 99th percentile, in ms
 */
export async function measureButtonLatency(
  { glasses, app }: Pair,
  { count, intervalMs }: { readonly count: number; readonly intervalMs: number },
): Promise<number> {
  const sentAt = new Map<string, number>()
  const latencies: number[] = []
  const finished = new EventTarget()
  const receive = (data: Buffer) => {
    if (!data.includes('"button_press"')) return
    const { buttonId } = JSON.parse(String(data)).data as { buttonId: string }
    const at = sentAt.get(buttonId)
    if (at === undefined) return
    latencies.push(performance.now() - at)
    if (latencies.length === count) finished.dispatchEvent(new Event('finished'))
  }
  app.on('message', receive)
  const received = once(finished, 'finished')
  let sent = 0
  const timer = setInterval(() => {
    const buttonId = `b${sent}`
    sentAt.set(buttonId, performance.now())
    glasses.send(JSON.stringify({ type: 'button_press', buttonId, pressType: 'short' }))
    sent += 1
    if (sent === count) clearInterval(timer)
  }, intervalMs)
  await received
  app.off('message', receive)
  return percentile(latencies, 0.99)
}
