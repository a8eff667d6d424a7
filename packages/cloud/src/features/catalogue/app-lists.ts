import { foldText } from '@glasses-cloud/contract'
import type { BoundedPage } from '../../http/paging.ts'
import type { OrganizationStore, User } from '../../identity/index.ts'
import { type GrantedPermissions, grantPermissions } from './acceptance-store.ts'
import type { App } from './app.ts'
import { isKnownDown } from './app-servers.ts'
import type { CatalogueEntry } from './catalogue-entry.ts'
import type { CatalogueSnapshot } from './catalogue-snapshot.ts'
import type { UserApps, UserAppsReader } from './user-apps.ts'

export interface AppListsDeps {
  readonly snapshot: CatalogueSnapshot
  readonly userApps: UserAppsReader
  readonly organizations: OrganizationStore
  /** Package names that count as installed for every user. */
  readonly systemPackages: readonly string[]
  /** The system dashboard, which users do not start; only the installed apps contain it. */
  readonly dashboardPackage: string
  /** Epoch ms. */
  readonly now: () => number
}

/** An app with the permissions that it has for a user, instead of those that it declares. */
export interface AppForUser extends App, GrantedPermissions {}

/**
 * The lists of the catalogue (decisions C2 to C5), ordered by package name and built from memory. Only rows that changed
 * since the last request are read from the database.
 */
export class AppLists {
  readonly #deps: AppListsDeps
  readonly #systemPackages: ReadonlySet<string>

  constructor(deps: AppListsDeps) {
    this.#deps = deps
    this.#systemPackages = new Set(deps.systemPackages)
  }

  /** Returns every app that the user may see. */
  async visibleTo(user: User, page: BoundedPage): Promise<CatalogueEntry[]> {
    const [userApps] = await Promise.all([this.#deps.userApps.read(user), this.#deps.snapshot.refresh()])
    return this.#list(page, (entry) => this.#isVisible(entry, userApps), userApps)
  }

  /** Returns an app if the user may see it; without a user, if it is published. */
  async find(packageName: string, user: User | undefined): Promise<CatalogueEntry | undefined> {
    const [userApps] = await Promise.all([this.#userApps(user), this.#deps.snapshot.refresh()])
    const entry = this.#deps.snapshot.find(packageName)
    return entry && this.#isVisible(entry, userApps) ? formFor(entry, userApps) : undefined
  }

  /** Returns an app as users have it who do not own it, regardless of who may see it. */
  async findAny(packageName: string): Promise<App | undefined> {
    await this.#deps.snapshot.refresh()
    return this.#deps.snapshot.find(packageName)?.app
  }

  /**
   * Returns apps as a user has them, regardless of whether the user may see them, with the permissions they have for the
   * user; ordered by package name. Unknown package names are ignored.
   */
  async findFor(user: User, packageNames: readonly string[]): Promise<AppForUser[]> {
    const [userApps] = await Promise.all([this.#deps.userApps.read(user), this.#deps.snapshot.refresh()])
    const entries = [...packageNames].sort().map((packageName) => this.#deps.snapshot.find(packageName))
    return entries.flatMap((entry) => (entry ? [toAppForUser(entry, userApps)] : []))
  }

  /**
   * The version of the published apps: a value derived from them, and not from the health of their servers, is valid
   * while this is the same object.
   */
  async version(): Promise<object> {
    await this.#deps.snapshot.refresh()
    return this.#deps.snapshot.version
  }

  /** Returns the published apps that match the filter. */
  async published(
    page: BoundedPage,
    matches: (entry: CatalogueEntry) => boolean = () => true,
  ): Promise<CatalogueEntry[]> {
    await this.#deps.snapshot.refresh()
    return this.#list(page, (entry) => entry.isPublished && matches(entry))
  }

  /**
   * Returns the published apps whose server is not known to be down.
   * @param organization id or slug; only its apps are returned
   */
  async available(page: BoundedPage, organization: string | undefined): Promise<CatalogueEntry[]> {
    const ofOrganization = await this.#organizationFilter(organization)
    const now = this.#deps.now()
    return this.published(page, (entry) => ofOrganization(entry) && !isKnownDown(entry.app, now))
  }

  /** Returns the visible apps whose name or description contains the text; without a user, only published ones. */
  async search(
    text: string,
    user: User | undefined,
    page: BoundedPage,
    organization: string | undefined,
  ): Promise<CatalogueEntry[]> {
    const [userApps, ofOrganization] = await Promise.all([
      this.#userApps(user),
      this.#organizationFilter(organization),
      this.#deps.snapshot.refresh(),
    ])
    const searched = foldText(text)
    return this.#list(
      page,
      (entry) =>
        this.#isVisible(entry, userApps) && ofOrganization(entry) && entry.searchText.includes(searched),
      userApps,
    )
  }

  /** Returns the user's installed apps and the system apps. */
  async installedBy(user: User, page: BoundedPage): Promise<CatalogueEntry[]> {
    const [userApps] = await Promise.all([this.#deps.userApps.read(user), this.#deps.snapshot.refresh()])
    const entries = await this.#deps.snapshot.list({
      ...page,
      matches: ({ app, packageName }) =>
        userApps.installs.has(app.id) || this.#systemPackages.has(packageName),
    })
    return entries.map((entry) => formFor(entry, userApps))
  }

  /** Returns the apps that match, as the user has them, without the dashboard. */
  async #list(
    page: BoundedPage,
    matches: (entry: CatalogueEntry) => boolean,
    userApps?: UserApps,
  ): Promise<CatalogueEntry[]> {
    const { snapshot, dashboardPackage } = this.#deps
    const entries = await snapshot.list({
      ...page,
      matches: (entry) => entry.packageName !== dashboardPackage && matches(entry),
    })
    return userApps === undefined ? entries : entries.map((entry) => formFor(entry, userApps))
  }

  async #userApps(user: User | undefined): Promise<UserApps | undefined> {
    return user && this.#deps.userApps.read(user)
  }

  /** Whether the user may see an app; without a user, whether it is published (CAT-7). */
  #isVisible({ app, isPublished, packageName }: CatalogueEntry, userApps: UserApps | undefined): boolean {
    if (isPublished) return true
    if (userApps === undefined) return false
    return userApps.isOwner(app) || userApps.installs.has(app.id) || this.#systemPackages.has(packageName)
  }

  /** Matches every app if the value is empty, as web forms send it for an empty field. */
  async #organizationFilter(idOrSlug: string | undefined): Promise<(entry: CatalogueEntry) => boolean> {
    if (idOrSlug === undefined || idOrSlug === '') return () => true
    const organization = await this.#deps.organizations.findBySlug(idOrSlug)
    const id = organization?.id ?? idOrSlug
    return ({ app }) => app.organization?.id === id
  }
}

/** Returns an entry as a user has it: its owners have the app as declared, others as approved (PRM-22). */
function formFor(entry: CatalogueEntry, userApps: UserApps | undefined): CatalogueEntry {
  return userApps?.isOwner(entry.app) ? entry.declared : entry
}

function toAppForUser(entry: CatalogueEntry, userApps: UserApps): AppForUser {
  const { app } = formFor(entry, userApps)
  return { ...app, ...grantPermissions(app, userApps.acceptances.get(app.id)) }
}
