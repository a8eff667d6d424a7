import {
  type AppState,
  type CloseFrame,
  type ConnectedGlasses,
  checkCompatibility,
} from '@glasses-cloud/contract'
import type { Clock } from '../../time/index.ts'
import type { Peer } from '../peer.ts'
import type { AppDefinition, Random, SessionLog, SessionPorts, StopReason } from '../ports.ts'
import type { SessionTiming } from '../timing.ts'
import { createStartFailure, type StartCallback, type StartFailure } from './app-launch.ts'
import { type AppPhase, AppSession, type AppSessionHost, type StartOptions } from './app-session.ts'

export interface AppSessionsDeps {
  readonly clock: Clock
  readonly timing: SessionTiming
  readonly random: Random
  readonly log: SessionLog
  readonly ports: SessionPorts
  readonly userSessionId: string
  readonly userEmail: string
  readonly systemPackage: string
  /** Runs a task; an exception ends the user session and is not thrown. */
  guard(task: () => void): void
  glasses(): ConnectedGlasses | null
  /** Called right before the webhook of an app is called for its first start. */
  onLaunch(definition: AppDefinition): void
  onSocketConnected(session: AppSession, peer: Peer): void
  /** Called when an app stops or starts over, so that everything that belongs to it is removed. */
  onReset(packageName: string): void
  onRunning(session: AppSession): void
  onStopping(packageName: string, reason: StopReason): void
  onUnresponsive(session: AppSession, isGivenUp: boolean): void
  /** Called when the app state has a new revision. */
  onStateChanged(): void
}

/** The apps of a user session: their phases, and the rules that apply between them. */
export class AppSessions implements AppSessionHost {
  readonly clock: Clock
  readonly timing: SessionTiming
  readonly random: Random
  readonly log: SessionLog
  readonly ports: SessionPorts
  readonly #deps: AppSessionsDeps
  readonly #sessions = new Map<string, AppSession>()
  #revision = 0
  #isEnded = false

  constructor(deps: AppSessionsDeps) {
    this.#deps = deps
    this.clock = deps.clock
    this.timing = deps.timing
    this.random = deps.random
    this.log = deps.log
    this.ports = deps.ports
  }

  get(packageName: string): AppSession | undefined {
    return this.#sessions.get(packageName)
  }

  get packageNames(): string[] {
    return [...this.#sessions.keys()]
  }

  /** The apps with an open socket. */
  *connected(): Iterable<AppSession> {
    for (const session of this.#sessions.values()) if (session.peer) yield session
  }

  /** Starts an app; see `AppSession.start`. */
  start(packageName: string, callback: StartCallback, options?: StartOptions): void {
    // A failure of the new revision ends the session and must not lose the callback.
    if (!this.#sessions.has(packageName) && !this.#isEnded) {
      const created = AppSession.create(packageName, this.#sessionIdOf(packageName), this)
      this.#sessions.set(packageName, created)
      this.#deps.guard(() => this.#advanceRevision())
    }
    const session = this.#sessions.get(packageName)
    if (session && !this.#isEnded) return session.start(callback, options)
    callback(createStartFailure('STOPPED', 'SESSION_OVER', 'The user session ended'))
  }

  /** Adds an app that is stored as running. Its phase is `restarting` until `resume`. */
  restore(definition: AppDefinition): void {
    const { packageName } = definition
    this.#sessions.set(packageName, AppSession.restore(definition, this.#sessionIdOf(packageName), this))
  }

  /** Starts the restored apps; see `AppSession.resume`. */
  resume(mayReconnect: boolean): void {
    for (const session of [...this.#sessions.values()]) session.resume(mayReconnect)
  }

  /** Stops an app. `done` receives whether its stored row was deleted. */
  stop(packageName: string, reason: StopReason, done: (isRowDeleted: boolean) => void): void {
    const session = this.#sessions.get(packageName)
    if (session) session.stop(reason, done)
    // An app that the session gave up or has not restored yet may still be stored as running.
    else this.ports.deleteRunningApp(packageName, ({ ok }) => done(ok))
  }

  /** Stops the apps whose requirements the connected glasses do not meet (glasses-socket.md §5.2). */
  stopIncompatible(): void {
    for (const session of [...this.#sessions.values()]) {
      if (session.phase === 'stopping' || !session.definition) continue
      if (this.#incompatibility(session.definition)) session.stop('system_stop', () => {})
    }
  }

  /** The state of all apps (decision C11). */
  state(): AppState {
    const sessions = [...this.#sessions.values()]
    const inPhase = (...phases: AppPhase[]) =>
      sessions.filter(({ phase }) => phases.includes(phase)).map(({ packageName }) => packageName)
    return {
      sessionId: this.#deps.userSessionId,
      userId: this.#deps.userEmail,
      activeApps: inPhase('running', 'reconnecting'),
      loadingApps: inPhase('starting', 'restarting'),
      apps: sessions.map(({ packageName, phase, since }) => ({ packageName, state: phase, since })),
      revision: this.#revision,
    }
  }

  /** Ends all app sessions with the user session. */
  end(): void {
    this.#isEnded = true
    for (const session of this.#sessions.values()) this.#deps.guard(() => session.end())
    this.#sessions.clear()
  }

  /** Closes all app sockets so that the apps reconnect, because the process is about to restart. */
  suspend(frame: CloseFrame): void {
    this.#isEnded = true
    for (const session of this.#sessions.values()) this.#deps.guard(() => session.suspend(frame))
  }

  checkStart(session: AppSession, definition: AppDefinition): StartFailure | undefined {
    const incompatibility = this.#incompatibility(definition)
    if (incompatibility)
      return createStartFailure('HARDWARE_CHECK', 'HARDWARE_INCOMPATIBLE', incompatibility, false)
    this.stopConflictingApps(session, definition)
    if (session.phase === 'starting') this.#deps.onLaunch(definition)
    return undefined
  }

  /** Stops the other standard apps: only the one started last may run. */
  stopConflictingApps(session: AppSession, definition: AppDefinition): void {
    if (!this.isMainApp(definition)) return
    for (const other of [...this.#sessions.values()]) {
      if (other === session || other.phase === 'stopping') continue
      if (other.definition && this.isMainApp(other.definition)) other.stop('system_stop', () => {})
    }
  }

  /** Whether an app is a standard app. The dashboard runs beside them, whatever type it was registered with. */
  isMainApp({ appType, packageName }: AppDefinition): boolean {
    return appType === 'STANDARD' && packageName !== this.#deps.systemPackage
  }

  onSocketConnected(session: AppSession, peer: Peer): void {
    this.#deps.onSocketConnected(session, peer)
  }

  onReset({ packageName }: AppSession): void {
    this.#deps.onReset(packageName)
  }

  onPhaseChanged(session: AppSession): void {
    this.#advanceRevision()
    if (session.phase === 'running') this.#deps.onRunning(session)
    if (session.stopReason) this.#deps.onStopping(session.packageName, session.stopReason)
  }

  onUnresponsive(session: AppSession, isGivenUp: boolean): void {
    this.#deps.onUnresponsive(session, isGivenUp)
  }

  onStopped(session: AppSession, starts: readonly StartCallback[], next: StartOptions): void {
    const { packageName } = session
    if (this.#isEnded || this.#sessions.get(packageName) !== session) return
    this.#sessions.delete(packageName)
    this.#deps.guard(() => this.#advanceRevision())
    for (const callback of starts) this.start(packageName, callback, next)
  }

  #sessionIdOf(packageName: string): string {
    return `${this.#deps.userSessionId}-${packageName}`
  }

  #incompatibility(definition: AppDefinition): string | undefined {
    const { isCompatible, message } = checkCompatibility(definition, this.#deps.glasses())
    return isCompatible ? undefined : message
  }

  #advanceRevision(): void {
    this.#revision += 1
    this.#deps.onStateChanged()
  }
}
