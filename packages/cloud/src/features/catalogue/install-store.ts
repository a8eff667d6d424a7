import type { AppStoreStatus } from '@glasses-cloud/contract'
import type { Selectable, Transaction } from 'kysely'
import {
  type AppRow,
  type Database,
  fromJson,
  type InstallRow,
  type Page,
  type Schema,
} from '../../db/index.ts'
import type { Approved, ReviewedManifest } from './app.ts'
import { toApproved, toPermission } from './reviewed-manifest.ts'

/** An installation. */
export interface Install {
  readonly appId: string
  /** Epoch ms. */
  readonly installedAt: number
}

/** An installation with the names of its app. */
export interface NamedInstall extends Install {
  readonly packageName: string
  readonly name: string
}

/** Stores which user installed which apps. */
export class InstallStore {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  /**
   * @returns false if the app was already installed
   * @throws a foreign key violation if the user or the app does not exist
   */
  async install(userId: string, appId: string, now: number): Promise<boolean> {
    const { numInsertedOrUpdatedRows } = await this.#db
      .insertInto('installs')
      .values({ user_id: userId, app_id: appId, installed_at: now })
      .onConflict((conflict) => conflict.columns(['user_id', 'app_id']).doNothing())
      .executeTakeFirstOrThrow()
    return numInsertedOrUpdatedRows === 1n
  }

  /** @returns false if the app was not installed */
  async uninstall(userId: string, appId: string): Promise<boolean> {
    const { numDeletedRows } = await this.#db
      .deleteFrom('installs')
      .where('user_id', '=', userId)
      .where('app_id', '=', appId)
      .executeTakeFirstOrThrow()
    return numDeletedRows > 0n
  }

  /** Returns the number of users who have an app installed. */
  async count(appId: string): Promise<number> {
    const { count } = await this.#db
      .selectFrom('installs')
      .select((e) => e.fn.countAll<number | string>().as('count'))
      .where('app_id', '=', appId)
      .executeTakeFirstOrThrow()
    return Number(count)
  }

  async find(userId: string, appId: string): Promise<Install | undefined> {
    const row = await this.#db
      .selectFrom('installs')
      .selectAll()
      .where('user_id', '=', userId)
      .where('app_id', '=', appId)
      .executeTakeFirst()
    return row && toInstall(row)
  }

  /** Returns the installations of a user by app id. */
  async mapByAppId(userId: string): Promise<Map<string, Install>> {
    const rows = await this.#db.selectFrom('installs').selectAll().where('user_id', '=', userId).execute()
    return new Map(rows.map((row) => [row.app_id, toInstall(row)]))
  }

  /** Returns the installations of a user, ordered by package name; `after` in a page is a package name. */
  async listNamed(userId: string, page: Page): Promise<NamedInstall[]> {
    let query = this.#db
      .selectFrom('installs')
      .innerJoin('apps', 'apps.id', 'installs.app_id')
      .selectAll('installs')
      .select(['apps.package_name', 'apps.name'])
      .where('installs.user_id', '=', userId)
      .orderBy('apps.package_name')
    if (page.after !== undefined) query = query.where('apps.package_name', '>', page.after)
    if (page.limit !== undefined) query = query.limit(page.limit)
    const rows = await query.execute()
    return rows.map((row) => ({ ...toInstall(row), packageName: row.package_name, name: row.name }))
  }
}

function toInstall(row: Selectable<InstallRow>): Install {
  return { appId: row.app_id, installedAt: row.installed_at }
}

/** What the database knows about the review of an app. */
export interface ReviewState {
  readonly status: AppStoreStatus
  readonly approved: Approved
  readonly manifest: ReviewedManifest
}

/** Reads the review state of an app whose row the transaction has locked. */
export async function readReviewState(trx: Transaction<Schema>, row: AppRow): Promise<ReviewState> {
  const permissions = await trx
    .selectFrom('app_permissions')
    .select(['type', 'description'])
    .where('app_id', '=', row.id)
    .orderBy('position')
    .execute()
  return {
    status: row.app_store_status,
    approved: toApproved(row.approved),
    manifest: {
      permissions: permissions.map(toPermission),
      publicUrl: row.public_url,
      webviewUrl: row.webview_url,
      tools: fromJson(row.tools),
    },
  }
}
