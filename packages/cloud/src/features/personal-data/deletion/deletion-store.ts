import { type Database, toJson } from '../../../db/index.ts'
import { isLastAdministrator, type NewHolder, requireOtherAdministrator } from '../../../identity/index.ts'
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
   * @throws LastAdministrator
   */
  async begin(userId: string, now: number): Promise<boolean> {
    return (await this.#begin(userId, undefined, now)) !== undefined
  }

  /**
   * Like {@link begin}, to give the address of the user to a new holder; a deletion in progress becomes such a claim.
   * @returns the address; undefined if the user does not exist, or the address is confirmed
   */
  async beginClaim(userId: string, holder: NewHolder, now: number): Promise<string | undefined> {
    return this.#begin(userId, holder, now)
  }

  async #begin(userId: string, holder: NewHolder | undefined, now: number): Promise<string | undefined> {
    return this.#db.transaction().execute(async (trx) => {
      // Who proves to own an address takes it over in any case.
      if (holder === undefined) await requireOtherAdministrator(trx, userId)
      let query = trx
        .updateTable('users')
        .set({ tokens_valid_from: NEVER_MS })
        .where('id', '=', userId)
        .returning('email')
      if (holder !== undefined) query = query.where('email_verified', '=', 0)
      const user = await query.executeTakeFirst()
      if (user === undefined) return undefined
      const claim = holder === undefined ? null : toJson(holder)
      await trx
        .insertInto('deletions')
        .values({ user_id: userId, began_at: now, claim })
        .onConflict((conflict) =>
          holder === undefined
            ? conflict.column('user_id').doNothing()
            : conflict.column('user_id').doUpdateSet({ claim }),
        )
        .execute()
      return user.email
    })
  }

  /** Returns whether a user is the only administrator, whom {@link begin} refuses. */
  async isLastAdministrator(userId: string): Promise<boolean> {
    return isLastAdministrator(this.#db, userId)
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
