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
