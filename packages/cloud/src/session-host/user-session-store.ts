import type { Database } from '../db/index.ts'

/** The id of each user's live session, kept so that apps find it again after a restart of the cloud. */
export class UserSessionStore {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  /**
   * The id of a user's session: the one that lives, or `newId` from now on. Callers at the same time get one id.
   * @param newId random, letters and digits only (decision I8)
   * @throws a foreign key violation when there is no such user
   */
  async claim(userId: string, newId: string, now: number): Promise<string> {
    const { id } = await this.#db
      .insertInto('user_sessions')
      .values({ id: newId, user_id: userId, created_at: now })
      // Writing nothing new makes the row that is there come back, in one step.
      .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ user_id: userId }))
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  }

  /** The id of the user whose session this is. */
  async findById(id: string): Promise<string | undefined> {
    const row = await this.#db
      .selectFrom('user_sessions')
      .select('user_id')
      .where('id', '=', id)
      .executeTakeFirst()
    return row?.user_id
  }

  /** @returns whether the session lived until now */
  async end(id: string): Promise<boolean> {
    const { numDeletedRows } = await this.#db
      .deleteFrom('user_sessions')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    return numDeletedRows > 0n
  }
}
