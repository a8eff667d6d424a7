import { sql } from 'kysely'
import type { Database } from '../../db/index.ts'

/** What is charged, and how much of it a day allows. */
interface Charged {
  /** Hash of an address; empty for all together. */
  readonly caller: string
  readonly limit: number
}

/** Thrown to roll a charge back. */
class Exceeded extends Error {
  readonly caller: string

  constructor(caller: string) {
    super()
    this.caller = caller
  }
}

/** Stores how many characters were spoken on a day, in all and for each address. */
export class SpeechBudgetStore {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  /**
   * Charges characters to all of these or, if one would exceed its limit, to none.
   * @param day days since 1970-01-01
   * @returns the one that would exceed its limit; undefined if they were charged
   */
  async charge(day: number, characters: number, all: readonly Charged[]): Promise<string | undefined> {
    try {
      await this.#db.transaction().execute(async (trx) => {
        for (const { caller, limit } of all) {
          if (characters > limit) throw new Exceeded(caller)
          const row = await trx
            .insertInto('speech_usage')
            .values({ day, caller, characters })
            .onConflict((conflict) =>
              conflict
                .columns(['day', 'caller'])
                .doUpdateSet({ characters: sql`speech_usage.characters + excluded.characters` })
                .where(sql<boolean>`speech_usage.characters + excluded.characters <= ${limit}`),
            )
            .returning('characters')
            .executeTakeFirst()
          if (row === undefined) throw new Exceeded(caller)
          // The first one of a day.
          if (caller === '' && row.characters === characters)
            await trx.deleteFrom('speech_usage').where('day', '<', day).execute()
        }
      })
    } catch (error) {
      if (error instanceof Exceeded) return error.caller
      throw error
    }
    return undefined
  }

  /** @param callers in the order in which they were charged, so that charges and refunds do not block each other */
  async refund(day: number, characters: number, callers: readonly string[]): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      for (const caller of callers)
        await trx
          .updateTable('speech_usage')
          .set({ characters: sql`characters - ${characters}` })
          .where('day', '=', day)
          .where('caller', '=', caller)
          .execute()
    })
  }
}
