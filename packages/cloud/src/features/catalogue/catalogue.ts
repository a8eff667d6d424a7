import type { Permission, PermissionType } from '@glasses-cloud/contract'
import type { User } from '../../identity/index.ts'
import { type AcceptanceStore, type GrantedPermissions, grantPermissions } from './acceptance-store.ts'
import type { App } from './app.ts'
import type { AppForUser, AppLists } from './app-lists.ts'
import { isKnownDown } from './app-servers.ts'
import type { Install, InstallStore } from './install-store.ts'
import type { UserAppsReader } from './user-apps.ts'
import type { AppStatus } from './views.ts'

export interface CatalogueDeps {
  readonly installs: InstallStore
  readonly acceptances: AcceptanceStore
  readonly lists: AppLists
  readonly userApps: UserAppsReader
  readonly dashboardPackage: string
  /** Package names that count as installed for every user. */
  readonly systemPackages: readonly string[]
  /** Epoch ms. */
  readonly now: () => number
}

export interface InstalledApp extends App {
  /** Epoch ms. */
  readonly installedAt: number
}

/** Result of an installation or its removal. */
export type InstallOutcome = 'done' | 'unchanged'

/**
 * The apps as users see them: visibility (decisions C2 to C4), installations, and the state of app servers. Lists are
 * ordered by package name.
 */
export class Catalogue {
  readonly #deps: CatalogueDeps

  constructor(deps: CatalogueDeps) {
    this.#deps = deps
  }

  /** Whether an app is installed for every user and cannot be uninstalled. */
  isSystemApp(packageName: string): boolean {
    return this.#deps.systemPackages.includes(packageName)
  }

  /** Whether an app is the system dashboard, which the cloud starts by itself. */
  isDashboard(packageName: string): boolean {
    return packageName === this.#deps.dashboardPackage
  }

  /** Returns the state of an app that lists and details show. */
  statusOf(app: App): AppStatus {
    return {
      isOnline: !isKnownDown(app, this.#deps.now()),
      uninstallable: !this.isSystemApp(app.packageName),
    }
  }

  /**
   * Returns the apps the user installed and the system apps, which count as installed since the account exists.
   */
  async listInstalled(user: User): Promise<InstalledApp[]> {
    const [entries, installs] = await Promise.all([
      this.#deps.lists.installedBy(user, { limit: Number.POSITIVE_INFINITY }),
      this.installsOf(user),
    ])
    return entries.map(({ app }) => ({
      ...app,
      installedAt: installs.get(app.id)?.installedAt ?? user.createdAt,
    }))
  }

  /** Returns an app, as the user has it, if the user may see it; without a user, if it is published. */
  async find(packageName: string, user: User | undefined): Promise<App | undefined> {
    return (await this.#deps.lists.find(packageName, user))?.app
  }

  /** Returns an app as a user has it, with the permissions that it has for the user, whether or not the user may see it. */
  async findFor(user: User, packageName: string): Promise<AppForUser | undefined> {
    return (await this.#deps.lists.findFor(user, [packageName]))[0]
  }

  /** Returns an app as users have it who do not own it, whether or not they may see it. */
  findAny(packageName: string): Promise<App | undefined> {
    return this.#deps.lists.findAny(packageName)
  }

  /** Installs an app, which accepts the permissions that it declares; `unchanged` if it was installed. */
  async install(user: User, app: App): Promise<InstallOutcome> {
    if (this.isSystemApp(app.packageName)) return 'unchanged'
    const { installs, acceptances, now } = this.#deps
    const added = await installs.install(user.id, app.id, now())
    if (added) await acceptances.acceptAll(user.id, app, typesOf(app.permissions), now())
    return added ? 'done' : 'unchanged'
  }

  /** Uninstalls an app, and forgets which permissions the user accepted; `unchanged` if it was not installed. */
  async uninstall(user: User, app: App): Promise<InstallOutcome> {
    const { installs, acceptances } = this.#deps
    const removed = await installs.uninstall(user.id, app.id)
    if (removed) await acceptances.remove(user.id, app.id)
    return removed ? 'done' : 'unchanged'
  }

  /** Returns the permissions that an app, as the user has it, has for the user. */
  async permissionsOf(user: User, app: App): Promise<GrantedPermissions> {
    const { acceptances } = await this.#deps.userApps.read(user)
    return grantPermissions(app, acceptances.get(app.id))
  }

  /** Returns the permissions that the user is asked for, of any app as the user has it (PRM-24). */
  async newPermissionsOf(user: User): Promise<(app: App) => readonly Permission[]> {
    const { acceptances } = await this.#deps.userApps.read(user)
    return (app) => grantPermissions(app, acceptances.get(app.id)).newPermissions
  }

  /** Accepts the permissions of an app that the user starts without having installed or started it before. */
  async acceptFirstUse(user: User, app: App): Promise<void> {
    const { userApps, acceptances, now } = this.#deps
    if ((await userApps.read(user)).acceptances.has(app.id)) return
    await acceptances.acceptFirst(user.id, app, typesOf(app.permissions), now())
  }

  /** Accepts further permissions of an app, which the app must declare. */
  async acceptPermissions(user: User, app: App, types: readonly PermissionType[]): Promise<void> {
    const { acceptances, now } = this.#deps
    await acceptances.accept(user.id, app, types, now())
  }

  /** Whether the user installed the app themselves; false for system apps. */
  async hasInstalled(user: User, app: App): Promise<boolean> {
    return (await this.installsOf(user)).has(app.id)
  }

  /** Returns the user's installations by app id, without system apps. */
  async installsOf(user: User): Promise<ReadonlyMap<string, Install>> {
    return (await this.#deps.userApps.read(user)).installs
  }

  /** Returns by app id when each app last started or stopped for the user (epoch ms). */
  async lastActiveOf(user: User): Promise<ReadonlyMap<string, number>> {
    return (await this.#deps.userApps.read(user)).lastActive
  }

  /** Returns whether the user owns an app, as its developer or as a member of its organization. */
  async ownershipOf(user: User): Promise<(app: App) => boolean> {
    const userApps = await this.#deps.userApps.read(user)
    return (app) => userApps.isOwner(app)
  }
}

function typesOf(permissions: readonly Permission[]): PermissionType[] {
  return permissions.map(({ type }) => type)
}
