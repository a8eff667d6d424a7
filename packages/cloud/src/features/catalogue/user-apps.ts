import type { ConnectedGlasses } from '@glasses-cloud/contract'
import type { FastifyBaseLogger } from 'fastify'
import { type ChangeFeed, RowCache } from '../../db/index.ts'
import type { OrganizationStore, User } from '../../identity/index.ts'
import type { SessionDirectory } from '../../session-host/index.ts'
import type { Acceptance, AcceptanceStore } from './acceptance-store.ts'
import type { App } from './app.ts'
import type { AppActivityStore } from './app-activity-store.ts'
import type { Install, InstallStore } from './install-store.ts'

/** State of the user's live session that lists of apps show. */
export interface LiveState {
  /** The connected glasses; null without glasses of a known model (decision C6). */
  readonly glasses: ConnectedGlasses | null
  isRunning(packageName: string): boolean
}

const NO_SESSION: LiveState = { glasses: null, isRunning: () => false }

/**
 * Reads the state of the user's live session. A session that ends meanwhile is treated as missing, so that lists do not fail.
 */
export async function readLiveState(
  sessions: SessionDirectory,
  user: User,
  log: FastifyBaseLogger,
): Promise<LiveState> {
  const session = await sessions.find(user.id)
  if (session === undefined) return NO_SESSION
  try {
    const [glasses, state] = await Promise.all([session.glasses(), session.appState()])
    const running = new Set(state.activeApps)
    return { glasses, isRunning: (packageName) => running.has(packageName) }
  } catch (error) {
    log.warn({ err: error }, 'catalogue: session state could not be read')
    return NO_SESSION
  }
}

/** Users whose installs, acceptances, memberships and last uses are kept. */
const MAX_USERS = 5_000

export interface UserAppsDeps {
  readonly installs: InstallStore
  readonly acceptances: AcceptanceStore
  readonly activity: AppActivityStore
  readonly organizations: OrganizationStore
  readonly changes: ChangeFeed
}

/** By what users own apps. */
type UserIdentity = Pick<User, 'id' | 'email' | 'isEmailVerified'>

/** What is stored about a user and apps. */
type UserAppRows = Pick<UserApps, 'installs' | 'lastActive' | 'acceptances'> & {
  readonly organizationIds: ReadonlySet<string>
}

/** How a user relates to the apps of the catalogue. */
export class UserApps {
  readonly #user: UserIdentity
  readonly #organizationIds: ReadonlySet<string>
  /** The user's installs by app id. System apps are not among them. */
  readonly installs: ReadonlyMap<string, Install>
  /** When an app last started or stopped for the user, by app id (epoch ms). */
  readonly lastActive: ReadonlyMap<string, number>
  /** The permissions that the user accepted, by app id. */
  readonly acceptances: ReadonlyMap<string, Acceptance>

  constructor(user: UserIdentity, { organizationIds, installs, lastActive, acceptances }: UserAppRows) {
    this.#user = user
    this.#organizationIds = organizationIds
    this.installs = installs
    this.lastActive = lastActive
    this.acceptances = acceptances
  }

  /**
   * Whether the user owns the app: as its developer, or as a member of its organization. The developer is the user who
   * registered the app; of an app that the operator registered, the user with the confirmed address (TRU-3).
   */
  isOwner({ developerId, developerUserId, organization }: App): boolean {
    const { id, email, isEmailVerified } = this.#user
    const isDeveloper =
      developerUserId === null ? isEmailVerified && developerId === email : developerUserId === id
    return isDeveloper || (organization !== null && this.#organizationIds.has(organization.id))
  }
}

/** Reads installs, acceptances, memberships and last uses of users, and keeps them until they change. */
export class UserAppsReader {
  readonly #deps: UserAppsDeps
  readonly #cache: RowCache<UserAppRows>

  constructor(deps: UserAppsDeps) {
    this.#deps = deps
    this.#cache = new RowCache({ changes: deps.changes, topic: 'user_apps', maxEntries: MAX_USERS })
  }

  /** Installs, acceptances, memberships and last uses of a user, never older than the call. */
  async read(user: UserIdentity): Promise<UserApps> {
    const { id } = user
    const rows = await this.#cache.get(id, async () => {
      const { installs, activity, acceptances, organizations } = this.#deps
      const [installed, lastActive, accepted, memberships] = await Promise.all([
        installs.mapByAppId(id),
        activity.mapByAppId(id),
        acceptances.mapByAppId(id),
        organizations.organizationsOf(id),
      ])
      const organizationIds = new Set(memberships.map(({ organization }) => organization.id))
      return { organizationIds, installs: installed, lastActive, acceptances: accepted }
    })
    return new UserApps(user, rows)
  }
}

/**
 * Notifies the user's connected glasses that the list of apps changed. A failure is only logged: the change is stored,
 * and glasses read the list when they connect.
 */
export async function notifyAppsChanged(
  sessions: SessionDirectory,
  user: User,
  log: FastifyBaseLogger,
): Promise<void> {
  try {
    const session = await sessions.find(user.id)
    await session?.appsChanged()
  } catch (error) {
    log.warn({ err: error }, 'catalogue: session could not be notified of changed apps')
  }
}
