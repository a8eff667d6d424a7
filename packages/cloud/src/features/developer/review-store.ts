import { type Database, inTransaction } from '../../db/index.ts'

/** The last review of an app. Times are epoch ms. */
export interface Review {
  readonly submittedAt: number
  /** Null while the app is in review. */
  readonly decidedAt: number | null
  /** Notes of the reviewer; may be empty. */
  readonly notes: string
}

/** Stores the last review of each app. */
export class ReviewStore {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  async find(appId: string): Promise<Review | undefined> {
    return (await this.findAll([appId])).get(appId)
  }

  /** Returns the reviews by app id. */
  async findAll(appIds: readonly string[]): Promise<Map<string, Review>> {
    if (appIds.length === 0) return new Map()
    const rows = await this.#db
      .selectFrom('app_reviews')
      .selectAll()
      .where('app_id', 'in', [...appIds])
      .execute()
    return new Map(
      rows.map(({ app_id, submitted_at, decided_at, notes }) => [
        app_id,
        { submittedAt: submitted_at, decidedAt: decided_at, notes },
      ]),
    )
  }

  /** Changes an app from one of the given statuses to in review. @returns whether it had one */
  async submit(appId: string, now: number): Promise<boolean> {
    return this.#db.transaction().execute(async (trx) => {
      const { numUpdatedRows } = await trx
        .updateTable('apps')
        .set({ app_store_status: 'SUBMITTED', updated_at: now })
        .where('id', '=', appId)
        .where('app_store_status', 'in', ['DEVELOPMENT', 'REJECTED'])
        .executeTakeFirstOrThrow()
      if (numUpdatedRows === 0n) return false
      const review = { submitted_at: now, decided_at: null, notes: '' }
      await trx
        .insertInto('app_reviews')
        .values({ app_id: appId, ...review })
        .onConflict((conflict) => conflict.column('app_id').doUpdateSet(review))
        .execute()
      return true
    })
  }

  /** Decides the review of an app. @returns false if the app is not in review */
  async decide(
    appId: string,
    status: 'PUBLISHED' | 'REJECTED',
    notes: string,
    now: number,
  ): Promise<boolean> {
    return inTransaction(this.#db, async (trx) => {
      const { numUpdatedRows } = await trx
        .updateTable('apps')
        .set({ app_store_status: status, updated_at: now })
        .where('id', '=', appId)
        .where('app_store_status', '=', 'SUBMITTED')
        .executeTakeFirstOrThrow()
      if (numUpdatedRows === 0n) return false
      const decided = { decided_at: now, notes }
      await trx
        .insertInto('app_reviews')
        .values({ app_id: appId, submitted_at: now, ...decided })
        .onConflict((conflict) => conflict.column('app_id').doUpdateSet(decided))
        .execute()
      return true
    })
  }
}
