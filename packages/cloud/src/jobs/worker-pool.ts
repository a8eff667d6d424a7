import type { EventEmitter } from 'node:events'
import type { Worker } from 'node:worker_threads'

/** What runs jobs: a thread, or a process (`startProcessWorker`), whose `exit` names the signal too. */
export type PoolWorker = Pick<EventEmitter, 'on'> &
  Pick<Worker, 'ref' | 'unref' | 'postMessage' | 'terminate'>

export interface WorkerPoolOptions {
  /** Starts a worker, which answers each message with one message. */
  readonly startWorker: () => PoolWorker
  readonly maxWorkers: number
  /** Milliseconds after which the worker of a job is terminated. */
  readonly jobTimeoutMs: number
  /** Milliseconds without a job after which all workers are terminated, to release their memory. */
  readonly idleTimeoutMs: number
}

interface Job<Message, Result> {
  readonly message: Message
  readonly resolve: (result: Result) => void
  readonly reject: (reason: unknown) => void
}

interface RunningJob<Message, Result> extends Job<Message, Result> {
  readonly deadline: NodeJS.Timeout
  readonly startedAt: number
}

/** A worker failed, or was terminated at the deadline of its job or by `close`. */
export class WorkerFailedError extends Error {
  /** What ended the process of the worker, unless that was the pool. */
  readonly signal: NodeJS.Signals | undefined

  constructor(message: string, options?: ErrorOptions, signal?: NodeJS.Signals) {
    super(message, options)
    this.signal = signal
  }
}

/**
 * Runs jobs in threads or processes, in the order of their arrival. Workers are started on demand and replaced if they fail
 * or exceed the deadline of a job.
 */
export class WorkerPool<Message, Result> {
  /** Called at the end of each job that a worker ran. @param isFailed whether its worker failed or was terminated */
  onJobEnd: ((seconds: number, isFailed: boolean) => void) | undefined
  readonly #options: WorkerPoolOptions
  /** The workers and what they run. */
  readonly #workers = new Map<PoolWorker, RunningJob<Message, Result> | undefined>()
  readonly #queue = new Set<Job<Message, Result>>()
  #idleTimer: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(options: WorkerPoolOptions) {
    this.#options = options
  }

  /** Number of jobs that run or are queued. */
  get jobs(): number {
    return this.waiting + this.busy
  }

  /** Number of jobs that wait for a worker. */
  get waiting(): number {
    return this.#queue.size
  }

  /** Number of workers that run a job. */
  get busy(): number {
    return this.#workers.size - this.#idleWorkers().length
  }

  /** Number of workers. */
  get workers(): number {
    return this.#workers.size
  }

  /**
   * Runs a job. Aborting removes it from the queue. A job that runs already ends by itself, but its result is dropped:
   * a new worker would cost more than the rest of the job.
   * @throws WorkerFailedError, or the reason of the signal
   */
  async run(message: Message, signal: AbortSignal): Promise<Result> {
    signal.throwIfAborted()
    const { promise, resolve, reject } = Promise.withResolvers<Result>()
    const job = { message, resolve, reject }
    const cancel = () => {
      this.#queue.delete(job)
      reject(signal.reason)
    }
    signal.addEventListener('abort', cancel, { once: true })
    this.#queue.add(job)
    this.#startJobs()
    try {
      return await promise
    } finally {
      signal.removeEventListener('abort', cancel)
    }
  }

  /** Terminates the workers. Running, queued and later jobs fail. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#idleTimer)
    for (const { reject } of this.#queue) reject(new WorkerFailedError('The workers are stopped'))
    this.#queue.clear()
    await Promise.all([...this.#workers.keys()].map((worker) => worker.terminate()))
  }

  #startJobs(): void {
    clearTimeout(this.#idleTimer)
    for (const job of this.#queue) {
      const idle = this.#idleWorkers()[0]
      if (idle === undefined && this.#workers.size >= this.#options.maxWorkers) return
      this.#queue.delete(job)
      try {
        this.#start(job, idle ?? this.#startWorker())
      } catch (cause) {
        job.reject(cause)
      }
    }
    const idle = this.#idleWorkers()
    if (idle.length === 0 || idle.length < this.#workers.size) return
    this.#idleTimer = setTimeout(() => {
      for (const worker of idle) {
        this.#workers.delete(worker)
        void worker.terminate()
      }
    }, this.#options.idleTimeoutMs).unref()
  }

  #idleWorkers(): PoolWorker[] {
    return [...this.#workers].flatMap(([worker, job]) => (job === undefined ? [worker] : []))
  }

  #startWorker(): PoolWorker {
    if (this.#isClosed) throw new WorkerFailedError('The workers are stopped')
    const worker = this.#options.startWorker()
    worker.on('message', (result: Result) => {
      // An idle worker does not keep the process running.
      worker.unref()
      this.#endJob(worker, false)?.resolve(result)
      this.#startJobs()
    })
    worker.on('error', (cause) => {
      const job = this.#endJob(worker, true)
      // The worker exits soon: it must not receive the next job.
      this.#workers.delete(worker)
      job?.reject(new WorkerFailedError('The worker failed', { cause }))
    })
    worker.on('exit', (_code: number, signal?: NodeJS.Signals | null) => {
      const error = new WorkerFailedError('The worker was terminated', {}, signal ?? undefined)
      this.#endJob(worker, true)?.reject(error)
      this.#workers.delete(worker)
      this.#startJobs()
    })
    return worker
  }

  #start(job: Job<Message, Result>, worker: PoolWorker): void {
    const { jobTimeoutMs } = this.#options
    const deadline = setTimeout(() => {
      job.reject(new WorkerFailedError(`The worker did not finish within ${jobTimeoutMs} ms`))
      void worker.terminate()
    }, jobTimeoutMs)
    this.#workers.set(worker, { ...job, deadline, startedAt: performance.now() })
    worker.ref()
    worker.postMessage(job.message)
  }

  /** Returns the job of a worker, which is idle afterwards. */
  #endJob(worker: PoolWorker, isFailed: boolean): RunningJob<Message, Result> | undefined {
    const job = this.#workers.get(worker)
    if (job === undefined) return undefined
    clearTimeout(job.deadline)
    this.#workers.set(worker, undefined)
    this.onJobEnd?.((performance.now() - job.startedAt) / 1_000, isFailed)
    return job
  }
}
