import type { AppStore } from '../features/catalogue/index.ts'
import type { ApiKeys, UserStore } from '../identity/index.ts'
import type { AppDefinition, UserSession } from '../session/index.ts'
import type { RunningAppStore, Sessions, SessionUser, UserSessionStore } from '../session-host/index.ts'

/** How an app names itself and its session. */
export interface AppIntroduction {
  readonly packageName: string
  readonly apiKey: string
  /** `<userSessionId>-<packageName>`; older clients put the user's e-mail in the place of the id. */
  readonly sessionId: string
}

/** Whether an app may speak in a session. */
export type Admission =
  | { readonly ok: true; readonly session: UserSession; readonly app: AppDefinition }
  | {
      readonly ok: false
      readonly code: 'INVALID_API_KEY' | 'SESSION_NOT_FOUND' | 'APP_NOT_STARTED'
      readonly message: string
    }

/** What admission looks things up in. */
export interface AppAdmissionParts {
  readonly apiKeys: ApiKeys
  readonly apps: AppStore
  readonly users: UserStore
  readonly running: RunningAppStore
  readonly userSessions: UserSessionStore
  readonly sessions: Sessions
}

/**
 * Decides whether an app may speak in the session it names: its key must be its own, and the wearer must want it
 * running there. An app whose session this process does not know yet, because the cloud was restarted, brings the
 * session back.
 */
export class AppAdmission {
  readonly #parts: AppAdmissionParts

  constructor(parts: AppAdmissionParts) {
    this.#parts = parts
  }

  async admit({ packageName, apiKey, sessionId }: AppIntroduction): Promise<Admission> {
    const { apiKeys, apps, sessions } = this.#parts
    const prefix = sessionPrefix(sessionId, packageName)
    const owner = await apiKeys.verify(apiKey, packageName)
    if (!owner) {
      if (prefix !== undefined) sessions.byUserSessionId(prefix)?.session.refuseApp(packageName)
      return { ok: false, code: 'INVALID_API_KEY', message: 'The API key is not one of this package' }
    }
    const session = prefix === undefined ? undefined : await this.#session(prefix, packageName)
    if (!session) return { ok: false, code: 'SESSION_NOT_FOUND', message: 'There is no such session' }
    const app = await apps.findByPackage(packageName)
    if (!app) return { ok: false, code: 'INVALID_API_KEY', message: 'The app does not exist any more' }
    return { ok: true, session, app }
  }

  async #session(prefix: string, packageName: string): Promise<UserSession | undefined> {
    const { sessions } = this.#parts
    const live = sessions.byUserSessionId(prefix)
    if (live) return live.session
    const user = await this.#user(prefix)
    if (!user) return undefined
    const handle = await sessions.find(user.id)
    if (handle) return sessions.open(user)
    const running = await this.#parts.running.runningOf(user.id)
    return running.some((app) => app.packageName === packageName) ? sessions.open(user) : undefined
  }

  async #user(prefix: string): Promise<SessionUser | undefined> {
    const { users, userSessions } = this.#parts
    if (prefix.includes('@')) return users.findByEmail(prefix)
    const userId = await userSessions.findById(prefix)
    return userId === undefined ? undefined : users.findById(userId)
  }
}

/** What stands before the package name; e-mails and package names may hold hyphens themselves. */
function sessionPrefix(sessionId: string, packageName: string): string | undefined {
  const suffix = `-${packageName}`
  return sessionId.endsWith(suffix) ? sessionId.slice(0, -suffix.length) : undefined
}
