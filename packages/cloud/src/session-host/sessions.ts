import { randomBytes } from 'node:crypto'
import { type CloseFrame, readPhoneSettings } from '@glasses-cloud/contract'
import { type Static, Type } from 'typebox'
import {
  type AppDefinition,
  type Random,
  type SessionLog,
  type SessionTiming,
  UserSession,
} from '../session/index.ts'
import { type Clock, pause } from '../time/index.ts'
import { KeyedQueue, writeLatest } from './keyed-queue.ts'
import type { RunningAppStore } from './running-app-store.ts'
import { createLocalHandle, type SessionDirectory, type SessionHandle } from './session-handle.ts'
import { OwnedElsewhereError, type SessionOwnership, SessionUnavailableError } from './session-ownership.ts'
import { createSessionPorts, type SessionFence, type SessionPortsDeps } from './session-ports.ts'
import { SessionRecorder } from './session-recorder.ts'
import type { UserSessionStore } from './user-session-store.ts'

/** Characters of a user session id in the log. */
const LOGGED_ID_LENGTH = 8

/** The user that a session belongs to. */
export interface SessionUser {
  readonly id: string
  readonly email: string
  /** Epoch ms of the last logout everywhere; a later one ends the session. */
  readonly tokensValidFrom: number
}

export interface SessionsDeps extends SessionPortsDeps {
  readonly clock: Clock
  readonly random: Random
  readonly timing: SessionTiming
  readonly userSessions: Pick<UserSessionStore, 'claim' | 'fenced' | 'release' | 'end' | 'setModel'>
  readonly running: SessionPortsDeps['running'] & Pick<RunningAppStore, 'runningOf'>
  readonly systemPackage: string
  /** Whether a package may read recent audio, for which phones send PCM also while they recognize speech. */
  readonly offersRecentAudio: boolean
  /** The owners of sessions in a cluster; undefined: this is the only node. */
  readonly ownership?: SessionOwnership | undefined
  /** Counts a session event. */
  count(event: string): void
}

export const ownedSession = Type.Object({
  userSessionId: Type.String(),
  userId: Type.String(),
  epoch: Type.Integer(),
})

/** A session in the epoch in which a node owns it. */
export type OwnedSession = Static<typeof ownedSession>

/** A live session of this process. */
export interface HostedSession {
  readonly user: SessionUser
  readonly session: UserSession
  /** The epoch in which this node owns the session; 0 without a cluster. */
  readonly epoch: number
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
  /** Keyed by user id. */
  readonly #refreshes = new KeyedQueue()
  #closed = false
  /** Called when the session of a user is live. */
  onOpened: (userId: string) => void = () => {}
  /** Called when an app was attached to the session of a user, with permissions that may be changing. */
  onAppAttached: (userId: string) => void = () => {}

  constructor(deps: SessionsDeps) {
    this.#deps = deps
  }

  /** Number of live sessions. */
  get size(): number {
    return this.#byUserId.size
  }

  async find(userId: string): Promise<SessionHandle | undefined> {
    await this.#opened(userId)
    const hosted = this.#byUserId.get(userId)
    return hosted && createLocalHandle(hosted.session)
  }

  async findBySessionId(userSessionId: string): Promise<SessionHandle | undefined> {
    const hosted = this.byUserSessionId(userSessionId)
    return hosted && createLocalHandle(hosted.session)
  }

  /**
   * Returns the session of a user, creating it if there is none. A session of an earlier process is restored under
   * its id, with its running apps.
   * @throws Error when the database fails
   * @throws SessionUnavailableError when the process is shutting down, or may not own sessions at the moment
   * @throws OwnedElsewhereError when another node owns the session
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

  /** Attaches the socket of an app as a part of the trace of its start, if one is in progress. */
  traceAttach<Result>(
    { userSessionId }: UserSession,
    packageName: string,
    attach: () => Promise<Result>,
  ): Promise<Result> {
    const userId = this.byUserSessionId(userSessionId)?.user.id
    return userId === undefined ? attach() : this.#deps.starts.attach(userId, packageName, attach)
  }

  async appChanged(packageName: string): Promise<void> {
    const running = [...this.#byUserId.values()].filter(({ session }) => session.hasApp(packageName))
    for (const hosted of running) await this.#refresh(hosted, [packageName])
  }

  async accessChanged(userId: string): Promise<void> {
    const hosted = this.#byUserId.get(userId)
    if (hosted) await this.#refresh(hosted, hosted.session.packageNames)
  }

  /**
   * Reads apps again that a session runs or starts, so that changes of the apps and of their permissions apply. Refreshes
   * of one session run in sequence, so that the last one to apply is the last one to read.
   */
  async #refresh({ user, session }: HostedSession, packageNames: readonly string[]): Promise<void> {
    if (packageNames.length === 0) return
    await this.#refreshes.run(user.id, async () => {
      for (const app of await this.#deps.apps.findFor(user, packageNames)) session.updateApp(app)
    })
  }

  /** The live sessions. */
  hosted(): Iterable<HostedSession> {
    return this.#byUserId.values()
  }

  /** Returns the live sessions of users. */
  hostedFor(userIds: Iterable<string>): HostedSession[] {
    const found = [...userIds].map((userId) => this.#byUserId.get(userId))
    return found.filter((hosted) => hosted !== undefined)
  }

  /** Returns the package names of the apps that run or start in live sessions. */
  packageNames(): string[] {
    return [...new Set([...this.#byUserId.values()].flatMap(({ session }) => session.packageNames))]
  }

  byUserSessionId(userSessionId: string): HostedSession | undefined {
    return this.#bySessionId.get(userSessionId)
  }

  /**
   * Finds a session that another node expects on this one. If this node owns it but does not host it, because it could
   * not be opened or its end could not be stored, it gives up the ownership, so that any node can open the session.
   */
  async findOwned({ userSessionId, userId, epoch }: OwnedSession): Promise<HostedSession | undefined> {
    const { writes, userSessions, log } = this.#deps
    await this.#opened(userId)
    const hosted = this.#bySessionId.get(userSessionId)
    if (hosted) return hosted.epoch === epoch ? hosted : undefined
    await writes
      .run(userId, () => userSessions.release(userSessionId, epoch))
      .catch((err: unknown) => log.error({ err }, 'session: ownership could not be released'))
    return undefined
  }

  /** Returns an app as it is for the user of a session; undefined if it does not exist or the session is over. */
  async findApp({ userSessionId }: UserSession, packageName: string): Promise<AppDefinition | undefined> {
    const hosted = this.#bySessionId.get(userSessionId)
    return hosted && (await this.#deps.apps.findFor(hosted.user, [packageName]))[0]
  }

  /** Reports that an app was attached to a session; its permissions may have changed since they were read. */
  appAttached({ userSessionId }: UserSession): void {
    const hosted = this.#bySessionId.get(userSessionId)
    if (hosted) this.onAppAttached(hosted.user.id)
  }

  /** Ends the session of a user, if any, and closes its sockets with the code. */
  end(userId: string, frame: CloseFrame): void {
    this.#byUserId.get(userId)?.session.end(frame)
  }

  /** Closes all sockets but keeps the stored rows, then waits for pending writes. */
  async close(): Promise<void> {
    this.#closed = true
    // Before anything is awaited: apps are notified before their sockets close.
    for (const hosted of [...this.#byUserId.values()]) this.#suspend(hosted)
    await Promise.allSettled(this.#opening.values())
    await this.#deps.writes.idle()
  }

  /** Accepts no new sessions; those that are live continue. */
  stopOpening(): void {
    this.#closed = true
  }

  /** The users with a live session. */
  get userIds(): readonly string[] {
    return [...this.#byUserId.keys()]
  }

  /** Hands the session of a user over: closes its sockets so that they reconnect, and gives up its ownership. */
  async handOver(userId: string): Promise<void> {
    const hosted = this.#byUserId.get(userId)
    if (!hosted) return
    const { writes, userSessions, ownership } = this.#deps
    // The row is released before a client can reconnect, and after the last write of the session.
    this.#remove(hosted)
    const { session, epoch } = hosted
    session.suspend()
    if (ownership) await writes.run(userId, () => userSessions.release(session.userSessionId, epoch))
  }

  /** Closes the sockets of all sessions and forgets the sessions, because other nodes may own them now. */
  abandon(): void {
    for (const hosted of [...this.#byUserId.values()]) this.#suspend(hosted)
  }

  /** Waits for a session of the user that is opening. One that cannot be opened here is not here. */
  async #opened(userId: string): Promise<void> {
    if (!this.#byUserId.has(userId)) await this.#opening.get(userId)?.catch(ignoreNotHere)
  }

  async #create(user: SessionUser): Promise<UserSession> {
    const { apps, clock, timing, running, settings, systemPackage, ownership } = this.#deps
    const { writes, userSessions, log } = this.#deps
    if (this.#closed) throw new SessionUnavailableError('RESTARTING', 'The cloud is shutting down')
    const newId = randomId()
    const { userSessionId, epoch, owner } = await this.#claim(user, newId)
    const [runningApps, userSettings] = await Promise.all([
      running.runningOf(user.id),
      settings.userSettings(user.id),
      // The cloud starts the dashboard for everyone.
      apps.acceptFirstUse(systemPackage, user),
    ])
    // The dashboard runs in every session, once it is registered (DASH-12).
    const packageNames = new Set([systemPackage, ...runningApps.map(({ packageName }) => packageName)])
    const order = [...packageNames]
    const found = await apps.findFor(user, order)
    const loadedApps = found.toSorted((a, b) => order.indexOf(a.packageName) - order.indexOf(b.packageName))
    if (this.#closed || (ownership && !isOwner(ownership, owner))) {
      if (ownership) await this.#deps.userSessions.release(userSessionId, epoch)
      if (this.#closed) throw new SessionUnavailableError('RESTARTING', 'The cloud is shutting down')
      throw new SessionUnavailableError('NODE_LOST', 'This node lost its lease while the session was opened')
    }
    const recorder = new SessionRecorder(
      this.#deps.appRecorder,
      user.id,
      userSessionId.slice(0, LOGGED_ID_LENGTH),
    )
    const session = new UserSession({
      userSessionId,
      userEmail: user.email,
      runningApps: loadedApps,
      isResumed: userSessionId !== newId,
      phoneSettings: readPhoneSettings(userSettings),
      systemPackage,
      offersRecentAudio: this.#deps.offersRecentAudio,
      clock,
      timing,
      random: this.#deps.random,
      log: this.#sessionLog(userSessionId, user.id, recorder),
      ports: {
        ...createSessionPorts(
          this.#deps,
          user,
          () => this.#ended(hosted),
          recorder,
          runningApps,
          this.#fence(userSessionId, epoch),
        ),
        glassesChanged: writeLatest(
          (model) => writes.run(user.id, () => userSessions.setModel(userSessionId, epoch, model)),
          (err) => log.error({ err }, 'session: the model of the glasses could not be stored'),
        ),
      },
    })
    const hosted: HostedSession = { user, session, epoch }
    this.#byUserId.set(user.id, hosted)
    this.#bySessionId.set(userSessionId, hosted)
    this.onOpened(user.id)
    this.#deps.announcements.changed(user.id)
    return session
  }

  async #claim(
    user: SessionUser,
    newId: string,
  ): Promise<{
    readonly userSessionId: string
    readonly epoch: number
    readonly owner?: string | undefined
  }> {
    const { clock, userSessions, writes, ownership } = this.#deps
    // Also after the end of an earlier session of the user is stored.
    return writes.run(user.id, async () => {
      if (ownership) return ownership.claim(user.id, newId)
      return { userSessionId: await userSessions.claim(user.id, newId, clock.now()), epoch: 0 }
    })
  }

  /** In a cluster, keeps the session from having effects once it may have another owner. */
  #fence(userSessionId: string, epoch: number): SessionFence | undefined {
    const { ownership, userSessions } = this.#deps
    if (!ownership) return undefined
    const { lease } = ownership
    const { holder } = lease
    return {
      isOwner: () => lease.isValid() && lease.holder === holder,
      write: (write) => userSessions.fenced(userSessionId, epoch, write),
    }
  }

  #suspend(hosted: HostedSession): void {
    this.#remove(hosted)
    this.#deps.starts.endSession(hosted.user.id)
    hosted.session.suspend()
  }

  #remove({ user, session }: HostedSession): void {
    this.#byUserId.delete(user.id)
    this.#bySessionId.delete(session.userSessionId)
  }

  #ended(hosted: HostedSession): void {
    this.#remove(hosted)
    const { user, session, epoch } = hosted
    this.#deps.starts.endSession(user.id)
    const { userSessions, writes, log, ownership, announcements } = this.#deps
    writes
      .run(user.id, () => userSessions.end(session.userSessionId, ownership && epoch))
      .catch((error: unknown) => log.error({ err: error }, 'session: end could not be stored'))
      // Until then, other nodes find the row.
      .finally(() => announcements.changed(user.id))
  }

  /** Logs a part of the id only: the whole id is half of a credential (SET-19). */
  #sessionLog(userSessionId: string, userId: string, recorder: SessionRecorder): SessionLog {
    const session = userSessionId.slice(0, LOGGED_ID_LENGTH)
    const { log, count, starts } = this.#deps
    return (event, fields) => {
      if (event === 'app_start_failed') starts.end(userId, String(fields?.packageName), String(fields?.code))
      count(event)
      recorder.event(event, fields)
      log.info({ session, event, ...fields }, 'session event')
    }
  }
}

function isOwner({ lease }: SessionOwnership, owner: string | undefined): boolean {
  return lease.isValid() && lease.holder === owner
}

function ignoreNotHere(error: unknown): void {
  if (!(error instanceof OwnedElsewhereError || error instanceof SessionUnavailableError)) throw error
}

/** Returns 128 random bits in letters and digits (decision I8). */
function randomId(): string {
  return randomBytes(16).toString('hex')
}

/**
 * Hands the sessions of a node that stops over to other nodes. They are spread over a time, so that not all clients
 * reconnect at once.
 */
export async function handOverSessions(
  sessions: Sessions,
  clock: Clock,
  random: Random,
  spreadMs: number,
): Promise<void> {
  sessions.stopOpening()
  await Promise.allSettled(
    sessions.userIds.map(async (userId) => {
      await pause(clock, random() * spreadMs)
      await sessions.handOver(userId)
    }),
  )
}
