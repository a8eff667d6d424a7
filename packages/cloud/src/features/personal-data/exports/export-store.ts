import type { ExportFormat, ExportStatus } from '@glasses-cloud/contract'
import type { Selectable } from 'kysely'
import type { Database, ExportRow } from '../../../db/index.ts'
import { writeAs } from '../../../identity/index.ts'
import { LeasedRows } from '../../../jobs/index.ts'

/** A data export. Times are epoch ms. */
export interface StoredExport {
  readonly id: string
  readonly userId: string
  readonly format: ExportFormat
  readonly status: ExportStatus
  /** Number of attempts started. */
  readonly attempts: number
  readonly createdAt: number
  /** When it was completed or failed; null before. */
  readonly endedAt: number | null
}

/** Stores data exports and the leases of the processes that write them. */
export class ExportStore {
  readonly leases: LeasedRows<StoredExport>
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
    this.leases = new LeasedRows(db, {
      table: 'exports',
      isClaimable: (row, now) =>
        row.and([
          row('ended_at', 'is', null),
          row.or([row('lease_until', 'is', null), row('lease_until', '<=', now)]),
        ]),
      claimed: { status: 'processing' },
      load: (id, trx) => this.find(id, trx),
    })
  }

  /**
   * Adds a pending export.
   * @param limit maximum number of exports of a user, regardless of status
   * @returns undefined if the user has reached the limit
   * @throws AccountEnded
   */
  async create(
    { id, userId, format }: Pick<StoredExport, 'id' | 'userId' | 'format'>,
    limit: number,
    now: number,
  ): Promise<StoredExport | undefined> {
    // The lock also prevents concurrent requests from exceeding the limit.
    return writeAs(this.#db, userId, async (trx) => {
      const { count } = await trx
        .selectFrom('exports')
        .select((e) => e.fn.countAll<number>().as('count'))
        .where('user_id', '=', userId)
        .executeTakeFirstOrThrow()
      if (Number(count) >= limit) return undefined
      const row = await trx
        .insertInto('exports')
        .values({
          id,
          user_id: userId,
          format,
          status: 'pending',
          attempts: 0,
          lease_owner: null,
          lease_until: null,
          created_at: now,
          ended_at: null,
        })
        .returningAll()
        .executeTakeFirstOrThrow()
      return toExport(row)
    })
  }

  async find(id: string, db = this.#db): Promise<StoredExport | undefined> {
    const row = await db.selectFrom('exports').selectAll().where('id', '=', id).executeTakeFirst()
    return row && toExport(row)
  }

  /** Returns all exports of a user, oldest first. */
  async listByUser(userId: string): Promise<StoredExport[]> {
    const rows = await this.#db
      .selectFrom('exports')
      .selectAll()
      .where('user_id', '=', userId)
      .orderBy('created_at')
      .orderBy('id')
      .execute()
    return rows.map(toExport)
  }

  /** Sets the final status. @returns false if the lease was lost or the export was deleted */
  async end(id: string, owner: string, status: 'completed' | 'failed', now: number): Promise<boolean> {
    return this.#updateLeased(id, owner, { status, lease_owner: null, lease_until: null, ended_at: now })
  }

  /**
   * Releases an export for another attempt.
   * @param from when the next attempt may start, epoch ms
   * @param attempts number of attempts to count from now on
   */
  async release(id: string, owner: string, from: number, attempts: number): Promise<boolean> {
    return this.#updateLeased(id, owner, { lease_owner: null, lease_until: from, attempts })
  }

  /** Returns the ids of the exports that ended at or before a time (epoch ms). */
  async listEndedBy(time: number): Promise<string[]> {
    const rows = await this.#db.selectFrom('exports').select('id').where('ended_at', '<=', time).execute()
    return rows.map(({ id }) => id)
  }

  async delete(id: string): Promise<void> {
    await this.#db.deleteFrom('exports').where('id', '=', id).execute()
  }

  async #updateLeased(id: string, owner: string, changes: Partial<ExportRow>): Promise<boolean> {
    const { numUpdatedRows } = await this.#db
      .updateTable('exports')
      .set(changes)
      .where('id', '=', id)
      .where('lease_owner', '=', owner)
      .executeTakeFirstOrThrow()
    return numUpdatedRows > 0n
  }
}

function toExport(row: Selectable<ExportRow>): StoredExport {
  return {
    id: row.id,
    userId: row.user_id,
    format: row.format,
    status: row.status,
    attempts: row.attempts,
    createdAt: row.created_at,
    endedAt: row.ended_at,
  }
}
