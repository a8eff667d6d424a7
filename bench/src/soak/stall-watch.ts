import type { Timeline } from './timeline.ts'

/** Interval between two looks at the time. */
const TICK_MS = 100
/** A process that was not run for longer cannot tell what the cloud did meanwhile. */
const STALL_MS = 1_000

/**
 * Notices when the machine does not run this process: it is paused, or busy with something else. The load, the balancer and the
 * checks of the nodes are in this process, so their deadlines pass without a fault of the cloud. A stall is an incident of
 * the timeline, and so appears in the report. A node that stalls alone is not noticed here: that is a finding.
 */
export class StallWatch {
  readonly #timeline: Timeline
  readonly #now: () => number
  readonly #timer: NodeJS.Timeout
  #lastLook: number

  /** @param now returns the epoch ms */
  constructor(timeline: Timeline, now: () => number = Date.now) {
    this.#timeline = timeline
    this.#now = now
    this.#lastLook = now()
    this.#timer = setInterval(() => this.look(), TICK_MS)
  }

  /** Records the stall that has just ended, if there was one. To be called before a failure is judged. */
  look(): void {
    const from = this.#lastLook
    const until = this.#now()
    this.#lastLook = until
    if (until - from > STALL_MS)
      this.#timeline.add('the machine did not run the process that makes the load', from, until)
  }

  stop(): void {
    clearInterval(this.#timer)
  }
}
