import { closeFrames } from '@glasses-cloud/contract'
import type { UserStore } from '../identity/index.ts'
import type { UserSession } from '../session/index.ts'
import {
  type RunningAppStore,
  type Sessions,
  SessionUnavailableError,
  type SessionUser,
  type UserSessionStore,
} from '../session-host/index.ts'
import { SdkAdapter } from './sdk-adapter.ts'
import {
  type AppAttachment,
  type AppTarget,
  appNotFound,
  appNotStarted,
  type GlassesSession,
  isTargetOf,
  type SessionGateway,
  sessionNotFound,
} from './session-gateway.ts'
import type { WsGlassesPeer, WsPeer } from './ws-peer.ts'

export interface LocalGatewayDeps {
  readonly sessions: Sessions
  readonly users: Pick<UserStore, 'findById' | 'findByEmail'>
  readonly running: Pick<RunningAppStore, 'runningOf'>
  readonly userSessions: Pick<UserSessionStore, 'findById'>
}

/** Attaches sockets to the sessions of this process. */
export class LocalGateway implements SessionGateway {
  readonly #deps: LocalGatewayDeps

  constructor(deps: LocalGatewayDeps) {
    this.#deps = deps
  }

  async attachGlasses(user: SessionUser, peer: WsGlassesPeer): Promise<GlassesSession | undefined> {
    const session = await this.#open(user, peer)
    if (!session || !peer.isOpen) return undefined
    await session.connectGlasses(peer)
    return session
  }

  async attachApp(target: AppTarget, peer: WsPeer): Promise<AppAttachment | undefined> {
    const live = this.#deps.sessions.byUserSessionId(target.sessionPrefix)
    if (live) return this.attachAppTo(live.session, target, peer)
    const user = await this.findUser(target.sessionPrefix)
    return user ? this.attachAppOf(user, target, peer) : sessionNotFound
  }

  /** Attaches an app socket to the session of a user, which is restored if the app is stored as running. */
  async attachAppOf(user: SessionUser, target: AppTarget, peer: WsPeer): Promise<AppAttachment | undefined> {
    const { sessions, running } = this.#deps
    const isLive = (await sessions.find(user.id)) !== undefined
    const isStored = async () =>
      (await running.runningOf(user.id)).some((app) => app.packageName === target.packageName)
    if (!isLive && !(await isStored())) return sessionNotFound
    const session = await this.#open(user, peer)
    if (!session) return undefined
    return isTargetOf(target, session.userSessionId)
      ? this.attachAppTo(session, target, peer)
      : sessionNotFound
  }

  /** Opens the session of a user. While this node cannot, the socket is closed, so that its client connects again. */
  async #open(user: SessionUser, peer: WsPeer): Promise<UserSession | undefined> {
    try {
      return await this.#deps.sessions.open(user)
    } catch (error) {
      if (!(error instanceof SessionUnavailableError)) throw error
      const { code, reason } = closeFrames[error.frame]
      peer.close(code, reason)
      return undefined
    }
  }

  /** Attaches an app socket to a session of this process. */
  attachAppTo(
    session: UserSession,
    target: Omit<AppTarget, 'sessionPrefix'>,
    peer: WsPeer,
  ): Promise<AppAttachment | undefined> {
    return this.#deps.sessions.traceAttach(session, target.packageName, () =>
      this.#attachAppTo(session, target, peer),
    )
  }

  async #attachAppTo(
    session: UserSession,
    { packageName, address, generation }: Omit<AppTarget, 'sessionPrefix'>,
    peer: WsPeer,
  ): Promise<AppAttachment | undefined> {
    const { userSessionId } = session
    const { sessions } = this.#deps
    const isCurrent = generation === 'current' || generation === 'mini'
    const adapter = isCurrent ? undefined : new SdkAdapter(generation)
    const photoRoute = generation === 'mini' ? 'socket' : 'upload'
    const app = await sessions.findApp(session, packageName)
    if (!app) return appNotFound
    if (!peer.isOpen) return undefined
    if (adapter) peer.setFilter(adapter)
    if (!session.attachApp(peer, app, { photoRoute, address })) return appNotStarted
    sessions.appAttached(session)
    return {
      ok: true,
      session: {
        userSessionId,
        handleAppMessage: (name, from, message) => {
          for (const withheld of adapter?.learn(message) ?? []) peer.send(withheld)
          session.handleAppMessage(name, from, message)
        },
        detachApp: (name, from) => session.detachApp(name, from),
      },
    }
  }

  recordInvalidAppKey(sessionPrefix: string, packageName: string): void {
    this.#deps.sessions.byUserSessionId(sessionPrefix)?.session.recordInvalidAppKey(packageName)
  }

  /** Finds the user of a session by the session's id or the user's e-mail address. */
  async findUser(sessionPrefix: string): Promise<SessionUser | undefined> {
    const { users, userSessions } = this.#deps
    if (sessionPrefix.includes('@')) return users.findByEmail(sessionPrefix)
    const userId = await userSessions.findById(sessionPrefix)
    return userId === undefined ? undefined : users.findById(userId)
  }
}
