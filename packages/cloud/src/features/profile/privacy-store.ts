import { PRIVACY_DEFAULTS, type PrivacySettings } from '@glasses-cloud/contract'
import type { Database } from '../../db/index.ts'

/** Privacy settings with the time of their last change. */
export interface StoredPrivacy {
  readonly settings: PrivacySettings
  /** Epoch ms; null if the user has not changed any setting. */
  readonly updatedAt: number | null
}

const COLUMNS = {
  shareUsageData: 'share_usage_data',
  receiveNotifications: 'receive_notifications',
  allowDataCollection: 'allow_data_collection',
} as const

type Column = (typeof COLUMNS)[keyof typeof COLUMNS]

/** Stores the privacy settings of users. */
export class PrivacyStore {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  /** Returns the settings of a user, or the defaults (decision A1). */
  async find(userId: string): Promise<StoredPrivacy> {
    const row = await this.#db
      .selectFrom('privacy_settings')
      .selectAll()
      .where('user_id', '=', userId)
      .executeTakeFirst()
    return row === undefined
      ? { settings: PRIVACY_DEFAULTS, updatedAt: null }
      : { settings: toSettings(row), updatedAt: row.updated_at }
  }

  /**
   * Changes the given settings only, also under concurrent changes.
   * @throws a foreign key violation if the user does not exist
   */
  async merge(userId: string, changes: Partial<PrivacySettings>, now: number): Promise<PrivacySettings> {
    const row = await this.#db
      .insertInto('privacy_settings')
      .values({ user_id: userId, ...toColumns({ ...PRIVACY_DEFAULTS, ...changes }), updated_at: now })
      .onConflict((conflict) =>
        conflict.column('user_id').doUpdateSet({ ...toColumns(changes), updated_at: now }),
      )
      .returningAll()
      .executeTakeFirstOrThrow()
    return toSettings(row)
  }
}

function toSettings(row: Readonly<Record<Column, number>>): PrivacySettings {
  return {
    shareUsageData: row.share_usage_data === 1,
    receiveNotifications: row.receive_notifications === 1,
    allowDataCollection: row.allow_data_collection === 1,
  }
}

function toColumns<Changes extends Partial<PrivacySettings>>(settings: Changes) {
  const entries = Object.entries(settings).map(([setting, value]) => [
    COLUMNS[setting as keyof PrivacySettings],
    value ? 1 : 0,
  ])
  return Object.fromEntries(entries) as {
    [Setting in keyof Changes & keyof typeof COLUMNS as (typeof COLUMNS)[Setting]]: number
  }
}
