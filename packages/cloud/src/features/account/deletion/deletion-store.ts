import type { Database } from '../../../db/index.ts'
import type { UserRef } from '../../../personal-data.ts'

/** No token is issued after this (epoch ms): the last moment that dates know. */
const never = 8_640_000_000_000_000

/** Deletions of accounts that have begun. */
export class DeletionStore {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  /**
   * Notes that a deletion began, and voids every token of the user, those issued from now on too. What has begun
   * stays noted until the user's row is gone.
   * @returns false when there is no such user
   */
  async begin(userId: string, now: number): Promise<boolean> {
    return this.#db.transaction().execute(async (trx) => {
      const { numUpdatedRows } = await trx
        .updateTable('users')
        .set({ tokens_valid_from: never })
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

  /** Users whose deletion has begun and not ended, the first begun first. */
  async unfinished(): Promise<UserRef[]> {
    return this.#db
      .selectFrom('deletions')
      .innerJoin('users', 'users.id', 'deletions.user_id')
      .select(['users.id', 'users.email'])
      .orderBy('deletions.began_at')
      .execute()
  }
}
