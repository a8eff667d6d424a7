import { randomUUID } from 'node:crypto'
import type { AppStoreStatus, Permission } from '@glasses-cloud/contract'
import type { Expression, ExpressionBuilder, Selectable, SqlBool, Transaction } from 'kysely'
import {
  type AppPermissionRow,
  type Database,
  fromJson,
  inTransaction,
  type Page,
  type Schema,
  toJson,
} from '../../db/index.ts'
import { lockOrganization, type User } from '../../identity/index.ts'
import type { App, AppChanges, AppRegistration } from './app.ts'
import { NEW_APP_DEFAULTS, toApp, toColumns, toNewColumns } from './app-row.ts'
import { readReviewState } from './install-store.ts'
import { isDeveloper } from './ownership-store.ts'
import { revisionOf } from './reviewed-manifest.ts'

/** Ids in one query: few enough for PostgreSQL to use an index rather than to read the whole table. */
const MAX_IDS = 20

type DeclaredPermission = Pick<
  Selectable<AppPermissionRow>,
  'app_id' | 'type' | 'description' | 'declared_at'
>

/** The images of an app as stored: paths below the address of the cloud; the logo may also be a URL or empty. */
export interface AppImages {
  readonly logo: string
  readonly screenshots: readonly string[]
}

export interface AppStoreOptions {
  /** Address of the cloud without a trailing slash, for uploaded images. */
  readonly baseUrl?: () => string
  /** Whether an administrator approves apps (`APP_REVIEW`). */
  readonly isReviewed?: boolean
}

/** The change concerns permissions, addresses or tools of an app that is in review. */
export class AppInReviewError extends Error {
  constructor() {
    super('Permissions, addresses and tools of an app in review cannot be changed')
  }
}
/** The owner of an app: an organization, or a developer by e-mail address. */
type AppOwner = Pick<AppChanges, 'organizationId' | 'developerId' | 'developerUserId'>

type Apps = ExpressionBuilder<Schema, 'apps'>
type Condition = (e: Apps) => Expression<SqlBool>

/**
 * Stores the apps of the catalogue. Lists are ordered by package name; `after` in a page is a package name.
 */
export class AppStore {
  readonly #db: Database
  readonly #baseUrl: () => string
  readonly #isReviewed: boolean

  constructor(db: Database, { baseUrl = () => '', isReviewed = false }: AppStoreOptions = {}) {
    this.#db = db
    this.#baseUrl = baseUrl
    this.#isReviewed = isReviewed
  }

  /** Returns the store whose queries run in a transaction. */
  within(trx: Database): AppStore {
    return new AppStore(trx, { baseUrl: this.#baseUrl, isReviewed: this.#isReviewed })
  }

  /**
   * Adds an app, or updates the one with the same package name, together with its permissions in one transaction. The
   * operator registers apps, so everything that the app declares counts as approved.
   * @throws a unique violation if a permission type is declared twice; Error if the organization does not exist
   */
  async register(app: AppRegistration, now: number): Promise<App> {
    const id = await this.#db.transaction().execute(async (trx) => {
      const given = toNewColumns(app)
      await lockOwner(trx, app)
      const { id } = await trx
        .insertInto('apps')
        .values({ ...NEW_APP_DEFAULTS, ...given, id: randomUUID(), created_at: now, updated_at: now })
        .onConflict((conflict) =>
          conflict.column('package_name').doUpdateSet({ ...given, approved: null, updated_at: now }),
        )
        .returning('id')
        .executeTakeFirstOrThrow()
      if (app.permissions) await writePermissions(trx, id, app.permissions, now)
      return id
    })
    const registered = await this.#findById(id)
    if (!registered) throw new Error('The app was deleted during its registration')
    return registered
  }

  /**
   * Adds an app.
   * @param maxOwned apps that its owner may have
   * @returns `taken` if the package name is, in any case
   * @throws Error if the organization does not exist
   */
  async create(
    app: AppRegistration,
    maxOwned: number,
    now: number,
  ): Promise<App | 'taken' | 'too_many' | undefined> {
    const outcome = await inTransaction(this.#db, async (trx) => {
      await lockOwner(trx, app)
      if ((await countOwned(trx, app)) >= maxOwned) return 'too_many'
      const similar = await trx
        .selectFrom('apps')
        .select('id')
        .where((e) => e(e.fn<string>('lower', ['package_name']), '=', app.packageName.toLowerCase()))
        .executeTakeFirst()
      if (similar !== undefined) return 'taken'
      const row = await trx
        .insertInto('apps')
        .values({
          ...NEW_APP_DEFAULTS,
          ...toNewColumns(app),
          approved: this.#isReviewed ? '' : null,
          id: randomUUID(),
          created_at: now,
          updated_at: now,
        })
        .onConflict((conflict) => conflict.column('package_name').doNothing())
        .returning('id')
        .executeTakeFirst()
      if (row === undefined) return 'taken'
      if (app.permissions) await writePermissions(trx, row.id, app.permissions, now)
      return row
    })
    return typeof outcome === 'string' ? outcome : this.#findById(outcome.id)
  }

  /**
   * Gives an app to an owner.
   * @param maxOwned apps that the owner may have
   * @returns undefined if the app does not exist
   * @throws Error if the organization does not exist
   */
  async move(
    id: string,
    owner: AppOwner,
    maxOwned: number,
    now: number,
  ): Promise<App | 'too_many' | undefined> {
    const hasRoom = await inTransaction(this.#db, async (trx) => {
      await lockOwner(trx, owner)
      if ((await countOwned(trx, owner, id)) >= maxOwned) return false
      const columns = { ...toColumns(owner), updated_at: now }
      await trx.updateTable('apps').set(columns).where('id', '=', id).execute()
      return true
    })
    return hasRoom ? this.#findById(id) : 'too_many'
  }

  /**
   * Changes the given fields of an app, together with its permissions in one transaction.
   * @returns undefined if the app does not exist
   * @throws AppInReviewError if the change concerns what is being reviewed; nothing is changed then
   * @throws Error if the organization does not exist
   */
  async update(id: string, changes: AppChanges, now: number): Promise<App | undefined> {
    await inTransaction(this.#db, async (trx) => {
      await lockOwner(trx, changes)
      await this.#edit(trx, id, now, async () => {
        await trx
          .updateTable('apps')
          .set({ ...toColumns(changes), updated_at: now })
          .where('id', '=', id)
          .execute()
        if (changes.permissions) await writePermissions(trx, id, changes.permissions, now)
      })
    })
    return this.#findById(id)
  }

  /** Deletes an app with its keys, installs and settings. @returns whether it existed */
  async remove(id: string): Promise<boolean> {
    const { numDeletedRows } = await this.#db
      .deleteFrom('apps')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    return numDeletedRows > 0n
  }

  /** Changes the status of an app that has one of the given statuses. @returns whether it had */
  async changeStatus(
    id: string,
    from: readonly AppStoreStatus[],
    to: AppStoreStatus,
    now: number,
  ): Promise<boolean> {
    const { numUpdatedRows } = await this.#db
      .updateTable('apps')
      .set({ app_store_status: to, updated_at: now })
      .where('id', '=', id)
      .where('app_store_status', 'in', [...from])
      .executeTakeFirstOrThrow()
    return numUpdatedRows === 1n
  }

  /** Publishes an app that is not published without a review, so that everything that it declares counts as approved. */
  async publishUnreviewed(id: string, now: number): Promise<void> {
    await this.#db
      .updateTable('apps')
      .set({ app_store_status: 'PUBLISHED', approved: null, updated_at: now })
      .where('id', '=', id)
      .where('app_store_status', '!=', 'PUBLISHED')
      .execute()
  }

  /**
   * Changes the images of an app: the path of its logo, and those of its screenshots.
   * @param change returns the new images, or undefined to change nothing
   * @returns what `change` returned; undefined if the app does not exist
   */
  async changeImages(
    id: string,
    change: (images: AppImages) => AppImages | undefined,
    now: number,
  ): Promise<AppImages | undefined> {
    return this.#db.transaction().execute(async (trx) => {
      // Locks the row, so that concurrent uploads do not overwrite each other.
      const row = await trx
        .updateTable('apps')
        .set({ updated_at: now })
        .where('id', '=', id)
        .returning(['logo_url', 'screenshots'])
        .executeTakeFirst()
      const images = row && change({ logo: row.logo_url, screenshots: fromJson(row.screenshots) })
      if (images === undefined) return undefined
      await trx
        .updateTable('apps')
        .set({ logo_url: images.logo, screenshots: toJson(images.screenshots) })
        .where('id', '=', id)
        .execute()
      return images
    })
  }

  /** Returns the logos and screenshots of all apps whose path starts with the prefix. */
  async imagesBelow(prefix: string): Promise<Set<string>> {
    const rows = await this.#db
      .selectFrom('apps')
      .select(['logo_url', 'screenshots'])
      .where((e) => e.or([e('logo_url', 'like', `${prefix}%`), e('screenshots', '!=', '[]')]))
      .execute()
    const paths = rows.flatMap((row) => [row.logo_url, ...fromJson<string[]>(row.screenshots)])
    return new Set(paths.filter((path) => path.startsWith(prefix)))
  }

  /** Returns the apps of a developer and of organizations. */
  async listOwnedBy(
    {
      developer,
      organizationIds = [],
    }: {
      readonly developer?: Pick<User, 'id' | 'email'>
      readonly organizationIds?: readonly string[]
    },
    page: Page = {},
  ): Promise<App[]> {
    return this.#select(page, (e) =>
      e.or([
        ...(developer === undefined ? [] : [isDeveloper(e, developer)]),
        ...(organizationIds.length > 0 ? [e('apps.organization_id', 'in', organizationIds)] : []),
      ]),
    )
  }

  /** Returns the apps with a status. */
  async listByStatus(status: AppStoreStatus, page: Page = {}): Promise<App[]> {
    return this.#select(page, (e) => e('apps.app_store_status', '=', status))
  }

  /** Returns the ids of the users for whom an app runs. */
  async usersRunning(id: string): Promise<string[]> {
    const rows = await this.#db
      .selectFrom('running_apps')
      .select('user_id')
      .where('app_id', '=', id)
      .execute()
    return rows.map((row) => row.user_id)
  }

  async #findById(id: string): Promise<App | undefined> {
    return (await this.#select({}, (e) => e('apps.id', '=', id)))[0]
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

  /** Returns the number of apps, published or not. */
  async count(): Promise<number> {
    const { count } = await this.#db
      .selectFrom('apps')
      .select((e) => e.fn.countAll<number | string>().as('count'))
      .executeTakeFirstOrThrow()
    return Number(count)
  }

  /** Returns all apps, published or not. */
  async list(page: Page = {}): Promise<App[]> {
    return this.#select(page, (e) => e.lit(true))
  }

  /** Returns the apps of a developer, published or not. */
  async listMadeBy(developer: Pick<User, 'id' | 'email'>, page: Page = {}): Promise<App[]> {
    return this.#select(page, (e) => isDeveloper(e, developer))
  }

  /** Returns the ids of the apps that some users developed. */
  async idsDevelopedBy(userIds: readonly string[]): Promise<string[]> {
    const ids: string[] = []
    for (let start = 0; start < userIds.length; start += MAX_IDS) {
      const users = await this.#db
        .selectFrom('users')
        .select('email')
        .where('id', 'in', userIds.slice(start, start + MAX_IDS))
        .execute()
      if (users.length === 0) continue
      const emails = users.map(({ email }) => email)
      const rows = await this.#db
        .selectFrom('apps')
        .select('id')
        .where('developer_id', 'in', emails)
        .execute()
      ids.push(...rows.map(({ id }) => id))
    }
    return ids
  }

  /**
   * Replaces the permissions of an app.
   * @returns false if the app does not exist
   * @throws AppInReviewError if the app is in review; nothing is changed then
   * @throws a unique violation if a permission type is declared twice; nothing is changed then
   */
  async replacePermissions(appId: string, permissions: readonly Permission[], now: number): Promise<boolean> {
    return this.#db
      .transaction()
      .execute((trx) => this.#edit(trx, appId, now, () => writePermissions(trx, appId, permissions, now)))
  }

  /**
   * Edits an app, whose row it locks, so that concurrent edits do not mix. With reviews, what has been approved stays as
   * it was, and what is being reviewed cannot be changed; without, everything that the app declares counts as approved.
   * @returns false if the app does not exist
   */
  async #edit(
    trx: Transaction<Schema>,
    id: string,
    now: number,
    write: () => Promise<void>,
  ): Promise<boolean> {
    const lock = () =>
      trx.updateTable('apps').set({ updated_at: now }).where('id', '=', id).returningAll().executeTakeFirst()
    const row = await lock()
    if (row === undefined) return false
    const before = await readReviewState(trx, row)
    await write()
    const written = await lock()
    if (written === undefined) return false
    const { manifest } = await readReviewState(trx, written)
    const isChanged = revisionOf(manifest) !== revisionOf(before.manifest)
    if (this.#isReviewed && isChanged && before.status === 'SUBMITTED') throw new AppInReviewError()
    let approved = row.approved
    if (!this.#isReviewed) approved = null
    else if (approved === null && isChanged)
      approved = before.status === 'PUBLISHED' ? toJson(before.manifest) : ''
    if (approved !== row.approved)
      await trx.updateTable('apps').set({ approved }).where('id', '=', id).execute()
    return true
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
      .leftJoin('users as developers', (join) =>
        join
          .onRef('developers.email', '=', 'apps.developer_id')
          .on((e) =>
            e.or([
              e('developers.email_verified', '=', 1),
              e('developers.id', '=', e.ref('apps.developer_user_id')),
            ]),
          ),
      )
      .selectAll('apps')
      .select([
        'organizations.slug as organization_slug',
        'organizations.name as organization_name',
        'organizations.profile as organization_profile',
        'developers.name as developer_name',
        'developers.profile as developer_profile',
      ])
      .execute()
    const declared = await this.#permissionsOf(rows.map(({ id }) => id))
    return rows.map((row) => toApp(row, declared.get(row.id) ?? [], this.#baseUrl()))
  }

  /** Reads the declared permissions of apps, in their order, by app id. */
  async #permissionsOf(ids: readonly string[]): Promise<Map<string, DeclaredPermission[]>> {
    const declared: DeclaredPermission[] = []
    for (let start = 0; start < ids.length; start += MAX_IDS) {
      const rows = await this.#db
        .selectFrom('app_permissions')
        .select(['app_id', 'type', 'description', 'declared_at'])
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

/** Locks the organization: one that is being deleted gets no app, and one with an app is not deleted. */
async function lockOwner(trx: Transaction<Schema>, { organizationId, developerId }: AppOwner): Promise<void> {
  if (organizationId && !(await lockOrganization(trx, organizationId)))
    throw new Error('The organization of the app does not exist')
  // The no-op update locks the developer's row, so that concurrent additions cannot exceed the maximum.
  if (developerId)
    await trx.updateTable('users').set({ email: developerId }).where('email', '=', developerId).execute()
}

/** Counts the apps of an owner. @param exceptId an app that is not counted */
async function countOwned(
  trx: Transaction<Schema>,
  { organizationId, developerId }: AppOwner,
  exceptId = '',
): Promise<number> {
  const { count } = await trx
    .selectFrom('apps')
    .select((e) => e.fn.countAll<number | string>().as('count'))
    .where((e) =>
      e.or([
        ...(organizationId ? [e('organization_id', '=', organizationId)] : []),
        ...(developerId ? [e('developer_id', '=', developerId)] : []),
      ]),
    )
    .where('id', '!=', exceptId)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Replaces the permissions of an app. Those that it declared before keep the time since which it does. */
async function writePermissions(
  trx: Transaction<Schema>,
  appId: string,
  permissions: readonly Permission[],
  now: number,
): Promise<void> {
  const before = await trx
    .deleteFrom('app_permissions')
    .where('app_id', '=', appId)
    .returning(['type', 'declared_at'])
    .execute()
  if (permissions.length === 0) return
  const declaredAt = new Map(before.map(({ type, declared_at }) => [type, declared_at]))
  await trx
    .insertInto('app_permissions')
    .values(
      permissions.map(({ type, description = null }, position) => ({
        app_id: appId,
        position,
        type,
        description,
        declared_at: declaredAt.get(type) ?? now,
      })),
    )
    .execute()
}
