import type { Permission } from '@glasses-cloud/contract'
import type { User } from '../../identity/index.ts'
import type { SessionDirectory } from '../../session-host/index.ts'
import type { App, AppStore, Catalogue } from '../catalogue/index.ts'

/** What the permissions of apps are kept with. */
export interface AppPermissionsParts {
  readonly apps: AppStore
  readonly catalogue: Catalogue
  readonly sessions: SessionDirectory
  /** Epoch ms. */
  readonly now: () => number
}

/** What a user may do with an app's permissions. */
export interface Access {
  readonly app: App
  readonly view: boolean
  readonly modify: boolean
}

/**
 * The permissions apps declare: who may see and change them, and that a change reaches the apps that run.
 *
 * An app is owned by its developer and by the members of the organization it belongs to. `X-Org-Id` is not looked
 * at: it counts only for members (decision I7), who own the app without it, and it takes nothing from anybody.
 */
export class AppPermissions {
  readonly #parts: AppPermissionsParts

  constructor(parts: AppPermissionsParts) {
    this.#parts = parts
  }

  /** What the user may do; undefined if there is no such app. */
  async accessOf(user: User, packageName: string): Promise<Access | undefined> {
    const app = await this.#parts.apps.findByPackage(packageName)
    if (app === undefined) return undefined
    const owns = (await this.#parts.catalogue.ownershipOf(user))(app)
    return { app, view: owns || app.appStoreStatus === 'PUBLISHED', modify: owns }
  }

  /**
   * Puts others in place of all permissions of an app, in one step.
   * @returns the app as it is then; undefined if it is gone
   */
  async replace(app: App, permissions: readonly Permission[]): Promise<App | undefined> {
    const { apps, now } = this.#parts
    const replaced = await apps.replacePermissions(app.id, permissions, now())
    return replaced ? apps.findByPackage(app.packageName) : undefined
  }

  /** Lets live sessions run the app with the permissions it has now. */
  async announce({ packageName }: App): Promise<void> {
    await this.#parts.sessions.appChanged(packageName)
  }
}
