import type { Database } from '../../db/index.ts'

/** Known browsers per user; those that signed in longest ago are forgotten. */
const MAX_BROWSERS = 20

/** Stores in which browsers users signed in before. A browser is the hash of its cookie. */
export class KnownBrowserStore {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  /** Returns whether a user signed in with a browser. @param user id or normalized e-mail address */
  async isKnown(browserHash: string, user: string, now: number): Promise<boolean> {
    const row = await this.#db
      .selectFrom('known_browsers')
      .innerJoin('users', 'users.id', 'known_browsers.user_id')
      .select('users.id')
      .where('known_browsers.browser_hash', '=', browserHash)
      .where('known_browsers.expires_at', '>', now)
      .where((e) => e.or([e('users.id', '=', user), e('users.email', '=', user)]))
      .executeTakeFirst()
    return row !== undefined
  }

  /**
   * Adds a browser to those of a user, for all who use it with a new cookie.
   * @param earlierHash the hash of the cookie that it had
   */
  async add(
    userId: string,
    { hash, earlierHash }: { readonly hash: string; readonly earlierHash: string | undefined },
    expiresAt: number,
  ): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      if (earlierHash !== undefined)
        await trx
          .updateTable('known_browsers')
          .set({ browser_hash: hash })
          .where('browser_hash', '=', earlierHash)
          .execute()
      await trx
        .insertInto('known_browsers')
        .values({ browser_hash: hash, user_id: userId, expires_at: expiresAt })
        .onConflict((conflict) =>
          conflict.columns(['browser_hash', 'user_id']).doUpdateSet({ expires_at: expiresAt }),
        )
        .execute()
      const excess = trx
        .selectFrom('known_browsers')
        .select('browser_hash')
        .where('user_id', '=', userId)
        .orderBy('expires_at', 'desc')
        .orderBy('browser_hash')
        .offset(MAX_BROWSERS)
        .limit(MAX_BROWSERS)
      await trx
        .deleteFrom('known_browsers')
        .where('user_id', '=', userId)
        .where('browser_hash', 'in', excess)
        .execute()
    })
  }

  /** Lists until when the browsers of a user are known (epoch ms), the latest first. */
  async list(userId: string): Promise<number[]> {
    const rows = await this.#db
      .selectFrom('known_browsers')
      .select('expires_at')
      .where('user_id', '=', userId)
      .orderBy('expires_at', 'desc')
      .execute()
    return rows.map((row) => row.expires_at)
  }

  /** Forgets the browsers of a user. */
  async removeFor(userId: string): Promise<void> {
    await this.#db.deleteFrom('known_browsers').where('user_id', '=', userId).execute()
  }

  async removeExpired(now: number): Promise<void> {
    await this.#db.deleteFrom('known_browsers').where('expires_at', '<=', now).execute()
  }
}
