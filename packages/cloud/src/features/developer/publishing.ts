import type { Database } from '../../db/index.ts'
import { writeAs } from '../../identity/index.ts'
import { type App, type AppStore, isApproved } from '../catalogue/index.ts'
import type { ReviewStore } from './review-store.ts'

export interface PublishingDeps {
  readonly db: Database
  readonly apps: AppStore
  readonly reviews: ReviewStore
  /** Whether an administrator approves apps first (`APP_REVIEW`). */
  readonly isReviewed: boolean
  /** Epoch ms. */
  readonly now: () => number
}

/** Publishes apps, directly or after a review. */
export class Publishing {
  readonly #deps: PublishingDeps

  constructor(deps: PublishingDeps) {
    this.#deps = deps
  }

  /**
   * Publishes an app for a user, or submits it for review. Does nothing if it is published or in review.
   * @throws AccountEnded
   */
  async publish({ id }: Pick<App, 'id'>, userId: string): Promise<void> {
    const { db, apps, reviews, isReviewed, now } = this.#deps
    await writeAs(db, userId, async (trx) => {
      if (isReviewed) await reviews.within(trx).submit(id, ['DEVELOPMENT', 'REJECTED'], now())
      else
        await apps.within(trx).changeStatus(id, ['DEVELOPMENT', 'SUBMITTED', 'REJECTED'], 'PUBLISHED', now())
    })
  }

  /** Takes an app out of the store and out of review; users who installed it keep it. */
  async unpublish({ id }: Pick<App, 'id'>): Promise<void> {
    const { apps, now } = this.#deps
    await apps.changeStatus(id, ['PUBLISHED', 'SUBMITTED', 'REJECTED'], 'DEVELOPMENT', now())
  }

  /** Submits a published app for review again if it declares what has not been approved. */
  async edited(app: App): Promise<void> {
    const { reviews, isReviewed, now } = this.#deps
    if (isReviewed && app.appStoreStatus === 'PUBLISHED' && !isApproved(app))
      await reviews.submit(app.id, ['PUBLISHED'], now())
  }
}
