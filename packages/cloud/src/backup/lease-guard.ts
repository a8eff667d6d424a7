import { BACKUP_LEASE_MS, type BackupStateStore } from './backup-state-store.ts'
import { BackupError } from './format.ts'

/** Time for which a renewed lease is relied on. */
const TRUSTED_MS = 1_000

/** Another process makes backups. */
export class LeaseLostError extends BackupError {
  constructor() {
    super('The backup was interrupted for too long, and another process makes one now.')
    this.name = 'LeaseLostError'
  }
}

/**
 * Returns a function that a process calls before each write to a repository: it throws once another process has the lease,
 * which happens to a process that was suspended. It renews the lease at most once a second of the wall clock, which
 * advances while the machine sleeps.
 * @param signal aborts the next write
 */
export function createLeaseGuard(
  states: Pick<BackupStateStore, 'renew'>,
  owner: string,
  signal?: AbortSignal,
  now = Date.now,
): () => Promise<void> {
  let renewedAt = Number.NEGATIVE_INFINITY
  return async () => {
    signal?.throwIfAborted()
    const askedAt = now()
    const age = Math.abs(askedAt - renewedAt)
    if (age < TRUSTED_MS) return
    const isRenewed = await states.renew(owner).catch((error: unknown) => {
      // A short outage of the database does not end the lease.
      if (age < BACKUP_LEASE_MS / 2) return undefined
      throw error
    })
    if (isRenewed === false) throw new LeaseLostError()
    if (isRenewed) renewedAt = askedAt
  }
}
