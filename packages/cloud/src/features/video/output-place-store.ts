import { type Database, inBatches } from '../../db/index.ts'

/** Stores the places that restream outputs of apps take in the limits of the apps, on all nodes. */
export class OutputPlaceStore {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  /**
   * Reserves a place for each id, unless the app would have more than `limit` then. Reservations for one app run one after
   * another, so that parallel ones cannot exceed the limit together.
   * @param since epoch ms; places that were last renewed before do not count
   * @returns whether the places were reserved: all of them or none
   */
  reserve(
    packageName: string,
    ids: readonly string[],
    { limit, since, now }: { readonly limit: number; readonly since: number; readonly now: number },
  ): Promise<boolean> {
    return this.#db.transaction().execute(async (trx) => {
      // Locks the row until the end of the transaction.
      await trx
        .insertInto('output_apps')
        .values({ package_name: packageName, reserved_at: now })
        .onConflict((conflict) => conflict.column('package_name').doUpdateSet({ reserved_at: now }))
        .execute()
      const { used } = await trx
        .selectFrom('output_places')
        .select((e) => e.fn.countAll<number | string>().as('used'))
        .where('package_name', '=', packageName)
        .where('renewed_at', '>=', since)
        .executeTakeFirstOrThrow()
      if (Number(used) + ids.length > limit) return false
      await trx
        .insertInto('output_places')
        .values(ids.map((id) => ({ id, package_name: packageName, renewed_at: now })))
        .execute()
      return true
    })
  }

  async release(id: string): Promise<void> {
    await this.#db.deleteFrom('output_places').where('id', '=', id).execute()
  }

  /**
   * Renews places, given as id and package name. One that expired and was deleted, because the database was away for longer
   * than a lease, counts again.
   */
  async renew(places: readonly (readonly [string, string])[], now: number): Promise<void> {
    for (const batch of inBatches(places)) {
      await this.#db
        .insertInto('output_places')
        .values(batch.map(([id, packageName]) => ({ id, package_name: packageName, renewed_at: now })))
        .onConflict((conflict) => conflict.column('id').doUpdateSet({ renewed_at: now }))
        .execute()
    }
  }

  /** @param before epoch ms of the last renewal */
  async deleteExpired(before: number): Promise<void> {
    await this.#db.deleteFrom('output_places').where('renewed_at', '<', before).execute()
  }
}
