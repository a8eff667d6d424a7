import { grants, type Permission, type PermissionType } from '@glasses-cloud/contract'
import type { Transaction } from 'kysely'
import { type Database, fromJson, type Page, type Schema, toJson } from '../../db/index.ts'
import type { App } from './app.ts'

/** A permission that a user accepted. */
export interface AcceptedPermission {
  readonly type: PermissionType
  /** Epoch ms. */
  readonly acceptedAt: number
  /** Whether it was accepted with the app itself; otherwise the app receives nothing from before (PRM-25). */
  readonly isInitial: boolean
}

/** The permissions of an app that a user accepted. */
export interface Acceptance {
  readonly appId: string
  readonly permissions: readonly AcceptedPermission[]
}

/** The permissions of an app for one user. */
export interface GrantedPermissions {
  /** The permissions that the app has. */
  readonly permissions: readonly Permission[]
  /** The permissions that the user is asked for; none before the first use of the app, which accepts all. */
  readonly newPermissions: readonly Permission[]
  /** From when on the app receives data, in epoch ms, for permissions that were accepted after the app itself. */
  readonly permittedSince: Readonly<Partial<Record<PermissionType, number>>>
}

/** Of an app that the user never used. */
const NOTHING_GRANTED: GrantedPermissions = { permissions: [], newPermissions: [], permittedSince: {} }

/**
 * Returns the permissions that an app has for a user who accepted some of those that it declares. An acceptance ends
 * when the app gives the permission up: one that it declares again is new (PRM-24).
 */
export function grantPermissions(
  { permissions: declared, declaredAt }: Pick<App, 'permissions' | 'declaredAt'>,
  acceptance: Acceptance | undefined,
): GrantedPermissions {
  if (acceptance === undefined) return NOTHING_GRANTED
  const types = new Set(declared.map(({ type }) => type))
  const accepted = acceptance.permissions.filter(
    (entry) => types.has(entry.type) && isCurrent(entry, { declaredAt }),
  )
  const isAccepted = ({ type }: Permission) => grants(accepted, type)
  const newPermissions = declared.filter((entry) => !isAccepted(entry))
  const permissions = declared.filter(isAccepted)
  const permittedSince: Partial<Record<PermissionType, number>> = {}
  for (const { type } of permissions) {
    const covering = accepted.filter((entry) => grants([entry], type))
    if (!covering.some(({ isInitial }) => isInitial))
      permittedSince[type] = Math.min(...covering.map(({ acceptedAt }) => acceptedAt))
  }
  return { permissions, newPermissions, permittedSince }
}

/** Whether the app has declared the permission without interruption since it was accepted. */
function isCurrent(
  { type, acceptedAt }: AcceptedPermission,
  { declaredAt }: Pick<App, 'declaredAt'>,
): boolean {
  return acceptedAt >= (declaredAt[type] ?? 0)
}

/** Returns the time of an acceptance: not before the permission was declared, by whichever clock. */
function acceptanceTime({ declaredAt }: Pick<App, 'declaredAt'>, now: number): number {
  return Math.max(now, ...Object.values(declaredAt))
}

type AcceptedApp = Pick<App, 'id' | 'declaredAt'>

/** Stores which permissions of which apps each user accepted. */
export class AcceptanceStore {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  /** Returns the acceptances of a user by app id. */
  async mapByAppId(userId: string): Promise<Map<string, Acceptance>> {
    const rows = await this.#db
      .selectFrom('permission_acceptances')
      .select(['app_id', 'permissions'])
      .where('user_id', '=', userId)
      .execute()
    return new Map(
      rows.map(({ app_id, permissions }) => [app_id, { appId: app_id, permissions: fromJson(permissions) }]),
    )
  }

  /** Lists the acceptances of a user by package name; `after` in a page is a package name. */
  async listNamed(userId: string, page: Page) {
    let query = this.#db
      .selectFrom('permission_acceptances as acceptance')
      .innerJoin('apps', 'apps.id', 'acceptance.app_id')
      .select(['apps.package_name', 'acceptance.permissions', 'acceptance.updated_at'])
      .where('acceptance.user_id', '=', userId)
      .orderBy('apps.package_name')
    if (page.after !== undefined) query = query.where('apps.package_name', '>', page.after)
    if (page.limit !== undefined) query = query.limit(page.limit)
    const rows = await query.execute()
    return rows.map((row) => ({
      packageName: row.package_name,
      permissions: fromJson<AcceptedPermission[]>(row.permissions),
      updatedAt: row.updated_at,
    }))
  }

  /**
   * Accepts permissions of an app at its first use; does nothing if the user accepted permissions of the app before.
   * @throws a foreign key violation if the user or the app does not exist
   */
  async acceptFirst(
    userId: string,
    app: AcceptedApp,
    types: readonly PermissionType[],
    now: number,
  ): Promise<void> {
    const acceptedAt = acceptanceTime(app, now)
    const permissions = types.map((type) => ({ type, acceptedAt, isInitial: true }))
    await this.#db
      .insertInto('permission_acceptances')
      .values({ user_id: userId, app_id: app.id, permissions: toJson(permissions), updated_at: now })
      .onConflict((conflict) => conflict.columns(['user_id', 'app_id']).doNothing())
      .execute()
  }

  /** Accepts all permissions of an app that is installed; see {@link acceptFirst} and {@link accept}. */
  async acceptAll(
    userId: string,
    app: AcceptedApp,
    types: readonly PermissionType[],
    now: number,
  ): Promise<void> {
    await this.acceptFirst(userId, app, types, now)
    await this.accept(userId, app, types, now)
  }

  /**
   * Accepts further permissions of an app, from now on.
   * @throws a foreign key violation if the user or the app does not exist
   */
  async accept(
    userId: string,
    app: AcceptedApp,
    types: readonly PermissionType[],
    now: number,
  ): Promise<void> {
    await this.#db.transaction().execute((trx) => acceptIn(trx, userId, app, types, acceptanceTime(app, now)))
  }

  /** Forgets what a user accepted. */
  async remove(userId: string, appId: string): Promise<void> {
    await this.#db
      .deleteFrom('permission_acceptances')
      .where('user_id', '=', userId)
      .where('app_id', '=', appId)
      .execute()
  }
}

async function acceptIn(
  trx: Transaction<Schema>,
  userId: string,
  app: AcceptedApp,
  types: readonly PermissionType[],
  acceptedAt: number,
): Promise<void> {
  // Locks the row, so that concurrent acceptances add to each other.
  const { permissions } = await trx
    .insertInto('permission_acceptances')
    .values({ user_id: userId, app_id: app.id, permissions: '[]', updated_at: acceptedAt })
    .onConflict((conflict) => conflict.columns(['user_id', 'app_id']).doUpdateSet({ updated_at: acceptedAt }))
    .returning('permissions')
    .executeTakeFirstOrThrow()
  const kept = fromJson<AcceptedPermission[]>(permissions).filter((entry) => isCurrent(entry, app))
  const added = types.filter((type) => !kept.some((entry) => entry.type === type))
  await trx
    .updateTable('permission_acceptances')
    .set({
      permissions: toJson([...kept, ...added.map((type) => ({ type, acceptedAt, isInitial: false }))]),
    })
    .where('user_id', '=', userId)
    .where('app_id', '=', app.id)
    .execute()
}
