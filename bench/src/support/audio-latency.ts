import { percentile } from '../statistics.ts'
import type { Pair } from './pairs.ts'

const FRAME_MS = 20
const FRAME_BYTES = 640

/**
 * Sends audio in real time from each pair of glasses and measures the time until its app receives it.
 * @returns the 99.9th percentile, in ms
 */
export async function measureAudioLatency(pairs: readonly Pair[], durationMs: number): Promise<number> {
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
  return percentile(latencies, 0.999)
}

function sendInRealTime({ glasses }: Pair, durationMs: number, offsetMs: number): Promise<void> {
  return new Promise((resolve) => {
    const startedAt = performance.now() + offsetMs
    let sent = 0
    const sendNext = () => {
      const frame = Buffer.alloc(FRAME_BYTES)
      frame.writeDoubleLE(performance.now(), 0)
      glasses.send(frame)
      sent += 1
      if (sent * FRAME_MS >= durationMs) return resolve()
      setTimeout(sendNext, Math.max(0, startedAt + sent * FRAME_MS - performance.now()))
    }
    setTimeout(sendNext, offsetMs)
  })
}
