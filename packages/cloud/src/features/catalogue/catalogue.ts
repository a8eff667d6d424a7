import type { ApiKeyStore, User } from '../../identity/index.ts'
import type { WebhookClient } from '../../webhooks/index.ts'
import type { App } from './app.ts'
import type { AppLists } from './app-lists.ts'
import type { AppStore } from './app-store.ts'
import type { Install, InstallStore } from './install-store.ts'
import { isKnownDown, recordServerHealth } from './server-health.ts'
import type { UserAppsReader } from './user-apps.ts'
import { webhookTarget } from './webhook-target.ts'

/** How long a server that was down has to say that it is up, in ms; a phone waits meanwhile. */
const HEALTH_TIMEOUT_MS = 2_000

/** Collaborators of the catalogue. */
export interface CatalogueDeps {
  readonly apps: AppStore
  readonly installs: InstallStore
  readonly lists: AppLists
  readonly userApps: UserAppsReader
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
  readonly #deps: CatalogueDeps

  constructor(deps: CatalogueDeps) {
    this.#deps = deps
  }

  /** Whether an app is installed for everybody, and cannot be uninstalled. */
  isSystemApp(packageName: string): boolean {
    return this.#deps.systemPackages.includes(packageName)
  }

  /**
   * Whether an app's server is down. One that was is asked again: phones do not start what they hear is down, so
   * that no start would ever find it up.
   */
  async isDown(app: App): Promise<boolean> {
    const { apps, apiKeys, webhooks, now } = this.#deps
    if (!isKnownDown(app, now())) return false
    const target = await webhookTarget(apiKeys, app)
    const answer = await webhooks.get(target, '/health', { timeoutMs: HEALTH_TIMEOUT_MS })
    return (await recordServerHealth(apps, app, answer, now())) !== true
  }

  /** What the user installed, and the system apps, which the user has had from the first day. */
  async installedBy(user: User): Promise<InstalledApp[]> {
    const [entries, installs] = await Promise.all([
      this.#deps.lists.installedBy(user, { limit: Number.POSITIVE_INFINITY }),
      this.installsOf(user),
    ])
    return entries.map(({ app }) => ({
      ...app,
      installedAt: installs.get(app.id)?.installedAt ?? user.createdAt,
    }))
  }

  /** One app, if the user, or anybody, may see it. */
  async find(packageName: string, user: User | undefined): Promise<App | undefined> {
    return (await this.#deps.lists.find(packageName, user))?.app
  }

  /** Puts an app on the user's list; `unchanged` if it was there. */
  async install(user: User, app: App): Promise<InstallOutcome> {
    if (this.isSystemApp(app.packageName)) return 'unchanged'
    const added = await this.#deps.installs.install(user.id, app.id, this.#deps.now())
    return added ? 'done' : 'unchanged'
  }

  /** Takes an app off the user's list; `unchanged` if it was not there. */
  async uninstall(user: User, app: App): Promise<InstallOutcome> {
    const removed = await this.#deps.installs.uninstall(user.id, app.id)
    return removed ? 'done' : 'unchanged'
  }

  /** Whether an app is on the user's own list; system apps are not. */
  async hasInstalled(user: User, app: App): Promise<boolean> {
    return (await this.installsOf(user)).has(app.id)
  }

  /** The user's installs by app id. System apps are not among them. */
  async installsOf(user: User): Promise<ReadonlyMap<string, Install>> {
    return (await this.#deps.userApps.read(user)).installs
  }

  /** Returns whether the user owns an app, as its developer or as a member of its organization. */
  async ownershipOf(user: User): Promise<(app: App) => boolean> {
    const userApps = await this.#deps.userApps.read(user)
    return (app) => userApps.isOwner(app)
  }
}
