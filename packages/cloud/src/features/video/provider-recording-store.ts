import type { Database } from '../../db/index.ts'

/** A recording that remains at a streaming provider. */
export interface ProviderRecording {
  /** Name of the provider. */
  readonly provider: string
  /** Id at the provider. */
  readonly id: string
  /** Where it can be watched; null if the provider does not say. */
  readonly url: string | null
  /** Epoch ms. */
  readonly recordedAt: number
}

/** Stores which recordings of users remain at streaming providers, for exports and deletions. */
export class ProviderRecordingStore {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  /** Stores a recording. Repeatable. @returns false if the user does not exist or is being deleted */
  add(userId: string, { provider, id, url, recordedAt }: ProviderRecording): Promise<boolean> {
    return this.#db.transaction().execute(async (trx) => {
      const user = await trx
        .selectFrom('users')
        .leftJoin('deletions', 'deletions.user_id', 'users.id')
        .select('deletions.began_at')
        .where('users.id', '=', userId)
        .executeTakeFirst()
      if (user === undefined || user.began_at !== null) return false
      await trx
        .insertInto('provider_recordings')
        .values({ provider, recording_id: id, user_id: userId, url, recorded_at: recordedAt })
        .onConflict((conflict) => conflict.columns(['provider', 'recording_id']).doNothing())
        .execute()
      return true
    })
  }

  async remove(provider: string, id: string): Promise<void> {
    await this.#db
      .deleteFrom('provider_recordings')
      .where('provider', '=', provider)
      .where('recording_id', '=', id)
      .execute()
  }

  /** Removes the recordings of a user. @returns their ids at their providers */
  async removeByUser(userId: string): Promise<string[]> {
    const removed = await this.#db
      .deleteFrom('provider_recordings')
      .where('user_id', '=', userId)
      .returning('recording_id')
      .execute()
    return removed.map(({ recording_id }) => recording_id)
  }

  /** Returns a user's recordings, oldest first. */
  async listByUser(userId: string): Promise<ProviderRecording[]> {
    const rows = await this.#db
      .selectFrom('provider_recordings')
      .selectAll()
      .where('user_id', '=', userId)
      .orderBy('recorded_at')
      .orderBy('recording_id')
      .execute()
    return rows.map(({ provider, recording_id, url, recorded_at }) => ({
      provider,
      id: recording_id,
      url,
      recordedAt: recorded_at,
    }))
  }
}
