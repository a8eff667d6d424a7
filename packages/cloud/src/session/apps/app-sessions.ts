import {
  type AppState,
  type Capabilities,
  type CloseFrame,
  checkCompatibility,
} from '@glasses-cloud/contract'
import type { Clock } from '../clock.ts'
import type { Peer } from '../peer.ts'
import type { AppDefinition, Random, SessionLog, SessionPorts, StopReason } from '../ports.ts'
import type { SessionTiming } from '../timing.ts'
import { AppSession, type AppSessionDeps } from './app-session.ts'
import { createStartFailure, type StartCallback, type StartFailure } from './start-outcome.ts'

/** What the apps of a session are run with. */
export interface AppSessionsDeps {
  readonly clock: Clock
  readonly timing: SessionTiming
  readonly random: Random
  readonly log: SessionLog
  readonly ports: SessionPorts
  readonly userSessionId: string
  /** The wearer's e-mail, which is what apps call a user. */
  readonly userEmail: string
  capabilities(): Capabilities | null
  /** An app is about to be launched. */
  launching(app: AppDefinition): void
  connected(session: AppSession, peer: Peer): void
  /** Forget what belongs to an app: it stopped, or begins anew. */
  reset(packageName: string): void
  /** An app began to run. */
  started(session: AppSession): void
  /** An app was stopped. */
  stopped(packageName: string, reason: StopReason): void
  /** The app state has a new revision. */
  changed(): void
}

/** All apps of one user session: which run, in which phase, and the rules between them. */
export class AppSessions {
  readonly #deps: AppSessionsDeps
  readonly #sessions = new Map<string, AppSession>()
  #revision = 0
  #ended = false

  constructor(deps: AppSessionsDeps) {
    this.#deps = deps
  }

  get(packageName: string): AppSession | undefined {
    return this.#sessions.get(packageName)
  }

  /** The apps with an open socket. */
  *connected(): Iterable<AppSession> {
    for (const session of this.#sessions.values()) if (session.peer) yield session
  }

  /** Starts an app; see `AppSession.start`. */
  start(packageName: string, waiter: StartCallback, by?: number): void {
    if (this.#ended) return waiter(createStartFailure('STOPPED', 'SESSION_OVER', 'The user session ended'))
    let session = this.#sessions.get(packageName)
    if (!session) {
      session = AppSession.fresh(packageName, this.#appDeps(packageName))
      this.#sessions.set(packageName, session)
      this.#changed()
    }
    session.start(waiter, by)
  }

  /** Takes up an app that is stored as running; it shows as restarting until `resume`. */
  adopt(app: AppDefinition): void {
    this.#sessions.set(app.packageName, AppSession.stored(app, this.#appDeps(app.packageName)))
  }

  /** Brings the adopted apps back. */
  resume(mayReconnect: boolean): void {
    for (const session of [...this.#sessions.values()]) session.resume(mayReconnect)
  }

  /** Stops an app. `done` is told whether that is stored. */
  stop(packageName: string, reason: StopReason, done: (stored: boolean) => void): void {
    const session = this.#sessions.get(packageName)
    if (session) session.stop(reason, done)
    // It may be stored as running all the same: given up earlier, or not adopted yet.
    else this.#deps.ports.deleteRunningApp(packageName, ({ ok }) => done(ok))
  }

  /** Stops the apps that the glasses now connected cannot serve (glasses socket protocol, 5.2). */
  stopIncompatible(): void {
    for (const session of [...this.#sessions.values()]) {
      if (session.phase === 'stopping') continue
      if (session.app && this.#incompatible(session.app)) session.stop('system_stop', () => {})
    }
  }

  /** The state of the apps, as decision C11 has it. */
  state(): AppState {
    const sessions = [...this.#sessions.values()]
    const inPhase = (...phases: string[]) =>
      sessions.filter(({ phase }) => phases.includes(phase)).map(({ packageName }) => packageName)
    return {
      sessionId: this.#deps.userSessionId,
      userId: this.#deps.userEmail,
      activeApps: inPhase('running', 'reconnecting'),
      loadingApps: inPhase('starting', 'restarting'),
      apps: sessions.map(({ packageName, phase, since }) => ({
        packageName,
        state: phase,
        since,
      })),
      revision: this.#revision,
    }
  }

  /** The user session is over. */
  end(): void {
    this.#ended = true
    for (const session of this.#sessions.values()) session.end()
    this.#sessions.clear()
  }

  /** This process is going down and will be back: the apps' own sessions are to survive it. */
  suspend(frame: CloseFrame): void {
    this.#ended = true
    for (const session of this.#sessions.values()) session.suspend(frame)
  }

  #appDeps(packageName: string): AppSessionDeps {
    const { clock, timing, random, log, ports, userSessionId } = this.#deps
    return {
      clock,
      timing,
      random,
      log,
      ports,
      sessionId: `${userSessionId}-${packageName}`,
      admit: (session, app) => this.#admit(session, app),
      makeRoom: (session, app) => this.#makeRoom(session, app),
      connected: (session, peer) => this.#deps.connected(session, peer),
      reset: () => this.#deps.reset(packageName),
      changed: (session) => {
        this.#changed()
        if (session.phase === 'running') this.#deps.started(session)
        if (session.stopReason) this.#deps.stopped(packageName, session.stopReason)
      },
      gone: (session, next, startBy) => {
        if (this.#ended || this.#sessions.get(packageName) !== session) return
        this.#sessions.delete(packageName)
        this.#changed()
        for (const waiter of next) this.start(packageName, waiter, startBy)
      },
    }
  }

  #admit(session: AppSession, app: AppDefinition): StartFailure | undefined {
    const lacking = this.#incompatible(app)
    if (lacking) return createStartFailure('HARDWARE_CHECK', 'HARDWARE_INCOMPATIBLE', lacking, false)
    this.#makeRoom(session, app)
    if (session.phase === 'starting') this.#deps.launching(app)
    return undefined
  }

  /** One standard app runs at a time: the one started last. */
  #makeRoom(session: AppSession, { appType }: AppDefinition): void {
    if (appType !== 'STANDARD') return
    for (const other of [...this.#sessions.values()]) {
      if (other === session || other.phase === 'stopping') continue
      if (other.app?.appType === 'STANDARD') other.stop('system_stop', () => {})
    }
  }

  #incompatible(app: AppDefinition): string | undefined {
    const { isCompatible, message } = checkCompatibility(app.hardwareRequirements, this.#deps.capabilities())
    return isCompatible ? undefined : message
  }

  #changed(): void {
    this.#revision += 1
    this.#deps.changed()
  }
}
