import type { Clock, Timer } from '../session/index.ts'

/** What is repeated, and how often. */
export interface RepeatedOptions {
  readonly clock: Clock
  /** From the end of one run to the beginning of the next, in ms. */
  readonly everyMs: number
  run(): Promise<void>
  /** Told when a run fails; the next one comes all the same. */
  failed(error: unknown): void
}

/** Work that is done again and again, never twice at a time. Nothing happens before the first `wake`. */
export class PeriodicTask {
  readonly #options: RepeatedOptions
  #timer: Timer | undefined
  #running: Promise<void> | undefined
  #again = false
  #stopped = false

  constructor(options: RepeatedOptions) {
    this.#options = options
  }

  /** Begins a run now; one that is under way is followed by another, for it may have looked already. */
  wake(): void {
    if (this.#stopped) return
    if (this.#running) {
      this.#again = true
      return
    }
    this.#timer?.cancel()
    this.#running = this.#run()
  }

  /** Resolves when no run is under way. */
  async settled(): Promise<void> {
    while (this.#running) await this.#running
  }

  /** Begins no more runs, and resolves when the one under way has ended. */
  async stop(): Promise<void> {
    this.#stopped = true
    this.#timer?.cancel()
    await this.settled()
  }

  async #run(): Promise<void> {
    const { clock, everyMs, run, failed } = this.#options
    do {
      this.#again = false
      try {
        await run()
      } catch (error) {
        failed(error)
      }
    } while (this.#again && !this.#stopped)
    this.#running = undefined
    if (!this.#stopped) this.#timer = clock.after(everyMs, () => this.wake())
  }
}
