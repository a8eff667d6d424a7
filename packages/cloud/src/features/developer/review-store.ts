import type { AppStoreStatus } from '@glasses-cloud/contract'
import { type Database, inTransaction, toJson } from '../../db/index.ts'
import { readReviewState, revisionOf } from '../catalogue/index.ts'

/** The last review of an app. Times are epoch ms. */
export interface Review {
  readonly submittedAt: number
  /** Null while the app is in review. */
  readonly decidedAt: number | null
  /** Notes of the reviewer; may be empty. */
  readonly notes: string
}

/** The decision of a reviewer. */
export interface Decision {
  readonly status: 'PUBLISHED' | 'REJECTED'
  /** The revision that the reviewer has seen. */
  readonly revision: string
  /** May be empty. */
  readonly notes: string
}

/** Stores the last review of each app. */
export class ReviewStore {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  /** Returns the store whose queries run in a transaction. */
  within(trx: Database): ReviewStore {
    return new ReviewStore(trx)
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
  async submit(appId: string, from: readonly AppStoreStatus[], now: number): Promise<boolean> {
    return inTransaction(this.#db, async (trx) => {
      const { numUpdatedRows } = await trx
        .updateTable('apps')
        .set({ app_store_status: 'SUBMITTED', updated_at: now })
        .where('id', '=', appId)
        .where('app_store_status', 'in', [...from])
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

  /**
   * Decides the review of an app. An approval stores the revision that was reviewed.
   * @param revision the revision that the reviewer has seen
   */
  async decide(
    appId: string,
    { status, revision, notes }: Decision,
    now: number,
  ): Promise<'decided' | 'not_in_review' | 'changed'> {
    return inTransaction(this.#db, async (trx) => {
      const locked = await trx
        .updateTable('apps')
        .set({ updated_at: now })
        .where('id', '=', appId)
        .where('app_store_status', '=', 'SUBMITTED')
        .returningAll()
        .executeTakeFirst()
      if (locked === undefined) return 'not_in_review'
      const { manifest } = await readReviewState(trx, locked)
      if (revisionOf(manifest) !== revision) return 'changed'
      await trx
        .updateTable('apps')
        .set({ app_store_status: status, ...(status === 'PUBLISHED' && { approved: toJson(manifest) }) })
        .where('id', '=', appId)
        .execute()
      const decided = { decided_at: now, notes }
      await trx
        .insertInto('app_reviews')
        .values({ app_id: appId, submitted_at: now, ...decided })
        .onConflict((conflict) => conflict.column('app_id').doUpdateSet(decided))
        .execute()
      return 'decided'
    })
  }
}
