import { percentile } from '../figure.ts'

/** After a fault the cloud has this time to recover; then failures are findings. */
const RECOVERY_MS = 15_000

/** Something that disturbed the cloud. */
export interface Incident {
  readonly name: string
  /** Epoch ms. */
  readonly from: number
  /** Epoch ms; undefined while it lasts. */
  until: number | undefined
  /** The errors that it may cause. */
  readonly causes: RegExp | undefined
  /** How many it caused. */
  errors: number
}

/** What was done to the cloud and when, so that failures in calm times are told from those that a fault explains. */
export class Timeline {
  readonly incidents: Incident[] = []

  /** Performs something that disturbs the cloud. */
  async record(name: string, run: () => Promise<unknown>, causes?: RegExp): Promise<void> {
    const incident: Incident = { name, from: Date.now(), until: undefined, causes, errors: 0 }
    this.incidents.push(incident)
    try {
      await run()
    } finally {
      incident.until = Date.now()
    }
  }

  /** Adds something that happened by itself (epoch ms). */
  add(name: string, from: number, until: number): void {
    this.incidents.push({ name, from, until, causes: undefined, errors: 0 })
  }

  /** Whether an incident of the moment explains an error, which is counted. */
  explains(error: string): boolean {
    const now = Date.now()
    const incident = this.incidents.find(
      ({ until, causes }) => (until === undefined || until + RECOVERY_MS >= now) && causes?.test(error),
    )
    if (incident) incident.errors += 1
    return incident !== undefined
  }

  /** Whether the cloud was undisturbed, and had recovered, for all of a time (epoch ms). */
  isCalm(from: number, until = Date.now()): boolean {
    return this.incidents.every(
      (incident) =>
        incident.from > until || (incident.until !== undefined && incident.until + RECOVERY_MS < from),
    )
  }
}

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

/** Percentiles in ms. */
export interface LatencySummary {
  readonly name: string
  readonly count: number
  readonly p50: number
  readonly p99: number
  readonly max: number
}

/** Records delays by name. */
export class Latencies {
  readonly #delays = new Map<string, number[]>()

  add(name: string, ms: number): void {
    const delays = this.#delays.get(name)
    if (delays) delays.push(ms)
    else this.#delays.set(name, [ms])
  }

  summaries(): LatencySummary[] {
    return [...this.#delays].map(([name, delays]) => {
      const [p50 = 0, p99 = 0, max = 0] = [0.5, 0.99, 1].map((fraction) => percentile(delays, fraction))
      return { name, count: delays.length, p50, p99, max }
    })
  }
}

/** A write whose result is unknown may or may not have been stored. */
interface LedgerEntry {
  /** The last value that the cloud acknowledged; undefined if none was. */
  readonly acknowledged: string | undefined
  /** A later value without a response. */
  readonly uncertain: string | undefined
}

/** Records acknowledged writes, so that lost ones are found. Each key must have one sequential writer. */
export class WriteLedger {
  readonly #entries = new Map<string, LedgerEntry>()

  /** Number of acknowledged writes. */
  acknowledgedWrites = 0

  /**
   * Performs a write and records its result.
   * @param write resolves if the cloud acknowledged the value
   */
  async record(key: string, value: string, write: () => Promise<unknown>): Promise<void> {
    const { acknowledged } = this.#entries.get(key) ?? { acknowledged: undefined }
    this.#entries.set(key, { acknowledged, uncertain: value })
    await write()
    this.acknowledge(key, value)
  }

  /** Records an acknowledged write whose key the cloud chose. */
  acknowledge(key: string, value: string): void {
    this.#entries.set(key, { acknowledged: value, uncertain: undefined })
    this.acknowledgedWrites += 1
  }

  /** Keys of the recorded writes. */
  get keys(): string[] {
    return [...this.#entries.keys()]
  }

  /** Whether the stored value proves that an acknowledged write was lost. */
  isLost(key: string, stored: string | undefined): boolean {
    const entry = this.#entries.get(key)
    if (entry === undefined || stored === entry.acknowledged) return false
    return entry.uncertain === undefined || stored !== entry.uncertain
  }
}
