import { randomUUID } from 'node:crypto'
import type { Permission } from '@glasses-cloud/contract'
import type { Expression, ExpressionBuilder, SqlBool, Transaction } from 'kysely'
import type { AppPermissionRow, Database, Page, Schema } from '../../db/index.ts'
import type { App, AppRegistration } from './app.ts'
import { NEW_APP_DEFAULTS, toApp, toColumns } from './app-row.ts'

/** Ids in one query: few enough for PostgreSQL to use an index rather than to read the whole table. */
const MAX_IDS = 20

type DeclaredPermission = Pick<AppPermissionRow, 'app_id' | 'type' | 'description'>

type Apps = ExpressionBuilder<Schema, 'apps'>
type Condition = (e: Apps) => Expression<SqlBool>

/**
 * Stores the apps of the catalogue. Lists are ordered by package name; `after` in a page is a package name.
 */
export class AppStore {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  /**
   * Adds an app, or updates the one with the same package name, together with its permissions in one transaction.
   * @throws a unique violation if a permission type is declared twice
   */
  async register(app: AppRegistration, now: number): Promise<App> {
    const id = await this.#db.transaction().execute(async (trx) => {
      const given = toColumns(app)
      const { id } = await trx
        .insertInto('apps')
        .values({ ...NEW_APP_DEFAULTS, ...given, id: randomUUID(), created_at: now, updated_at: now })
        .onConflict((conflict) => conflict.column('package_name').doUpdateSet({ ...given, updated_at: now }))
        .returning('id')
        .executeTakeFirstOrThrow()
      if (app.permissions) await writePermissions(trx, id, app.permissions)
      return id
    })
    const [registered] = await this.#select({}, (e) => e('apps.id', '=', id))
    if (!registered) throw new Error('The app was deleted during its registration')
    return registered
  }

  async findByPackage(packageName: string): Promise<App | undefined> {
    const [app] = await this.findByPackages([packageName])
    return app
  }

  async findByPackages(packageNames: readonly string[]): Promise<App[]> {
    return this.#select({}, (e) => anyOf(e, 'apps.package_name', packageNames))
  }

  async findByIds(ids: readonly string[]): Promise<App[]> {
    return this.#select({}, (e) => anyOf(e, 'apps.id', ids))
  }

  /** Since when the servers of some apps are known to be down (epoch ms, null while they are not). */
  async healthOf(ids: readonly string[]): Promise<Pick<App, 'id' | 'unreachableSince'>[]> {
    const rows = await this.#db
      .selectFrom('apps')
      .select(['id', 'unreachable_since'])
      .where((e) => anyOf(e, 'apps.id', ids))
      .execute()
    return rows.map((row) => ({ id: row.id, unreachableSince: row.unreachable_since }))
  }

  /** Returns all apps, published or not. */
  async list(page: Page = {}): Promise<App[]> {
    return this.#select(page, (e) => e.lit(true))
  }

  /**
   * Returns the apps of a developer, published or not.
   * @param email lower case
   */
  async listMadeBy(email: string, page: Page = {}): Promise<App[]> {
    return this.#select(page, (e) => e('apps.developer_id', '=', email))
  }

  /**
   * Replaces the permissions of an app.
   * @returns false if the app does not exist
   * @throws a unique violation if a permission type is declared twice; nothing is changed then
   */
  async replacePermissions(appId: string, permissions: readonly Permission[], now: number): Promise<boolean> {
    return this.#db.transaction().execute(async (trx) => {
      // Locks the app's row, so that concurrent replacements do not mix.
      const { numUpdatedRows } = await trx
        .updateTable('apps')
        .set({ updated_at: now })
        .where('id', '=', appId)
        .executeTakeFirstOrThrow()
      if (numUpdatedRows === 0n) return false
      await writePermissions(trx, appId, permissions)
      return true
    })
  }

  /** Records since when an app's server is down (epoch ms), unless it is down already. */
  async markUnreachable(packageName: string, since: number): Promise<void> {
    await this.#db
      .updateTable('apps')
      .set({ unreachable_since: since })
      .where('package_name', '=', packageName)
      .where('unreachable_since', 'is', null)
      .execute()
  }

  /** Records that an app's server responds. */
  async markReachable(packageName: string): Promise<void> {
    await this.#db
      .updateTable('apps')
      .set({ unreachable_since: null })
      .where('package_name', '=', packageName)
      .where('unreachable_since', 'is not', null)
      .execute()
  }

  async #select(page: Page, condition: Condition): Promise<App[]> {
    const matching = this.#matching(page, condition)
    const rows = await matching
      .leftJoin('organizations', 'organizations.id', 'apps.organization_id')
      .selectAll('apps')
      .select([
        'organizations.slug as organization_slug',
        'organizations.name as organization_name',
        'organizations.profile as organization_profile',
      ])
      .execute()
    const declared = await this.#permissionsOf(rows.map(({ id }) => id))
    return rows.map((row) => toApp(row, declared.get(row.id) ?? []))
  }

  /** Reads the declared permissions of apps, in their order, by app id. */
  async #permissionsOf(ids: readonly string[]): Promise<Map<string, DeclaredPermission[]>> {
    const declared: DeclaredPermission[] = []
    for (let start = 0; start < ids.length; start += MAX_IDS) {
      const rows = await this.#db
        .selectFrom('app_permissions')
        .select(['app_id', 'type', 'description'])
        .where('app_id', 'in', ids.slice(start, start + MAX_IDS))
        .orderBy('position')
        .execute()
      declared.push(...rows)
    }
    return Map.groupBy(declared, ({ app_id }) => app_id)
  }

  #matching(page: Page, condition: Condition) {
    let query = this.#db.selectFrom('apps').where(condition).orderBy('apps.package_name')
    if (page.after !== undefined) query = query.where('apps.package_name', '>', page.after)
    if (page.limit !== undefined) query = query.limit(page.limit)
    return query
  }
}

/** PostgreSQL rejects a parameter with U+0000, which no stored text contains. */
function anyOf(e: Apps, column: 'apps.id' | 'apps.package_name', values: readonly string[]) {
  const storable = values.filter((value) => !value.includes('\0'))
  return storable.length === 0 ? e.lit(false) : e(column, 'in', storable)
}

async function writePermissions(
  trx: Transaction<Schema>,
  appId: string,
  permissions: readonly Permission[],
): Promise<void> {
  await trx.deleteFrom('app_permissions').where('app_id', '=', appId).execute()
  if (permissions.length === 0) return
  await trx
    .insertInto('app_permissions')
    .values(
      permissions.map(({ type, description = null }, position) => ({
        app_id: appId,
        position,
        type,
        description,
      })),
    )
    .execute()
}
