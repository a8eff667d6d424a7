import type { Database } from '../../../db/index.ts'
import { FIRST_ADMINISTRATOR } from '../../../identity/index.ts'

/** Stores whether the first administrator of this cloud was appointed. */
export class SetUpStore {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  /** Returns whether nobody has become an administrator yet, by sign-up or by the command line. */
  async isPending(): Promise<boolean> {
    const step = this.#db.selectFrom('set_up').select('step').where('step', '=', FIRST_ADMINISTRATOR)
    if ((await step.executeTakeFirst()) !== undefined) return false
    const administrator = this.#db.selectFrom('users').select('id').where('is_administrator', '=', 1).limit(1)
    return (await administrator.executeTakeFirst()) === undefined
  }

  /** Completes the step. @returns whether it was pending; true for one of several concurrent callers */
  async complete(now: number): Promise<boolean> {
    const { numInsertedOrUpdatedRows } = await this.#db
      .insertInto('set_up')
      .values({ step: FIRST_ADMINISTRATOR, completed_at: now })
      .onConflict((conflict) => conflict.column('step').doNothing())
      .executeTakeFirstOrThrow()
    return numInsertedOrUpdatedRows === 1n
  }
}
