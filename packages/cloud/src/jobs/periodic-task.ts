import type { Clock, Timer } from '../time/index.ts'

export interface PeriodicTaskOptions {
  readonly clock: Clock
  /** Milliseconds from the end of one run to the start of the next. */
  readonly everyMs: number
  run(): Promise<void>
  /** Reports a failed run; the task continues with the next run. */
  failed(error: unknown): void
}

/** Runs a task periodically, starting with the first `wake`. Runs never overlap. */
export class PeriodicTask {
  readonly #options: PeriodicTaskOptions
  #timer: Timer | undefined
  #running: Promise<void> | undefined
  #again = false
  #stopped = false
  #countFailure = () => {}

  constructor(options: PeriodicTaskOptions) {
    this.#options = options
  }

  /** Starts a run now. During a run it schedules another, since the current one may have read its input already. */
  wake(): void {
    if (this.#stopped) return
    if (this.#running) {
      this.#again = true
      return
    }
    this.#timer?.cancel()
    this.#running = this.#run()
  }

  /** Starts the first run. @param countFailure called after each run that failed */
  start(countFailure = () => {}): void {
    this.#countFailure = countFailure
    this.wake()
  }

  /** Resolves once no run is in progress. */
  async idle(): Promise<void> {
    while (this.#running) await this.#running
  }

  /** Starts no more runs, and resolves once the current one has ended. */
  async stop(): Promise<void> {
    this.#stopped = true
    this.#timer?.cancel()
    await this.idle()
  }

  async #run(): Promise<void> {
    const { clock, everyMs, run, failed } = this.#options
    do {
      this.#again = false
      try {
        await run()
      } catch (error) {
        failed(error)
        this.#countFailure()
      }
    } while (this.#again && !this.#stopped)
    this.#running = undefined
    if (!this.#stopped) this.#timer = clock.after(everyMs, () => this.wake())
  }
}
