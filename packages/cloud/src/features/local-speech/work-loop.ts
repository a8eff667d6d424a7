import type { ProcessLoad } from './messages.ts'
import type { WorkMeter } from './work-meter.ts'

/** Interval at which the load is reported while there is work, in milliseconds. */
const REPORT_MS = 5_000

/** Does the work of a model process in pieces, between which the process receives messages, and reports the load. */
export class WorkLoop {
  readonly #meter: WorkMeter
  readonly #step: () => boolean
  readonly #report: (load: ProcessLoad) => void
  #isWorking = false
  #reportedAt = performance.now()

  /** @param step does one piece of the work, and returns whether there was any */
  constructor(meter: WorkMeter, step: () => boolean, report: (load: ProcessLoad) => void) {
    this.#meter = meter
    this.#step = step
    this.#report = report
  }

  get load(): ProcessLoad {
    const { realTimeFactor, capacity } = this.#meter
    return { realTimeFactor, capacity, residentBytes: process.memoryUsage.rss() }
  }

  /** Begins to work, if it does not already. */
  wake(): void {
    if (this.#isWorking) return
    this.#isWorking = true
    setImmediate(() => this.#work())
  }

  #work(): void {
    this.#isWorking = this.#step()
    if (performance.now() - this.#reportedAt >= REPORT_MS) {
      this.#reportedAt = performance.now()
      this.#report(this.load)
    }
    if (this.#isWorking) setImmediate(() => this.#work())
  }
}
