import type { Database } from '../db/index.ts'

const KEY = 'id'

/** Stores the random id of the cloud, which all nodes on one database have in common. */
export class CloudIdStore {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  /** Returns the id, storing `newId` if there is none. Concurrent callers get the same id. */
  async claim(newId: string): Promise<string> {
    await this.#db
      .insertInto('cloud')
      .values({ key: KEY, value: newId })
      .onConflict((conflict) => conflict.column('key').doNothing())
      .execute()
    const { value } = await this.#db
      .selectFrom('cloud')
      .select('value')
      .where('key', '=', KEY)
      .executeTakeFirstOrThrow()
    return value
  }
}
