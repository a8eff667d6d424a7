import type { Clock, Timer } from '../time/index.ts'

const SLICES = 100
const MIN_SLICE_SIZE = 50

export interface SlicedTimerOptions {
  readonly intervalMs: number
  /** At most a hundredth of the members, or 50, are called in one slice. */
  readonly sliceMs: number
}

/**
 * Calls a function once an interval for each member, in slices, so that members that are due at the same time do not
 * block the event loop. It uses one timer for all members.
 */
export class SlicedTimer<Member> {
  readonly #clock: Clock
  readonly #options: SlicedTimerOptions
  readonly #call: (member: Member) => void
  /** The monotonic time at which each member is due, in this order. */
  readonly #dueAt = new Map<Member, number>()
  #timer: Timer | undefined

  /** @param call may delete or restart the member */
  constructor(clock: Clock, options: SlicedTimerOptions, call: (member: Member) => void) {
    this.#clock = clock
    this.#options = options
    this.#call = call
  }

  /** Adds a member. */
  add(member: Member): void {
    this.#restart(member, this.#clock.monotonicNow())
    this.#timer ??= this.#clock.after(this.#options.intervalMs, () => this.#callDue())
  }

  /** Starts the interval of a member again; does nothing unless it was added. */
  restart(member: Member): void {
    if (this.#dueAt.has(member)) this.#restart(member, this.#clock.monotonicNow())
  }

  delete(member: Member): void {
    this.#dueAt.delete(member)
  }

  /** Deletes all members. */
  stop(): void {
    this.#timer?.cancel()
    this.#timer = undefined
    this.#dueAt.clear()
  }

  #restart(member: Member, now: number): void {
    // Deleting and setting the entry moves it to the end of the order.
    this.#dueAt.delete(member)
    this.#dueAt.set(member, now + this.#options.intervalMs)
  }

  #callDue(): void {
    this.#timer = undefined
    const now = this.#clock.monotonicNow()
    const sliceSize = Math.max(MIN_SLICE_SIZE, Math.ceil(this.#dueAt.size / SLICES))
    let count = 0
    try {
      for (const [member, dueAt] of this.#dueAt) {
        if (count === sliceSize || dueAt > now) break
        count += 1
        this.#restart(member, now)
        this.#call(member)
      }
    } finally {
      this.#schedule(now)
    }
  }

  #schedule(now: number): void {
    const [first] = this.#dueAt.values()
    if (first === undefined) return
    this.#timer = this.#clock.after(Math.max(this.#options.sliceMs, first - now), () => this.#callDue())
  }
}
