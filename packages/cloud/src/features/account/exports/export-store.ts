import type { ExportFormat, ExportStatus } from '@glasses-cloud/contract'
import type { ExpressionBuilder, Selectable } from 'kysely'
import type { Database, ExportRow, Schema } from '../../../db/index.ts'

/** A data export as it stands. Times are epoch ms. */
export interface StoredExport {
  readonly id: string
  readonly userId: string
  readonly format: ExportFormat
  readonly status: ExportStatus
  /** How often work on it began. */
  readonly attempts: number
  readonly createdAt: number
  /** When it was completed, or failed. */
  readonly endedAt: number | null
}

/** Who works on exports, until when. */
export interface Lease {
  readonly owner: string
  /** Epoch ms. */
  readonly until: number
}

/** Data exports, and who works on them. */
export class ExportStore {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  /**
   * Notes a new export, to be worked on.
   * @param limit how many of one user there may be, of any status
   * @returns nothing when the user has that many
   * @throws a foreign key violation when there is no such user
   */
  async create(
    { id, userId, format }: Pick<StoredExport, 'id' | 'userId' | 'format'>,
    limit: number,
    now: number,
  ): Promise<StoredExport | undefined> {
    return this.#db.transaction().execute(async (trx) => {
      // Writing the user's row, even to what it was, makes two requests of one user follow one another.
      await trx.updateTable('users').set({ id: userId }).where('id', '=', userId).execute()
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

  async find(id: string): Promise<StoredExport | undefined> {
    const row = await this.#db.selectFrom('exports').selectAll().where('id', '=', id).executeTakeFirst()
    return row && toExport(row)
  }

  /** Every export of a user, the oldest first. */
  async listOf(userId: string): Promise<StoredExport[]> {
    const rows = await this.#db
      .selectFrom('exports')
      .selectAll()
      .where('user_id', '=', userId)
      .orderBy('created_at')
      .orderBy('id')
      .execute()
    return rows.map(toExport)
  }

  /**
   * Takes the oldest export that nobody works on: one not begun, or one whose lease ran out because its process
   * died or its last attempt failed.
   */
  async claim(lease: Lease, now: number): Promise<StoredExport | undefined> {
    for (;;) {
      const candidate = await this.#db
        .selectFrom('exports')
        .select(['id', 'attempts'])
        .where((e) => unattended(e, now))
        .orderBy('created_at')
        .orderBy('id')
        .limit(1)
        .executeTakeFirst()
      if (candidate === undefined) return undefined
      const row = await this.#db
        .updateTable('exports')
        .set({
          status: 'processing',
          attempts: candidate.attempts + 1,
          lease_owner: lease.owner,
          lease_until: lease.until,
        })
        .where('id', '=', candidate.id)
        .where('attempts', '=', candidate.attempts)
        .where((e) => unattended(e, now))
        .returningAll()
        .executeTakeFirst()
      // Nothing changed: another process was faster. There may be more.
      if (row) return toExport(row)
    }
  }

  /** Keeps a lease. @returns false when it is no longer the owner's, or the export is gone */
  async renew(id: string, { owner, until }: Lease): Promise<boolean> {
    return this.#held(id, owner, { lease_until: until })
  }

  /** Ends work on an export. @returns false when the lease was no longer the owner's, or the export is gone */
  async end(id: string, owner: string, status: 'completed' | 'failed', now: number): Promise<boolean> {
    return this.#held(id, owner, { status, lease_owner: null, lease_until: null, ended_at: now })
  }

  /**
   * Gives an export up for another attempt.
   * @param from when the next attempt may begin (epoch ms)
   * @param attempts how many attempts count from now on
   */
  async release(id: string, owner: string, from: number, attempts: number): Promise<boolean> {
    return this.#held(id, owner, { lease_owner: null, lease_until: from, attempts })
  }

  /** Ids of exports that ended at or before a time (epoch ms). */
  async endedBy(time: number): Promise<string[]> {
    const rows = await this.#db.selectFrom('exports').select('id').where('ended_at', '<=', time).execute()
    return rows.map(({ id }) => id)
  }

  async remove(id: string): Promise<void> {
    await this.#db.deleteFrom('exports').where('id', '=', id).execute()
  }

  async #held(id: string, owner: string, changes: Partial<ExportRow>): Promise<boolean> {
    const { numUpdatedRows } = await this.#db
      .updateTable('exports')
      .set(changes)
      .where('id', '=', id)
      .where('lease_owner', '=', owner)
      .executeTakeFirstOrThrow()
    return numUpdatedRows > 0n
  }
}

function unattended(e: ExpressionBuilder<Schema, 'exports'>, now: number) {
  return e.and([e('ended_at', 'is', null), e.or([e('lease_until', 'is', null), e('lease_until', '<=', now)])])
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
