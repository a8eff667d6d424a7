import type { Page } from '../../db/index.ts'
import type { ApiKeyStore, OrganizationStore, User } from '../../identity/index.ts'
import type { WebhookClient } from '../../webhooks/index.ts'
import type { App, Viewer } from './app.ts'
import type { AppStore } from './app-store.ts'
import { filteredPage } from './filtered-page.ts'
import type { InstallStore } from './install-store.ts'
import { isKnownDown, recordServerHealth } from './server-health.ts'
import { webhookTarget } from './webhook-target.ts'

/** How long a server that was down has to say that it is up, in ms; a phone waits meanwhile. */
const HEALTH_TIMEOUT_MS = 2_000

/** What the catalogue works with. */
export interface CatalogueParts {
  readonly apps: AppStore
  readonly installs: InstallStore
  readonly organizations: OrganizationStore
  /** Package names that count as installed for every user. */
  readonly systemPackages: readonly string[]
  readonly apiKeys: ApiKeyStore
  readonly webhooks: WebhookClient
  /** Epoch ms. */
  readonly now: () => number
}

/** An app in a user's list of installed ones. */
export interface InstalledApp extends App {
  /** Epoch ms. */
  readonly installedAt: number
}

/** What became of an installation or its removal. */
export type InstallOutcome = 'done' | 'unchanged'

/**
 * The apps as their users see them: who may see which (decisions C2 to C4), and who installed what. Lists are in
 * the order of package names.
 */
export class Catalogue {
  readonly #parts: CatalogueParts

  constructor(parts: CatalogueParts) {
    this.#parts = parts
  }

  /** Whether an app is installed for everybody, and cannot be uninstalled. */
  isSystemApp(packageName: string): boolean {
    return this.#parts.systemPackages.includes(packageName)
  }

  /** Every app the user may see. */
  visibleTo(user: User, page: Page): Promise<App[]> {
    return this.#parts.apps.listVisible(this.#viewer(user), page)
  }

  /** Published apps that `keep` keeps. */
  published(page: Page, keep: (app: App) => boolean): Promise<App[]> {
    return filteredPage((part) => this.#parts.apps.listPublished({}, part), page, keep)
  }

  /** Published apps whose server is not known to be down. */
  async available(page: Page, organization: string | undefined): Promise<App[]> {
    const organizationId = await this.#organizationId(organization)
    return filteredPage(
      (part) => this.#parts.apps.listPublished({ organizationId }, part),
      page,
      (app) => !isKnownDown(app, this.#parts.now()),
    )
  }

  /**
   * Whether an app's server is down. One that was is asked again: phones do not start what they hear is down, so
   * that no start would ever find it up.
   */
  async isDown(app: App): Promise<boolean> {
    const { apps, apiKeys, webhooks, now } = this.#parts
    if (!isKnownDown(app, now())) return false
    const target = await webhookTarget(apiKeys, app)
    const answer = await webhooks.get(target, '/health', { timeoutMs: HEALTH_TIMEOUT_MS })
    return (await recordServerHealth(apps, app, answer, now())) !== true
  }

  /** Apps whose name or description contains the text, of those the user, or anybody, may see. */
  async search(
    text: string,
    user: User | undefined,
    page: Page,
    organization: string | undefined,
  ): Promise<App[]> {
    const organizationId = await this.#organizationId(organization)
    return this.#parts.apps.search(text, { organizationId, visibleTo: user && this.#viewer(user) }, page)
  }

  /** What the user installed, and the system apps, which the user has had from the first day. */
  async installedBy(user: User, page: Page): Promise<InstalledApp[]> {
    const { apps, installs, systemPackages } = this.#parts
    const [listed, installedAt] = await Promise.all([
      apps.listInstalled(user.id, page, systemPackages),
      installs.installsOf(user.id),
    ])
    return listed.map((app) => ({
      ...app,
      installedAt: installedAt.get(app.id)?.installedAt ?? user.createdAt,
    }))
  }

  /** One app, if the user, or anybody, may see it. */
  find(packageName: string, user: User | undefined): Promise<App | undefined> {
    return this.#parts.apps.findVisible(packageName, user && this.#viewer(user))
  }

  /** Puts an app on the user's list; `unchanged` if it was there. */
  async install(user: User, app: App): Promise<InstallOutcome> {
    if (this.isSystemApp(app.packageName)) return 'unchanged'
    const added = await this.#parts.installs.install(user.id, app.id, this.#parts.now())
    return added ? 'done' : 'unchanged'
  }

  /** Takes an app off the user's list; `unchanged` if it was not there. */
  async uninstall(user: User, app: App): Promise<InstallOutcome> {
    const removed = await this.#parts.installs.uninstall(user.id, app.id)
    return removed ? 'done' : 'unchanged'
  }

  /** Whether an app is on the user's own list; system apps are not. */
  async hasInstalled(user: User, app: App): Promise<boolean> {
    return (await this.#parts.installs.find(user.id, app.id)) !== undefined
  }

  /** When each app of the user's list last started or stopped (epoch ms), by app id. */
  async lastActive(user: User): Promise<(app: App) => number | null> {
    const installs = await this.#parts.installs.installsOf(user.id)
    return (app) => installs.get(app.id)?.lastActiveAt ?? null
  }

  /** Tells the apps that the user made, alone or in an organization. */
  async madeBy(user: User): Promise<(app: App) => boolean> {
    const memberships = await this.#parts.organizations.organizationsOf(user.id)
    const own = new Set(memberships.map(({ organization }) => organization.id))
    return ({ developerId, organization }) =>
      developerId === user.email || (organization !== null && own.has(organization.id))
  }

  #viewer({ id, email }: User): Viewer {
    return { userId: id, email, systemPackages: this.#parts.systemPackages }
  }

  /** Organizations are named by id or by slug, which is what people know. Web forms send what is left open empty. */
  async #organizationId(idOrSlug: string | undefined): Promise<string | undefined> {
    if (idOrSlug === undefined || idOrSlug === '') return undefined
    const organization = await this.#parts.organizations.findBySlug(idOrSlug)
    return organization?.id ?? idOrSlug
  }
}
