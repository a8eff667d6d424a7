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
