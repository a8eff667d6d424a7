import type { ProcessLoad } from './messages.ts'
import type { WorkMeter } from './work-meter.ts'

/** Interval at which the load is reported while there is work, in milliseconds. */
const REPORT_MS = 5_000

/** Does the work of a model process in pieces, between which the process receives messages, and reports the load. */
export class WorkLoop {
  readonly #meter: WorkMeter
  readonly #step: () => number | undefined
  readonly #report: (load: ProcessLoad) => void
  #isScheduled = false
  #timer: NodeJS.Timeout | undefined
  #reportedAt = performance.now()

  /** @param step does one piece of the work, and returns the milliseconds until the next piece is due; undefined: there is none */
  constructor(meter: WorkMeter, step: () => number | undefined, report: (load: ProcessLoad) => void) {
    this.#meter = meter
    this.#step = step
    this.#report = report
  }

  get load(): ProcessLoad {
    const { realTimeFactor, capacity } = this.#meter
    return { realTimeFactor, capacity, residentBytes: process.memoryUsage.rss() }
  }

  /** There may be work now. */
  wake(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    clearTimeout(this.#timer)
    setImmediate(() => this.#work())
  }

  #work(): void {
    this.#isScheduled = false
    const delayMs = this.#step()
    if (performance.now() - this.#reportedAt >= REPORT_MS) {
      this.#reportedAt = performance.now()
      this.#report(this.load)
    }
    if (delayMs === 0) this.wake()
    else if (delayMs !== undefined) this.#timer = setTimeout(() => this.wake(), delayMs)
  }
}
