import { randomBytes } from 'node:crypto'
import { osSettingsOf } from '@glasses-cloud/contract'
import type { Logger } from 'pino'
import type { SettingsStore } from '../features/settings/index.ts'
import { type Clock, type SessionLog, type SessionTiming, UserSession } from '../session/index.ts'
import type { KeyedQueue } from './keyed-queue.ts'
import { LocalSessionHandle } from './local-session-handle.ts'
import type { SessionDirectory, SessionHandle } from './session-handle.ts'
import { createSessionPorts, type SessionPortsParts } from './session-ports.ts'
import type { UserSessionStore } from './user-session-store.ts'

/** Whose session it is. */
export interface SessionUser {
  readonly id: string
  readonly email: string
}

/** What sessions are made with. */
export interface SessionsParts extends SessionPortsParts {
  readonly clock: Clock
  readonly timing: SessionTiming
  readonly settings: SettingsStore
  readonly userSessions: UserSessionStore
  readonly writes: KeyedQueue
  readonly systemPackage: string
  readonly log: Logger
  /** Counts what happens in sessions. */
  count(event: string): void
}

interface Live {
  readonly user: SessionUser
  readonly session: UserSession
}

/**
 * The live user sessions of this process: at most one a user, made when its first socket comes and gone with its
 * end. What must outlive the process (the session's id, which apps run) is rows.
 */
export class Sessions implements SessionDirectory {
  readonly #parts: SessionsParts
  readonly #byUser = new Map<string, Live>()
  readonly #byId = new Map<string, Live>()
  readonly #opening = new Map<string, Promise<UserSession>>()
  #closed = false

  constructor(parts: SessionsParts) {
    this.#parts = parts
  }

  /** How many sessions live here. */
  get size(): number {
    return this.#byUser.size
  }

  async find(userId: string): Promise<SessionHandle | undefined> {
    const live = this.#byUser.get(userId) ?? ((await this.#opening.get(userId)) && this.#byUser.get(userId))
    return live && new LocalSessionHandle(live.session)
  }

  async findBySessionId(userSessionId: string): Promise<SessionHandle | undefined> {
    const live = this.#byId.get(userSessionId)
    return live && new LocalSessionHandle(live.session)
  }

  /**
   * The session of a user, made if there is none. A session that lived before this process did comes back under
   * its old id, with its apps.
   * @throws Error when the database fails, or the process is going down
   */
  async open(user: SessionUser): Promise<UserSession> {
    const live = this.#byUser.get(user.id)
    if (live) return live.session
    let opening = this.#opening.get(user.id)
    if (!opening) {
      opening = this.#create(user).finally(() => this.#opening.delete(user.id))
      this.#opening.set(user.id, opening)
    }
    return opening
  }

  async appChanged(packageName: string): Promise<void> {
    const app = await this.#parts.apps.findByPackage(packageName)
    if (app) for (const { session } of this.#byUser.values()) session.appChanged(app)
  }

  /** The live session with this user session id. */
  byUserSessionId(id: string): { readonly user: SessionUser; readonly session: UserSession } | undefined {
    return this.#byId.get(id)
  }

  /** Ends a user's session for good, if there is one: the account is going away, or its tokens were revoked. */
  end(userId: string, code: number, reason: string): void {
    this.#byUser.get(userId)?.session.end(code, reason)
  }

  /** Closes all sockets, leaving rows as they are, and waits for what is being written. */
  async close(): Promise<void> {
    this.#closed = true
    await Promise.allSettled(this.#opening.values())
    for (const { session } of this.#byUser.values()) session.suspend()
    this.#byUser.clear()
    this.#byId.clear()
    await this.#parts.writes.idle()
  }

  async #create(user: SessionUser): Promise<UserSession> {
    const { apps, clock, timing, running, settings, userSessions, writes, systemPackage } = this.#parts
    const newId = randomId()
    const userSessionId = await writes.run(user.id, () => userSessions.claim(user.id, newId, clock.now()))
    const [wanted, userSettings] = await Promise.all([
      running.runningOf(user.id),
      settings.userSettings(user.id),
    ])
    const runningApps = await apps.findByPackages(wanted.map(({ packageName }) => packageName))
    if (this.#closed) throw new Error('the cloud is going down')
    const session = new UserSession({
      userSessionId,
      userId: user.email,
      running: runningApps,
      resumed: userSessionId !== newId,
      osSettings: osSettingsOf(userSettings),
      systemPackage,
      clock,
      timing,
      random: Math.random,
      log: this.#sessionLog(userSessionId),
      ports: createSessionPorts(this.#parts, user, () => this.#ended(live)),
    })
    const live: Live = { user, session }
    this.#byUser.set(user.id, live)
    this.#byId.set(userSessionId, live)
    return session
  }

  #ended({ user, session }: Live): void {
    this.#byUser.delete(user.id)
    this.#byId.delete(session.userSessionId)
    const { userSessions, writes, log } = this.#parts
    writes
      .run(user.id, () => userSessions.end(session.userSessionId))
      .catch((error: unknown) => log.error({ err: error }, 'session: the end could not be stored'))
  }

  #sessionLog(session: string): SessionLog {
    const { log, count } = this.#parts
    return (event, fields) => {
      count(event)
      log.info({ session, event, ...fields }, 'session event')
    }
  }
}

/** 128 random bits in letters and digits only (decision I8). */
function randomId(): string {
  return randomBytes(16).toString('hex')
}
