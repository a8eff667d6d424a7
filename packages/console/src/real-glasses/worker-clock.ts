import { type Clock, systemClock, type Timer } from '@glasses-cloud/phone/browser'

/** What the clock uses of a worker that runs `timer-worker.ts`. */
export interface TimerWorker {
  postMessage(timer: { readonly id: number; readonly afterMs: number }): void
  onmessage: ((event: { readonly data: number }) => void) | null
  onerror: (() => void) | null
}

/**
 * A clock whose timers run in a worker: browsers slow down the timers of hidden pages to one a minute, but not those of
 * workers, and glasses end a link that is silent for half a minute. Without the worker, the timers are those of the page.
 */
export class WorkerClock implements Clock {
  readonly #pending = new Map<number, () => void>()
  #worker: TimerWorker | undefined
  #last = 0

  constructor(worker: TimerWorker) {
    this.#worker = worker
    worker.onmessage = ({ data: id }) => this.#run(id)
    worker.onerror = () => {
      this.#worker = undefined
      // How long each has waited is not known.
      for (const id of this.#pending.keys()) this.#run(id)
    }
  }

  now(): number {
    return Date.now()
  }

  setTimeout(run: () => void, afterMs: number): Timer {
    const id = ++this.#last
    this.#pending.set(id, run)
    if (this.#worker) this.#worker.postMessage({ id, afterMs })
    else systemClock.setTimeout(() => this.#run(id), afterMs)
    return id
  }

  /** The worker still sends the id later, which is ignored. */
  clearTimeout(timer: Timer): void {
    if (typeof timer === 'number') this.#pending.delete(timer)
  }

  #run(id: number): void {
    const run = this.#pending.get(id)
    this.#pending.delete(id)
    run?.()
  }
}

/** Starts a worker with timers. */
export function createWorkerClock(): WorkerClock {
  // The bundler finds the script of the worker in an expression of this form only.
  return new WorkerClock(
    new Worker(new URL('./timer-worker.ts', import.meta.url), { type: 'module' }) as TimerWorker,
  )
}
