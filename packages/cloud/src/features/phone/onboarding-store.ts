import type { Database } from '../../db/index.ts'

/** A completed onboarding. */
export interface Onboarding {
  readonly packageName: string
  /** Epoch ms. */
  readonly completedAt: number
}

/** Stores which users completed the onboarding of which apps. */
export class OnboardingStore {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  /** Records that a user completed the onboarding of an app; the first time is kept. */
  async complete(userId: string, appId: string, now: number): Promise<void> {
    await this.#db
      .insertInto('onboardings')
      .values({ user_id: userId, app_id: appId, completed_at: now })
      .onConflict((conflict) => conflict.columns(['user_id', 'app_id']).doNothing())
      .execute()
  }

  async isComplete(userId: string, appId: string): Promise<boolean> {
    const row = await this.#db
      .selectFrom('onboardings')
      .select('completed_at')
      .where('user_id', '=', userId)
      .where('app_id', '=', appId)
      .executeTakeFirst()
    return row !== undefined
  }

  async listByUser(userId: string): Promise<Onboarding[]> {
    const rows = await this.#db
      .selectFrom('onboardings')
      .innerJoin('apps', 'apps.id', 'onboardings.app_id')
      .select(['apps.package_name', 'onboardings.completed_at'])
      .where('onboardings.user_id', '=', userId)
      .orderBy('apps.package_name')
      .execute()
    return rows.map((row) => ({ packageName: row.package_name, completedAt: row.completed_at }))
  }
}
