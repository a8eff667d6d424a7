import { percentile } from '../statistics.ts'
import type { Pair } from './pairs.ts'

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

/** Sends frames from all pairs in real time, evenly distributed. @returns the number of frames */
export async function sendAudioInRealTime(
  pairs: readonly Pair[],
  frame: Buffer,
  durationMs: number,
): Promise<number> {
  const offset = FRAME_MS / pairs.length
  await Promise.all(pairs.map((pair, index) => sendInRealTime(pair, durationMs, index * offset, () => frame)))
  return pairs.length * Math.ceil(durationMs / FRAME_MS)
}

/** Sends a sound again and again from all pairs in real time, evenly distributed. */
export async function playInRealTime(pairs: readonly Pair[], pcm: Buffer, durationMs: number): Promise<void> {
  const count = Math.floor(pcm.byteLength / FRAME_BYTES)
  await Promise.all(
    pairs.map((pair, index) => {
      let sent = 0
      return sendInRealTime(pair, durationMs, (index * FRAME_MS) / pairs.length, () => {
        const at = (sent % count) * FRAME_BYTES
        sent += 1
        return pcm.subarray(at, at + FRAME_BYTES)
      })
    }),
  )
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
