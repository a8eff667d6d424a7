import { once } from 'node:events'
import { percentile } from '../statistics.ts'
import type { Pair } from './pairs.ts'

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
