import { type ChangeFeed, RowCache } from '../../db/index.ts'
import type { OrganizationStore, User } from '../../identity/index.ts'
import type { App } from './app.ts'
import type { Install, InstallStore } from './install-store.ts'

/** Users whose installs and memberships are kept. */
const MAX_USERS = 5_000

/** Collaborators of {@link UserAppsReader}. */
export interface UserAppsDeps {
  readonly installs: InstallStore
  readonly organizations: OrganizationStore
  readonly changes: ChangeFeed
}

/** How a user relates to the apps of the catalogue. */
export class UserApps {
  readonly #email: string
  readonly #organizationIds: ReadonlySet<string>
  /** The user's installs by app id. System apps are not among them. */
  readonly installs: ReadonlyMap<string, Install>

  constructor(email: string, organizationIds: ReadonlySet<string>, installs: ReadonlyMap<string, Install>) {
    this.#email = email
    this.#organizationIds = organizationIds
    this.installs = installs
  }

  /** Whether the user owns the app: as its developer, or as a member of its organization. */
  isOwner({ developerId, organization }: App): boolean {
    return (
      developerId === this.#email || (organization !== null && this.#organizationIds.has(organization.id))
    )
  }
}

/** Reads installs and memberships of users, and keeps them until they change. */
export class UserAppsReader {
  readonly #deps: UserAppsDeps
  readonly #cache: RowCache<UserApps>

  constructor(deps: UserAppsDeps) {
    this.#deps = deps
    this.#cache = new RowCache({ changes: deps.changes, topic: 'user_apps', maxEntries: MAX_USERS })
  }

  /** Installs and memberships of a user, never older than the call. */
  read({ id, email }: Pick<User, 'id' | 'email'>): Promise<UserApps> {
    return this.#cache.get(id, async () => {
      const { installs, organizations } = this.#deps
      const [installed, memberships] = await Promise.all([
        installs.mapByAppId(id),
        organizations.organizationsOf(id),
      ])
      return new UserApps(email, new Set(memberships.map(({ organization }) => organization.id)), installed)
    })
  }
}
