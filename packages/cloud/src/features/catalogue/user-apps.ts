import { type ChangeFeed, RowCache } from '../../db/index.ts'
import type { OrganizationStore, User } from '../../identity/index.ts'
import type { App } from './app.ts'
import type { AppActivityStore } from './app-activity-store.ts'
import type { Install, InstallStore } from './install-store.ts'

/** Users whose installs, memberships and last uses are kept. */
const MAX_USERS = 5_000

/** Collaborators of {@link UserAppsReader}. */
export interface UserAppsDeps {
  readonly installs: InstallStore
  readonly activity: AppActivityStore
  readonly organizations: OrganizationStore
  readonly changes: ChangeFeed
}

/** How a user relates to the apps of the catalogue. */
export class UserApps {
  readonly #email: string
  readonly #organizationIds: ReadonlySet<string>
  /** The user's installs by app id. System apps are not among them. */
  readonly installs: ReadonlyMap<string, Install>
  /** When an app last started or stopped for the user, by app id (epoch ms). */
  readonly lastActive: ReadonlyMap<string, number>

  constructor(
    email: string,
    organizationIds: ReadonlySet<string>,
    installs: ReadonlyMap<string, Install>,
    lastActive: ReadonlyMap<string, number>,
  ) {
    this.#email = email
    this.#organizationIds = organizationIds
    this.installs = installs
    this.lastActive = lastActive
  }

  /** Whether the user owns the app: as its developer, or as a member of its organization. */
  isOwner({ developerId, organization }: App): boolean {
    return (
      developerId === this.#email || (organization !== null && this.#organizationIds.has(organization.id))
    )
  }
}

/** Reads installs, memberships and last uses of users, and keeps them until they change. */
export class UserAppsReader {
  readonly #deps: UserAppsDeps
  readonly #cache: RowCache<UserApps>

  constructor(deps: UserAppsDeps) {
    this.#deps = deps
    this.#cache = new RowCache({ changes: deps.changes, topic: 'user_apps', maxEntries: MAX_USERS })
  }

  /** Installs, memberships and last uses of a user, never older than the call. */
  read({ id, email }: Pick<User, 'id' | 'email'>): Promise<UserApps> {
    return this.#cache.get(id, async () => {
      const { installs, activity, organizations } = this.#deps
      const [installed, lastActive, memberships] = await Promise.all([
        installs.mapByAppId(id),
        activity.mapByAppId(id),
        organizations.organizationsOf(id),
      ])
      const organizationIds = new Set(memberships.map(({ organization }) => organization.id))
      return new UserApps(email, organizationIds, installed, lastActive)
    })
  }
}
