import type { Clock, Timer } from '../../../session/index.ts'
import type { ExportStore, Lease } from './export-store.ts'

/** How long a lease holds unless it is renewed, in ms: this long after its process died, another may take over. */
const leaseMs = 30_000

const renewMs = leaseMs / 3

/** Keeps the lease of one export while it is worked on. */
export class LeaseKeeper {
  readonly #store: ExportStore
  readonly #clock: Clock
  readonly #owner: string
  readonly #lost = new AbortController()
  #timer: Timer | undefined
  #stopped = false

  constructor(store: ExportStore, clock: Clock, owner: string) {
    this.#store = store
    this.#clock = clock
    this.#owner = owner
  }

  /** Aborts when the lease is another's, or the export is gone. */
  get lost(): AbortSignal {
    return this.#lost.signal
  }

  /** A lease from now on. */
  lease(): Lease {
    return { owner: this.#owner, until: this.#clock.now() + leaseMs }
  }

  keep(exportId: string): void {
    this.#timer = this.#clock.after(renewMs, () => void this.#renew(exportId))
  }

  stop(): void {
    this.#stopped = true
    this.#timer?.cancel()
  }

  async #renew(exportId: string): Promise<void> {
    // A database that fails for a moment takes no lease away; the next renewal tells.
    const held = await this.#store.renew(exportId, this.lease()).catch(() => true)
    if (this.#stopped) return
    if (held) this.keep(exportId)
    else this.#lost.abort(new Error('the lease was lost'))
  }
}
