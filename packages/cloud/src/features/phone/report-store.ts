import { randomUUID } from 'node:crypto'
import { MAX_PHONE_REPORTS } from '@glasses-cloud/contract'
import { type Database, fromJson, type PhoneReportKind, type PhoneReportRow, toJson } from '../../db/index.ts'

/** A report of a phone to the operator. */
export interface PhoneReport {
  readonly id: string
  readonly kind: PhoneReportKind
  /** Any JSON value. */
  readonly content: unknown
  /** Epoch ms. */
  readonly createdAt: number
}

/** A report with its sender. */
export interface SentReport extends PhoneReport {
  /** E-mail address; null if the sender is unknown. */
  readonly sender: string | null
}

/** Stores feedback and error reports of phones. */
export class PhoneReportStore {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  /**
   * Stores a report. The newest of each user and kind are kept, and the newest of unknown senders; older ones are
   * deleted.
   * @param userId null if the sender is unknown
   */
  async add(userId: string | null, kind: PhoneReportKind, content: unknown, now: number): Promise<void> {
    const kept = userId === null ? MAX_PHONE_REPORTS.withoutUser : MAX_PHONE_REPORTS.perUser
    await this.#db.transaction().execute(async (trx) => {
      await trx
        .insertInto('phone_reports')
        .values({ id: randomUUID(), user_id: userId, kind, content: toJson(content), created_at: now })
        .execute()
      await trx
        .deleteFrom('phone_reports')
        .where('id', 'in', (e) =>
          e
            .selectFrom('phone_reports as older')
            .select('older.id')
            .where('older.user_id', userId === null ? 'is' : '=', userId)
            .where('older.kind', '=', kind)
            .orderBy('older.created_at', 'desc')
            .orderBy('older.id')
            .limit(1_000)
            .offset(kept),
        )
        .execute()
    })
  }

  /** Returns the reports of a user, oldest first. */
  async listByUser(userId: string): Promise<PhoneReport[]> {
    const rows = await this.#db
      .selectFrom('phone_reports')
      .selectAll()
      .where('user_id', '=', userId)
      .orderBy('created_at')
      .orderBy('id')
      .execute()
    return rows.map(toReport)
  }

  /** Returns the newest reports, newest first. */
  async listNewest(limit: number): Promise<SentReport[]> {
    const rows = await this.#db
      .selectFrom('phone_reports')
      .leftJoin('users', 'users.id', 'phone_reports.user_id')
      .selectAll('phone_reports')
      .select('users.email')
      .orderBy('phone_reports.created_at', 'desc')
      .orderBy('phone_reports.id')
      .limit(limit)
      .execute()
    return rows.map((row) => ({ ...toReport(row), sender: row.email }))
  }
}

function toReport({ id, kind, content, created_at }: PhoneReportRow): PhoneReport {
  return { id, kind, content: fromJson(content), createdAt: created_at }
}
