import type { ApiKeys, UserStore } from '../identity/index.ts'
import type { AppDefinition, UserSession } from '../session/index.ts'
import type { RunningAppStore, Sessions, SessionUser, UserSessionStore } from '../session-host/index.ts'

/** The credentials that an app presents, and the session it connects to. */
export interface AppCredentials {
  readonly packageName: string
  readonly apiKey: string
  /** `<userSessionId>-<packageName>`; older clients send the user's e-mail address instead of the user session id. */
  readonly sessionId: string
}

/** The result of an admission: the session and the app, or the reason for the rejection. */
export type Admission =
  | { readonly ok: true; readonly session: UserSession; readonly app: AppDefinition }
  | {
      readonly ok: false
      readonly code: 'INVALID_API_KEY' | 'SESSION_NOT_FOUND' | 'APP_NOT_STARTED'
      readonly message: string
    }

export interface AppAdmissionDeps {
  readonly apiKeys: ApiKeys
  readonly users: UserStore
  readonly running: RunningAppStore
  readonly userSessions: UserSessionStore
  readonly sessions: Sessions
}

/**
 * Admits app sockets to user sessions: the API key must belong to the package, and the app must be running or starting
 * in the session. If the session is not live because the cloud was restarted, the admission restores it.
 */
export class AppAdmission {
  readonly #deps: AppAdmissionDeps

  constructor(deps: AppAdmissionDeps) {
    this.#deps = deps
  }

  /** @throws Error when the database fails */
  async admit({ packageName, apiKey, sessionId }: AppCredentials): Promise<Admission> {
    const { apiKeys, sessions } = this.#deps
    const prefix = sessionPrefix(sessionId, packageName)
    const owner = await apiKeys.verify(apiKey, packageName)
    if (!owner) {
      if (prefix !== undefined) sessions.byUserSessionId(prefix)?.session.recordInvalidAppKey(packageName)
      return { ok: false, code: 'INVALID_API_KEY', message: 'The API key is not valid for this package' }
    }
    const session = prefix === undefined ? undefined : await this.#findSession(prefix, packageName)
    if (!session) return { ok: false, code: 'SESSION_NOT_FOUND', message: 'The session does not exist' }
    const app = await sessions.findApp(session.userSessionId, packageName)
    if (!app) return { ok: false, code: 'INVALID_API_KEY', message: 'The app no longer exists' }
    return { ok: true, session, app }
  }

  async #findSession(prefix: string, packageName: string): Promise<UserSession | undefined> {
    const { sessions, running } = this.#deps
    const live = sessions.byUserSessionId(prefix)
    if (live) return live.session
    const user = await this.#findUser(prefix)
    if (!user) return undefined
    const handle = await sessions.find(user.id)
    if (handle) return sessions.open(user)
    const apps = await running.runningOf(user.id)
    return apps.some((app) => app.packageName === packageName) ? sessions.open(user) : undefined
  }

  async #findUser(prefix: string): Promise<SessionUser | undefined> {
    const { users, userSessions } = this.#deps
    if (prefix.includes('@')) return users.findByEmail(prefix)
    const userId = await userSessions.findById(prefix)
    return userId === undefined ? undefined : users.findById(userId)
  }
}

/** Returns the part before `-<packageName>`; e-mail addresses and package names may contain hyphens. */
function sessionPrefix(sessionId: string, packageName: string): string | undefined {
  const suffix = `-${packageName}`
  return sessionId.endsWith(suffix) ? sessionId.slice(0, -suffix.length) : undefined
}
