import type { Expression, ExpressionBuilder, SqlBool, UpdateObject } from 'kysely'
import type { Database, Schema } from '../db/index.ts'
import type { Clock, Timer } from '../time/index.ts'

/** Time after which another process may take over the row of one that died. */
export const ROW_LEASE_MS = 30_000

const RENEW_INTERVAL_MS = ROW_LEASE_MS / 3

/** Tables of work that one process at a time does; they have the columns of a lease in common. */
type LeasedTable = 'exports' | 'photo_deliveries' | 'speech_model_installs' | 'tls_certificates'

interface LeasedRow {
  /** Number of processes that have leased the row: the epoch of its lease. */
  readonly attempts: number
}

export interface LeasedRowsOptions<Row extends LeasedRow> {
  readonly table: LeasedTable
  /** Whether work remains that no process has a valid lease for. */
  isClaimable(row: ExpressionBuilder<Schema, LeasedTable>, now: number): Expression<SqlBool>
  /** Further columns that a claim sets. */
  readonly claimed?: UpdateObject<Schema, LeasedTable>
  /** Returns a claimed row; undefined if it was deleted meanwhile. @param db the transaction of the claim */
  load(id: string, db: Database): Promise<Row | undefined>
}

/**
 * Rows of work that must not be lost (ADR 21). A process leases a row before it works on it, and changes it only while
 * it owns the lease.
 */
export class LeasedRows<Row extends LeasedRow> {
  readonly #db: Database
  readonly #options: LeasedRowsOptions<Row>

  constructor(db: Database, options: LeasedRowsOptions<Row>) {
    this.#db = db
    this.#options = options
  }

  /**
   * Leases the oldest claimable row; of concurrent callers, one gets it.
   * @param owner unique across processes and restarts
   * @returns undefined if no row is claimable
   */
  async claim(owner: string, now: number): Promise<Row | undefined> {
    const { table, isClaimable, claimed, load } = this.#options
    for (;;) {
      const candidate = await this.#db
        .selectFrom(table)
        .select(['id', 'attempts'])
        .where((row) => isClaimable(row, now))
        .orderBy('created_at')
        .orderBy('id')
        .limit(1)
        .executeTakeFirst()
      if (candidate === undefined) return undefined
      const { id, attempts } = candidate
      const row = await this.#db.transaction().execute(async (db) => {
        const { numUpdatedRows } = await db
          .updateTable(table)
          .set({ ...claimed, attempts: attempts + 1, lease_owner: owner, lease_until: now + ROW_LEASE_MS })
          .where('id', '=', id)
          .where('attempts', '=', attempts)
          .where((each) => isClaimable(each, now))
          .executeTakeFirstOrThrow()
        return numUpdatedRows > 0n ? load(id, db) : undefined
      })
      // Otherwise another process claimed it first, or it was deleted.
      if (row) return row
    }
  }

  /** Extends a lease. @returns false if it was lost or the row was deleted */
  async renew(id: string, owner: string, now: number): Promise<boolean> {
    const { numUpdatedRows } = await this.#db
      .updateTable(this.#options.table)
      .set({ lease_until: now + ROW_LEASE_MS })
      .where('id', '=', id)
      .where('lease_owner', '=', owner)
      .executeTakeFirstOrThrow()
    return numUpdatedRows > 0n
  }

  /** Renews a lease until `stop` is called. `lost` aborts when the lease was lost or the row was deleted. */
  keep(id: string, owner: string, clock: Clock): { readonly lost: AbortSignal; stop(): void } {
    const lost = new AbortController()
    let isStopped = false
    const next = (): Timer =>
      clock.after(RENEW_INTERVAL_MS, async () => {
        // A failing database does not end the lease; the next renewal decides.
        const isOwner = await this.renew(id, owner, clock.now()).catch(() => true)
        if (isStopped) return
        if (isOwner) timer = next()
        else lost.abort(new Error('The lease was lost to another process'))
      })
    let timer = next()
    return {
      lost: lost.signal,
      stop() {
        isStopped = true
        timer.cancel()
      },
    }
  }
}
