import { sql } from 'kysely'
import type { Database } from '../db/index.ts'

/** Counts attempts to guess secrets, for all nodes. */
export class GuessStore {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  /**
   * Counts an attempt. The count starts again when its window has passed.
   * @returns the attempts in the window, this one included, and its end (epoch ms)
   */
  async count(key: string, windowMs: number, now: number): Promise<{ attempts: number; resetsAt: number }> {
    const row = await this.#db
      .insertInto('guesses')
      .values({ key, attempts: 1, resets_at: now + windowMs })
      .onConflict((conflict) =>
        conflict.column('key').doUpdateSet({
          attempts: sql`case when guesses.resets_at <= ${now} then 1 else guesses.attempts + 1 end`,
          resets_at: sql`case when guesses.resets_at <= ${now} then ${now + windowMs} else guesses.resets_at end`,
        }),
      )
      .returning(['attempts', 'resets_at'])
      .executeTakeFirstOrThrow()
    return { attempts: row.attempts, resetsAt: row.resets_at }
  }

  /** Returns the attempts in the window of a key, and its end (epoch ms). */
  async find(key: string, now: number): Promise<{ attempts: number; resetsAt: number } | undefined> {
    const row = await this.#db
      .selectFrom('guesses')
      .select(['attempts', 'resets_at'])
      .where('key', '=', key)
      .where('resets_at', '>', now)
      .executeTakeFirst()
    return row && { attempts: row.attempts, resetsAt: row.resets_at }
  }

  /** Takes back one attempt. */
  async uncount(key: string): Promise<void> {
    await this.#db
      .updateTable('guesses')
      .set((e) => ({ attempts: e('attempts', '-', 1) }))
      .where('key', '=', key)
      .where('attempts', '>', 0)
      .execute()
  }

  /** Forgets the attempts of a key. */
  async clear(key: string): Promise<void> {
    await this.#db.deleteFrom('guesses').where('key', '=', key).execute()
  }

  /** Removes counts whose window has passed, at most `limit`. @returns the number removed */
  async removeExpired(now: number, limit: number): Promise<number> {
    const expired = this.#db.selectFrom('guesses').select('key').where('resets_at', '<=', now).limit(limit)
    const { numDeletedRows } = await this.#db
      .deleteFrom('guesses')
      .where('key', 'in', expired)
      .executeTakeFirstOrThrow()
    return Number(numDeletedRows)
  }
}
