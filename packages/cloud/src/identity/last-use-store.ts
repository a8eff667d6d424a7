import type { Database } from '../db/index.ts'
import type { Use } from './last-use.ts'

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
