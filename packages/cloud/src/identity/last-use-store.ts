import type { Selectable } from 'kysely'
import type { Database, LastUseColumns } from '../db/index.ts'

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

/** How exactly the last use of a credential is stored, which bounds the writes. */
export const USE_PRECISION_MS = 60_000

/** The tables of credentials, with the columns that identify one. */
const CREDENTIALS = { api_keys: 'key_id', personal_tokens: 'id', logins: 'id' } as const

/** A table of credentials. */
export type CredentialTable = keyof typeof CREDENTIALS

/** Stores the last uses of credentials. */
export class LastUseStore {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  /** Stores a use, unless one of the minute before it is stored, by whichever node. */
  async record(table: CredentialTable, id: string, { at, address }: Use): Promise<void> {
    await this.#db
      .updateTable(table)
      .set({ last_used_at: at, last_used_address: address ?? null })
      .where(CREDENTIALS[table], '=', id)
      .where(({ eb, or }) =>
        or([eb('last_used_at', 'is', null), eb('last_used_at', '<=', at - USE_PRECISION_MS)]),
      )
      .execute()
  }
}
