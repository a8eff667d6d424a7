import type { Database } from '../db/index.ts'
import { databaseNow } from '../db/index.ts'

/** Stores the leases of nodes. They expire by the clock of the database. */
export class NodeLeaseStore {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  /** Acquires or renews the lease of a holder. */
  async renew(holder: string, ms: number): Promise<void> {
    const now = databaseNow(this.#db)
    await this.#db
      .insertInto('node_leases')
      .values((e) => ({ holder, expires_at: e(now, '+', ms) }))
      .onConflict((conflict) =>
        conflict.column('holder').doUpdateSet((e) => ({ expires_at: e.ref('excluded.expires_at') })),
      )
      .execute()
  }

  async release(holder: string): Promise<void> {
    await this.#db.deleteFrom('node_leases').where('holder', '=', holder).execute()
  }

  /** Returns whether a holder's lease is unexpired. */
  async isHeld(holder: string): Promise<boolean> {
    const row = await this.#db
      .selectFrom('node_leases')
      .select('holder')
      .where('holder', '=', holder)
      .where('expires_at', '>', databaseNow(this.#db))
      .executeTakeFirst()
    return row !== undefined
  }

  /** Deletes leases that expired more than `ms` ago. */
  async deleteExpired(ms: number): Promise<void> {
    await this.#db
      .deleteFrom('node_leases')
      .where((e) => e('expires_at', '<', e(databaseNow(this.#db), '-', ms)))
      .execute()
  }
}
