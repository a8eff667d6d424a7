import type { Database } from '../../../db/index.ts'
import type { UserRef } from '../../../personal-data.ts'

/** The maximum value of `Date`, in epoch ms. Tokens are always issued before it. */
const NEVER_MS = 8_640_000_000_000_000

/** Stores which accounts are being deleted. */
export class DeletionStore {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  /**
   * Records that a deletion began and revokes every token of the user, including those issued later. The record is
   * removed with the user's row.
   * @returns false if the user does not exist
   */
  async begin(userId: string, now: number): Promise<boolean> {
    return this.#db.transaction().execute(async (trx) => {
      const { numUpdatedRows } = await trx
        .updateTable('users')
        .set({ tokens_valid_from: NEVER_MS })
        .where('id', '=', userId)
        .executeTakeFirstOrThrow()
      if (numUpdatedRows === 0n) return false
      await trx
        .insertInto('deletions')
        .values({ user_id: userId, began_at: now })
        .onConflict((conflict) => conflict.column('user_id').doNothing())
        .execute()
      return true
    })
  }

  /** Returns the users whose deletion has begun, oldest first. */
  async listUnfinished(): Promise<UserRef[]> {
    return this.#db
      .selectFrom('deletions')
      .innerJoin('users', 'users.id', 'deletions.user_id')
      .select(['users.id', 'users.email'])
      .orderBy('deletions.began_at')
      .execute()
  }
}
