import type { Database } from '../db/index.ts'

/** A user session as it is stored. */
export interface StoredSession {
  readonly id: string
  /** Epoch ms. */
  readonly createdAt: number
}

/** Stores the user session id of each user, so that apps can reconnect to it after a restart of the cloud. */
export class UserSessionStore {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  /**
   * Returns the stored session id of a user, storing `newId` if there is none. Concurrent callers get the same id.
   * @param newId random, letters and digits only (decision I8)
   * @throws a foreign key violation when the user does not exist
   */
  async claim(userId: string, newId: string, now: number): Promise<string> {
    const { id } = await this.#db
      .insertInto('user_sessions')
      .values({ id: newId, user_id: userId, created_at: now })
      // The no-op update returns the existing row in the same statement.
      .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ user_id: userId }))
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  }

  /** Returns the id of the session's user. */
  async findById(id: string): Promise<string | undefined> {
    const row = await this.#db
      .selectFrom('user_sessions')
      .select('user_id')
      .where('id', '=', id)
      .executeTakeFirst()
    return row?.user_id
  }

  /** Returns a user's live session. */
  async findByUser(userId: string): Promise<StoredSession | undefined> {
    const row = await this.#db
      .selectFrom('user_sessions')
      .select(['id', 'created_at'])
      .where('user_id', '=', userId)
      .executeTakeFirst()
    return row && { id: row.id, createdAt: row.created_at }
  }

  /** @returns whether the session was stored */
  async end(id: string): Promise<boolean> {
    const { numDeletedRows } = await this.#db
      .deleteFrom('user_sessions')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    return numDeletedRows > 0n
  }
}
