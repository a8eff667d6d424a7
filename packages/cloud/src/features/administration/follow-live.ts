import type { AdminNode, AdminSession } from '@glasses-cloud/contract'
import type { Clock } from '../../time/index.ts'

/** Interval between two readings. */
const INTERVAL_MS = 2_000

/** Readings between two checks whether the client is still an administrator. */
const READINGS_PER_CHECK = 2

/** What the stream reports, by the name of its event. */
export interface LiveState {
  readonly sessions: { readonly total: number; readonly sessions: readonly AdminSession[] }
  readonly nodes: readonly AdminNode[]
}

/** What is followed, and for how long. */
export interface FollowLiveOptions {
  readonly clock: Clock
  readonly signal: AbortSignal
  read(): Promise<LiveState>
  /** Whether the client may still follow. */
  mayFollow(): Promise<boolean>
}

/** Yields the live state as server-sent events: all of it first, then what has changed. */
export async function* followLive(options: FollowLiveOptions): AsyncGenerator<string> {
  const { clock, signal, read, mayFollow } = options
  const sent = new Map<string, string>()
  yield ': connected\n\n'
  for (let readings = 1; !signal.aborted; readings += 1) {
    for (const [event, state] of Object.entries(await read())) {
      const data = JSON.stringify(state)
      if (sent.get(event) === data) continue
      sent.set(event, data)
      yield `event: ${event}\ndata: ${data}\n\n`
    }
    await pause(clock, signal)
    if (readings % READINGS_PER_CHECK !== 0) continue
    if (!(await mayFollow())) return
    yield ': alive\n\n'
  }
}

/** Resolves after the interval, or when the signal aborts. */
async function pause(clock: Clock, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = clock.after(INTERVAL_MS, resolve)
  const aborted = () => resolve()
  signal.addEventListener('abort', aborted, { once: true })
  await promise
  timer.cancel()
  signal.removeEventListener('abort', aborted)
}
