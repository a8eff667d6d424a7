import { SeededRandom } from '../../session/simulation/fixtures.ts'

interface Event {
  readonly at: number
  readonly order: number
  run: (() => void) | undefined
}

/** Something that happens later. */
export interface Planned {
  cancel(): void
}

/** Time and chance of one schedule. Events at the same time happen in the order in which they were planned. */
export class World {
  readonly random: SeededRandom
  /** What happened, for the report of a failure. */
  readonly trace: string[] = []
  /** A binary heap by time and order. */
  readonly #events: Event[] = []
  #now = 0
  #order = 0

  constructor(seed: number) {
    this.random = new SeededRandom(seed)
  }

  /** Milliseconds since the schedule began. */
  get now(): number {
    return this.#now
  }

  note(what: string): void {
    this.trace.push(`${this.#now} ${what}`)
  }

  /** Plans an event. */
  after(ms: number, run: () => void): Planned {
    const event: Event = { at: this.#now + Math.max(0, ms), order: this.#order++, run }
    this.#push(event)
    return {
      cancel: () => {
        event.run = undefined
      },
    }
  }

  /** Runs the next event until a time, and sets the clock forward. @returns false if there is none */
  runNext(until: number): boolean {
    for (;;) {
      const next = this.#events[0]
      if (!next || next.at > until) {
        this.#now = Math.max(this.#now, until)
        return false
      }
      this.#removeFirst()
      if (!next.run) continue
      this.#now = next.at
      next.run()
      return true
    }
  }

  #push(event: Event): void {
    const events = this.#events
    let index = events.length
    events.push(event)
    while (index > 0) {
      const parent = (index - 1) >> 1
      const above = events[parent] as Event
      if (!isBefore(event, above)) break
      events[index] = above
      index = parent
    }
    events[index] = event
  }

  #removeFirst(): void {
    const events = this.#events
    const last = events.pop() as Event
    if (events.length === 0) return
    let index = 0
    for (;;) {
      let child = 2 * index + 1
      if (child >= events.length) break
      const right = events[child + 1]
      if (right && isBefore(right, events[child] as Event)) child += 1
      if (!isBefore(events[child] as Event, last)) break
      events[index] = events[child] as Event
      index = child
    }
    events[index] = last
  }
}

function isBefore(one: Event, other: Event): boolean {
  return one.at < other.at || (one.at === other.at && one.order < other.order)
}
