/** The timers of a `WorkerClock`, in a worker. */
import type { TimerWorker } from './worker-clock.ts'

type Request = Parameters<TimerWorker['postMessage']>[0]

addEventListener('message', ({ data: { id, afterMs } }: MessageEvent<Request>) => {
  setTimeout(() => postMessage(id), afterMs)
})
