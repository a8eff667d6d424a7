import type { Clock, Timer } from '../../../time/index.ts'
import type { ExportStore, Lease } from './export-store.ts'

/** Duration of a lease, after which another process may claim the export of one that died. */
const LEASE_MS = 30_000

const RENEW_INTERVAL_MS = LEASE_MS / 3

/** Renews the lease of one export until it is stopped. */
export class LeaseKeeper {
  readonly #store: ExportStore
  readonly #clock: Clock
  readonly #owner: string
  readonly #lost = new AbortController()
  #timer: Timer | undefined
  #isStopped = false

  constructor(store: ExportStore, clock: Clock, owner: string) {
    this.#store = store
    this.#clock = clock
    this.#owner = owner
  }

  /** Aborts when the lease was lost or the export was deleted. */
  get lost(): AbortSignal {
    return this.#lost.signal
  }

  /** Returns a lease that starts now. */
  next(): Lease {
    return { owner: this.#owner, until: this.#clock.now() + LEASE_MS }
  }

  startRenewing(exportId: string): void {
    this.#timer = this.#clock.after(RENEW_INTERVAL_MS, () => void this.#renew(exportId))
  }

  stop(): void {
    this.#isStopped = true
    this.#timer?.cancel()
  }

  async #renew(exportId: string): Promise<void> {
    // A failing database does not end the lease; the next renewal decides.
    const isOwner = await this.#store.renew(exportId, this.next()).catch(() => true)
    if (this.#isStopped) return
    if (isOwner) this.startRenewing(exportId)
    else this.#lost.abort(new Error('The lease of the export was lost'))
  }
}
