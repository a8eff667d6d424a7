import { randomBytes } from 'node:crypto'
import { type CloseFrame, readPhoneSettings } from '@glasses-cloud/contract'
import { type Clock, type SessionLog, type SessionTiming, UserSession } from '../session/index.ts'
import type { SessionApp } from './collaborators.ts'
import { LocalSessionHandle } from './local-session-handle.ts'
import type { SessionDirectory, SessionHandle } from './session-handle.ts'
import { createSessionPorts, type SessionPortsDeps } from './session-ports.ts'
import { StartingApps } from './starting-apps.ts'
import type { UserSessionStore } from './user-session-store.ts'

/** Characters of a user session id in the log. */
const LOGGED_ID_LENGTH = 8

/** The user that a session belongs to. */
export interface SessionUser {
  readonly id: string
  readonly email: string
}

export interface SessionsDeps extends SessionPortsDeps {
  readonly clock: Clock
  readonly timing: SessionTiming
  readonly userSessions: UserSessionStore
  readonly systemPackage: string
  /** Whether a package may read recent audio. */
  readonly keepsRecentAudio: boolean
  /** Counts a session event. */
  count(event: string): void
}

/** A live session of this process. */
export interface HostedSession {
  readonly user: SessionUser
  readonly session: UserSession
  readonly starting: StartingApps
}

/**
 * The live user sessions of this process, at most one per user. A session is created when the user's first socket
 * connects, and removed when it ends. State that outlives the process (session id, running apps) is stored in rows.
 */
export class Sessions implements SessionDirectory {
  readonly #deps: SessionsDeps
  readonly #byUserId = new Map<string, HostedSession>()
  readonly #bySessionId = new Map<string, HostedSession>()
  readonly #opening = new Map<string, Promise<UserSession>>()
  #closed = false

  constructor(deps: SessionsDeps) {
    this.#deps = deps
  }

  /** Number of live sessions. */
  get size(): number {
    return this.#byUserId.size
  }

  async find(userId: string): Promise<SessionHandle | undefined> {
    if (!this.#byUserId.has(userId)) await this.#opening.get(userId)
    const hosted = this.#byUserId.get(userId)
    return hosted && new LocalSessionHandle(hosted.session, hosted.starting)
  }

  async findBySessionId(userSessionId: string): Promise<SessionHandle | undefined> {
    const hosted = this.#bySessionId.get(userSessionId)
    return hosted && new LocalSessionHandle(hosted.session, hosted.starting)
  }

  /**
   * Returns the session of a user, creating it if there is none. A session of an earlier process is restored under
   * its id, with its running apps.
   * @throws Error when the database fails or the process is shutting down
   */
  async open(user: SessionUser): Promise<UserSession> {
    const hosted = this.#byUserId.get(user.id)
    if (hosted) return hosted.session
    let opening = this.#opening.get(user.id)
    if (!opening) {
      opening = this.#create(user).finally(() => this.#opening.delete(user.id))
      this.#opening.set(user.id, opening)
    }
    return opening
  }

  async appChanged(packageName: string): Promise<void> {
    const app = await this.#deps.apps.findByPackage(packageName)
    if (!app) return
    for (const { session, starting } of this.#byUserId.values()) {
      starting.update(app)
      session.updateApp(app)
    }
  }

  byUserSessionId(userSessionId: string): HostedSession | undefined {
    return this.#bySessionId.get(userSessionId)
  }

  /** Finds an app for a live session, without reading it again while the session is starting it. */
  async findApp(userSessionId: string, packageName: string): Promise<SessionApp | undefined> {
    const hosted = this.#bySessionId.get(userSessionId)
    return hosted ? hosted.starting.find(packageName) : this.#deps.apps.findByPackage(packageName)
  }

  /** Ends the session of a user, if any, and closes its sockets with the code. */
  end(userId: string, frame: CloseFrame): void {
    this.#byUserId.get(userId)?.session.end(frame)
  }

  /** Closes all sockets but keeps the stored rows, then waits for pending writes. */
  async close(): Promise<void> {
    this.#closed = true
    // Before anything is awaited: apps are notified before their sockets close.
    for (const { session } of this.#byUserId.values()) session.suspend()
    this.#byUserId.clear()
    this.#bySessionId.clear()
    await Promise.allSettled(this.#opening.values())
    await this.#deps.writes.idle()
  }

  async #create(user: SessionUser): Promise<UserSession> {
    const { apps, clock, timing, running, settings, userSessions, writes, systemPackage } = this.#deps
    const newId = randomId()
    const userSessionId = await writes.run(user.id, () => userSessions.claim(user.id, newId, clock.now()))
    const [runningApps, userSettings] = await Promise.all([
      running.runningOf(user.id),
      settings.userSettings(user.id),
    ])
    const loadedApps = await apps.findByPackages(runningApps.map(({ packageName }) => packageName))
    if (this.#closed) throw new Error('The cloud is shutting down')
    const starting = new StartingApps(apps, () => clock.monotonicNow(), timing.appStartTimeoutMs)
    for (const app of loadedApps) starting.add(app)
    const session = new UserSession({
      userSessionId,
      userEmail: user.email,
      runningApps: loadedApps,
      isResumed: userSessionId !== newId,
      phoneSettings: readPhoneSettings(userSettings),
      systemPackage,
      keepsRecentAudio: this.#deps.keepsRecentAudio,
      clock,
      timing,
      random: Math.random,
      log: this.#sessionLog(userSessionId),
      ports: createSessionPorts(this.#deps, user, starting, () => this.#ended(hosted)),
    })
    const hosted: HostedSession = { user, session, starting }
    this.#byUserId.set(user.id, hosted)
    this.#bySessionId.set(userSessionId, hosted)
    return session
  }

  #ended({ user, session }: HostedSession): void {
    this.#byUserId.delete(user.id)
    this.#bySessionId.delete(session.userSessionId)
    const { userSessions, writes, log } = this.#deps
    writes
      .run(user.id, () => userSessions.end(session.userSessionId))
      .catch((error: unknown) => log.error({ err: error }, 'session: end could not be stored'))
  }

  /** Logs a part of the id only: the whole id is half of a credential (SET-19). */
  #sessionLog(userSessionId: string): SessionLog {
    const session = userSessionId.slice(0, LOGGED_ID_LENGTH)
    const { log, count } = this.#deps
    return (event, fields) => {
      count(event)
      log.info({ session, event, ...fields }, 'session event')
    }
  }
}

/** Returns 128 random bits in letters and digits (decision I8). */
function randomId(): string {
  return randomBytes(16).toString('hex')
}
