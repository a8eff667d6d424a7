import type { Selectable } from 'kysely'
import type { LastUseColumns } from '../db/index.ts'

/** A use of a credential. */
export interface Use {
  /** Epoch milliseconds. */
  readonly at: number
  /** The network address of the client; undefined where it was not stored. */
  readonly address: string | undefined
}

/** Returns the last use of a credential from its row, to the minute; undefined if it was never used. */
export function lastUseOf({ last_used_at, last_used_address }: Selectable<LastUseColumns>): Use | undefined {
  return last_used_at === null ? undefined : { at: last_used_at, address: last_used_address ?? undefined }
}

/** Returns the last use of a credential for responses and exports. */
export function lastUseView(use: Use | undefined) {
  return {
    lastUsedAt: use === undefined ? null : new Date(use.at).toISOString(),
    lastUsedIpAddress: use?.address ?? null,
  }
}
