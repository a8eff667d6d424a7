import {
  type CloseFrame,
  type CloudToApp,
  closeFrames,
  type DataStreamFields,
  grants,
  PERMISSION_TYPES,
  type PermissionType,
  parseSubscription,
  requiredPermission,
} from '@glasses-cloud/contract'
import { type Clock, type Timer, toIsoString } from '../../time/index.ts'
import { LazyMap } from '../lazy-collections.ts'
import type { Peer } from '../peer.ts'
import type { AppDefinition, Random, SessionLog, SessionPorts, StopReason } from '../ports.ts'
import type { SessionTiming } from '../timing.ts'
import {
  AppLaunch,
  createStartFailure,
  type StartCallback,
  type StartFailure,
  type StartOutcome,
} from './app-launch.ts'
import { OfflineQueue } from './offline-queue.ts'

/**
 * - starting: a start was requested; the webhook is called and the socket awaited, both before one deadline
 * - running: the socket is authenticated
 * - reconnecting: the socket closed; the app may reconnect within a few seconds
 * - restarting: the app did not reconnect; the session starts it again, with growing delays, until it gives up
 * - stopping: the app was stopped; its stop webhook is being called
 */
export type AppPhase = 'starting' | 'running' | 'reconnecting' | 'restarting' | 'stopping'

/** Where an app expects the results of its photo requests: at `/photo-upload` of its server, or on its socket. */
export type PhotoRoute = 'upload' | 'socket'

/** How an app connects. */
export interface AppConnection {
  readonly photoRoute?: PhotoRoute
  /** The network address of its socket. */
  readonly address?: string
}

/** How an app is started. */
export interface StartOptions {
  /** The app as it was read for the request; otherwise the session loads it. */
  readonly requested?: AppDefinition | undefined
  /** In milliseconds of the monotonic clock; by default `appStartTimeoutMs` from now. */
  readonly deadline?: number | undefined
}

/** The open socket of an app. */
interface AppSocket {
  readonly peer: Peer
  readonly address: string | undefined
  /** Whether `tpa_connection_ack` was sent. Messages to the app are queued until then. */
  isAcknowledged: boolean
  /** Whether the app announced that it closes this socket and stops. */
  isReleased: boolean
}

interface Starting {
  readonly phase: 'starting'
  launch: AppLaunch | undefined
}

interface Running {
  readonly phase: 'running'
  socket: AppSocket
  /** Messages that wait for the acknowledgement. */
  queue: OfflineQueue | undefined
}

interface Reconnecting {
  readonly phase: 'reconnecting'
  readonly graceTimer: Timer
  readonly queue: OfflineQueue
}

interface Restarting {
  readonly phase: 'restarting'
  failedAttempts: number
  launch: AppLaunch | undefined
  /** Runs while the next attempt is delayed. */
  backoffTimer: Timer | undefined
}

interface Stopping {
  readonly phase: 'stopping'
  readonly reason: StopReason
  socket: AppSocket | undefined
  /** Runs while a start waits for the stop to complete. */
  startTimer: Timer | undefined
  /** When the waiting starts time out. */
  startDeadline: number | undefined
}

/** The user session ended. */
interface Ended {
  readonly phase: 'ended'
}

/** The failed restart after which the user is told: a server that is only replaced is back before. */
const REPORTED_ATTEMPT = 3

type State = Starting | Running | Reconnecting | Restarting | Stopping | Ended

/** The user session as an app session sees it. */
export interface AppSessionHost {
  readonly clock: Clock
  readonly timing: SessionTiming
  readonly random: Random
  readonly log: SessionLog
  readonly ports: SessionPorts
  /** Called right before the webhook of an app is called. @returns why the app may not start, if so */
  checkStart(session: AppSession, definition: AppDefinition): StartFailure | undefined
  /** Stops the apps that may not run beside this one. */
  stopConflictingApps(session: AppSession, definition: AppDefinition): void
  /** Called for each new socket, so that it is acknowledged. */
  onSocketConnected(session: AppSession, peer: Peer): void
  /** Called when the app stops or starts over, so that its subscriptions, its content and its requests are removed. */
  onReset(session: AppSession): void
  onPhaseChanged(session: AppSession): void
  /** Called when an app fails to start again and again. @param isGivenUp whether later sessions do not start it either */
  onUnresponsive(session: AppSession, isGivenUp: boolean): void
  /** Called when the stop is complete. `next` was requested during the stop. */
  onStopped(session: AppSession, starts: readonly StartCallback[], next: StartOptions): void
}

/** One app of a user session: a state machine over its webhook, its socket and its stored row. */
export class AppSession {
  readonly packageName: string
  /** `<userSessionId>-<packageName>`: the session id that the app knows. */
  readonly sessionId: string
  readonly #host: AppSessionHost
  #state: State
  /** When the phase began, ISO 8601. Formatted once, because it is read more often than it changes. */
  #since: string
  #definition: AppDefinition | undefined
  /** Since when the app has the permissions that it got later than itself, in milliseconds of the monotonic clock. */
  readonly #permittedSince = new LazyMap<PermissionType, number>()
  #isStored: boolean
  /** Whether the app was stored as running by an earlier session and has not connected in this one. */
  #isRestored: boolean
  /** Whether the app server may know this session: its webhook was called or it connected. */
  #wasContacted: boolean
  #photoRoute: PhotoRoute = 'upload'
  #lastLaunch: AppLaunch | undefined
  /** The app that the next launch was requested with. */
  #requested: AppDefinition | undefined
  /** Callers of the start in progress or, while stopping, of the start that follows. */
  #startCallbacks: StartCallback[] = []

  private constructor(
    packageName: string,
    sessionId: string,
    host: AppSessionHost,
    state: State,
    stored?: AppDefinition,
  ) {
    this.packageName = packageName
    this.sessionId = sessionId
    this.#host = host
    this.#state = state
    this.#since = toIsoString(host.clock.now())
    this.#definition = stored
    this.#isStored = stored !== undefined
    this.#isRestored = this.#isStored
    this.#wasContacted = stored !== undefined
  }

  /** Creates the session of an app that is not running. Call `start` next. */
  static create(packageName: string, sessionId: string, host: AppSessionHost): AppSession {
    return new AppSession(packageName, sessionId, host, { phase: 'starting', launch: undefined })
  }

  /** Creates the session of an app that is stored as running. Call `resume` next. */
  static restore(definition: AppDefinition, sessionId: string, host: AppSessionHost): AppSession {
    return new AppSession(definition.packageName, sessionId, host, restartingState(), definition)
  }

  get phase(): AppPhase {
    return this.#state.phase === 'ended' ? 'stopping' : this.#state.phase
  }
  get since(): string {
    return this.#since
  }
  /** The app as loaded by its last start or connection; undefined until then. */
  get definition(): AppDefinition | undefined {
    return this.#definition
  }
  /** Why the app is being stopped; undefined in any other phase. */
  get stopReason(): StopReason | undefined {
    return this.#state.phase === 'stopping' ? this.#state.reason : undefined
  }
  /** The open socket, if any. */
  get peer(): Peer | undefined {
    return this.#socket?.peer
  }

  /** The network address of the open socket, if it is known. */
  get address(): string | undefined {
    return this.#socket?.address
  }

  /**
   * From when on the app receives data that requires a permission, in milliseconds of the monotonic clock: minus infinity
   * for everything that the session knows, infinity without the permission (PRM-25).
   */
  permittedSince(required: PermissionType): number {
    const permissions = this.#definition?.permissions ?? []
    const granting = permissions.filter((permission) => grants([permission], required))
    return Math.min(...granting.map(({ type }) => this.#permittedSince.get(type) ?? Number.NEGATIVE_INFINITY))
  }

  /** Replaces the definition of an app that was edited, and drops queued frames that it may no longer receive. */
  updateDefinition(definition: AppDefinition): void {
    this.#setDefinition(definition)
    if (this.#requested) this.#requested = definition
    this.#queue?.filterStreams((streamType) => {
      const permission = requiredPermission(parseSubscription(streamType))
      return permission === undefined || grants(definition.permissions, permission)
    })
  }

  /**
   * Starts the app. The callback receives the outcome when the app runs and is stored as running, or when the start
   * failed.
   */
  start(callback: StartCallback, { requested, deadline }: StartOptions = {}): void {
    if (this.#state.phase === 'running' && this.#isStored) return callback({ ok: true })
    this.#startCallbacks.push(callback)
    if (this.#state.phase === 'running' || this.#launch) return
    this.#requested = requested
    if (this.#state.phase === 'stopping') return this.#waitForStop(this.#state)
    if (this.#state.phase === 'reconnecting') this.#startOver()
    this.#launchApp(deadline)
  }

  /**
   * Starts a restored app, once.
   * @param mayReconnect whether the app's own session may have outlived the process, so that it reconnects without a
   *   webhook call
   */
  resume(mayReconnect: boolean): void {
    const state = this.#state
    // A restart in progress continues: glasses that reconnect must not delay it.
    if (state.phase !== 'restarting' || state.launch || state.backoffTimer) return
    if (mayReconnect) this.#waitForReconnect(new OfflineQueue())
    else this.#restart(state)
  }

  /**
   * Attaches an authenticated socket of the app. It replaces an older one.
   * @returns false if the app is being stopped
   */
  connect(peer: Peer, definition: AppDefinition, { photoRoute = 'upload', address }: AppConnection): boolean {
    const state = this.#state
    if (state.phase === 'stopping' || state.phase === 'ended') return false
    const socket = { peer, address, isAcknowledged: false, isReleased: false }
    this.#setDefinition(definition)
    this.#wasContacted = true
    if (this.#isRestored) this.#host.ports.restoreSucceeded(this.packageName)
    this.#isRestored = false
    this.#photoRoute = photoRoute
    if (state.phase === 'running') {
      const replaced = state.socket.peer
      state.socket = socket
      replaced.close(closeFrames.APP_SOCKET_REPLACED.code, closeFrames.APP_SOCKET_REPLACED.reason)
      this.#host.stopConflictingApps(this, definition)
    } else {
      cancelTimers(state)
      this.#host.stopConflictingApps(this, definition)
      const queue = state.phase === 'reconnecting' ? state.queue : undefined
      this.#enter({ phase: 'running', socket, queue })
    }
    this.#host.onSocketConnected(this, peer)
    this.#saveRunning(definition)
    return true
  }

  /** Sends the queued messages to an app whose socket was acknowledged. */
  markAcknowledged(peer: Peer): void {
    const state = this.#state
    if (state.phase !== 'running' || state.socket.peer !== peer) return
    state.socket.isAcknowledged = true
    const dropped = state.queue?.flush(peer) ?? 0
    state.queue = undefined
    if (dropped > 0) this.#host.log('app_frames_dropped', { packageName: this.packageName, dropped })
  }

  /** Records an invalid key; see `AppLaunch.recordInvalidKey`. */
  recordInvalidKey(): void {
    this.#launch?.recordInvalidKey()
  }

  /** Detaches a socket that closed. A replaced socket is ignored. */
  disconnect(peer: Peer): void {
    const socket = this.#socket
    if (socket?.peer !== peer) return
    const state = this.#state
    if (state.phase === 'stopping') state.socket = undefined
    if (state.phase !== 'running') return
    if (socket.isReleased) this.#stop('system_stop', undefined, true, () => {})
    else this.#waitForReconnect(state.queue ?? new OfflineQueue())
  }

  /**
   * Marks the socket so that the app stops, and does not restart, when the socket closes. Not if the app only replaces
   * its socket: the SDK does so when it is called although it has reconnected meanwhile.
   */
  release(peer: Peer, reason: string | undefined): void {
    const socket = this.#socket
    const isReplaced = reason === 'switching_clouds' && this.#lastLaunch?.isUnanswered
    if (socket?.peer === peer && !isReplaced) socket.isReleased = true
  }

  /**
   * Sends a frame of a stream. It is queued, in order, while the app is reconnecting or not acknowledged; there it
   * replaces an earlier frame of the stream with the same key.
   */
  sendStream(envelope: DataStreamFields, dataJson: string, replacementKey?: string): void {
    const peer = this.#acknowledgedPeer
    if (peer) peer.sendStream(envelope, dataJson)
    else this.#openQueue()?.addFrame(envelope, dataJson, replacementKey)
  }

  /** Where the app expects its photos, by its last socket. */
  get photoRoute(): PhotoRoute {
    return this.#photoRoute
  }

  /** Sends a message. It is queued, in order, while the app is reconnecting or not acknowledged. */
  sendOrQueue(message: CloudToApp): void {
    const peer = this.#acknowledgedPeer
    if (peer) peer.send(message)
    else this.#openQueue()?.addMessage(message)
  }

  /**
   * Stops the app and deletes its stored row. `done` receives whether the row was deleted; it does not wait for the
   * app server, which has `stopWebhookTimeoutMs` to stop.
   */
  stop(reason: StopReason, done: (isRowDeleted: boolean) => void): void {
    this.#stop(reason, this.#socket, true, done)
  }

  /** Ends the session with the user session. The stored row remains, so that the next session starts the app. */
  end(): void {
    const isUnreachable = !this.#socket && this.#wasContacted && this.#state.phase !== 'stopping'
    const { peer } = this
    this.#retire()
    if (peer) this.#dismiss(peer, 'system_stop', closeFrames.SESSION_ENDED)
    // An app without a socket may still keep its own session; only the webhook can end it.
    if (isUnreachable) this.#callStopWebhook('system_stop', () => {})
  }

  /** Closes the socket with a code that makes the app reconnect, because the process is about to restart. */
  suspend({ code, reason }: CloseFrame): void {
    const { peer } = this
    this.#retire()
    peer?.close(code, reason)
  }

  #setDefinition(definition: AppDefinition): void {
    const known = this.#definition
    this.#definition = definition
    const { clock } = this.#host
    for (const [type, since] of Object.entries(definition.permittedSince ?? {})) {
      if (!isPermissionType(type) || known?.permittedSince?.[type] === since) continue
      // A permission that a running app gains never applies to the past, whatever the clock of another node says.
      const age = known === undefined ? Math.max(0, clock.now() - since) : 0
      this.#permittedSince.set(type, clock.monotonicNow() - age)
    }
  }

  get #socket(): AppSocket | undefined {
    const state = this.#state
    return state.phase === 'running' || state.phase === 'stopping' ? state.socket : undefined
  }

  get #acknowledgedPeer(): Peer | undefined {
    const socket = this.#socket
    return socket?.isAcknowledged ? socket.peer : undefined
  }

  get #launch(): AppLaunch | undefined {
    const state = this.#state
    return state.phase === 'starting' || state.phase === 'restarting' ? state.launch : undefined
  }

  get #queue(): OfflineQueue | undefined {
    const state = this.#state
    return state.phase === 'running' || state.phase === 'reconnecting' ? state.queue : undefined
  }

  /** The queue for messages that cannot be sent yet; undefined when the app is not expected to connect. */
  #openQueue(): OfflineQueue | undefined {
    const state = this.#state
    if (state.phase === 'running') state.queue ??= new OfflineQueue()
    return this.#queue
  }

  /** Cancels everything that is in progress. Nothing happens afterwards and no hook is called. */
  #retire(): void {
    cancelTimers(this.#state)
    this.#state = { phase: 'ended' }
    this.#completeStarts(createStartFailure('STOPPED', 'SESSION_OVER', 'The user session ended'))
  }

  #stop(
    reason: StopReason,
    socket: AppSocket | undefined,
    deleteRow: boolean,
    done: (isRowDeleted: boolean) => void,
  ): void {
    const { ports } = this.#host
    const isStopping = this.phase === 'stopping'
    // The stop cancels starts in progress, also those that wait for an earlier stop.
    this.#completeStarts(
      createStartFailure('STOPPED', 'STOPPED', 'The app was stopped while it was starting'),
    )
    cancelTimers(this.#state)
    if (!isStopping) {
      this.#enter({ phase: 'stopping', reason, socket, startTimer: undefined, startDeadline: undefined })
      this.#host.onReset(this)
    }
    if (deleteRow) ports.deleteRunningApp(this.packageName, ({ ok }) => done(ok))
    else done(true)
    if (isStopping) return
    if (!this.#wasContacted) return this.#completeStop()
    this.#callStopWebhook(reason, () => {
      const { peer } = this
      if (this.#state.phase === 'stopping') this.#state.socket = undefined
      if (peer) this.#dismiss(peer, reason, closeFrames.APP_STOPPED)
      this.#completeStop()
    })
  }

  #callStopWebhook(reason: StopReason, done: () => void): void {
    const { ports, timing } = this.#host
    // A server that was contacted has a definition.
    if (!this.#definition) return done()
    ports.callWebhook(
      this.#definition,
      { type: 'stop_request', sessionId: this.sessionId, reason },
      timing.stopWebhookTimeoutMs,
      done,
    )
  }

  /** Lets a start wait for the stop in progress. The time it waits counts as time of the start. */
  #waitForStop(state: Stopping): void {
    if (state.startTimer) return
    const { clock, timing } = this.#host
    state.startDeadline = clock.monotonicNow() + timing.appStartTimeoutMs
    state.startTimer = clock.after(timing.appStartTimeoutMs, () => {
      state.startTimer = undefined
      this.#completeStarts(createStartFailure('TIMEOUT', 'STILL_STOPPING', 'The app was still stopping'))
    })
  }

  #completeStop(): void {
    cancelTimers(this.#state)
    const startDeadline = this.#state.phase === 'stopping' ? this.#state.startDeadline : undefined
    const requested = this.#takeRequested()
    this.#host.onStopped(this, this.#startCallbacks.splice(0), { requested, deadline: startDeadline })
  }

  #launchApp(deadline?: number): void {
    const state = this.#state
    if (state.phase !== 'starting' && state.phase !== 'restarting') return
    cancelTimers(state)
    const { clock, timing, ports } = this.#host
    const { packageName, sessionId } = this
    const launch = new AppLaunch({
      clock,
      ports,
      packageName,
      sessionId,
      requested: this.#takeRequested(),
      deadline: deadline ?? clock.monotonicNow() + timing.appStartTimeoutMs,
      admit: (definition) => {
        this.#setDefinition(definition)
        const failure = this.#host.checkStart(this, definition)
        if (!failure) this.#wasContacted = true
        return failure
      },
      fail: (failure, isRetryable) => this.#handleLaunchFailure(failure, isRetryable),
    })
    state.launch = launch
    this.#lastLaunch = launch
  }

  /** A later launch loads the app again. */
  #takeRequested(): AppDefinition | undefined {
    const requested = this.#requested
    this.#requested = undefined
    return requested
  }

  #handleLaunchFailure(failure: StartFailure, isRetryable: boolean): void {
    const state = this.#state
    cancelTimers(state)
    const { stage, code } = failure
    this.#host.log('app_start_failed', { packageName: this.packageName, stage, code })
    this.#completeStarts(failure)
    if (state.phase === 'restarting' && isRetryable) {
      state.failedAttempts += 1
      if (state.failedAttempts === REPORTED_ATTEMPT) this.#reportUnresponsive()
      this.#restart(state)
    } else this.stop('error', () => {})
  }

  /** Reports an app whose server is probably gone. One that did not start in several sessions is stopped for good. */
  #reportUnresponsive(): void {
    if (!this.#isRestored) return this.#host.onUnresponsive(this, false)
    this.#host.ports.restoreFailed(this.packageName, (isLast) => {
      if (this.#state.phase !== 'restarting') return
      const isGivenUp = isLast.ok && isLast.value
      this.#host.onUnresponsive(this, isGivenUp)
      if (isGivenUp) this.stop('error', () => {})
    })
  }

  #waitForReconnect(queue: OfflineQueue): void {
    const { clock, timing } = this.#host
    const graceTimer = clock.after(timing.appReconnectGraceMs, () => this.#restart(this.#startOver()))
    this.#enter({ phase: 'reconnecting', graceTimer, queue })
  }

  /** Restarts the app as a new session of its own: everything that belonged to the previous one is removed. */
  #startOver(): Restarting {
    const state = restartingState()
    this.#enter(state)
    this.#host.onReset(this)
    return state
  }

  #restart(state: Restarting): void {
    const { timing, clock, random, log } = this.#host
    const delayMs = timing.restartBackoffMs[state.failedAttempts]
    if (delayMs === undefined) {
      log('app_given_up', { packageName: this.packageName })
      // The stored row remains, so that the next session tries again.
      return this.#stop('error', this.#socket, false, () => {})
    }
    if (delayMs === 0) return this.#launchApp()
    state.backoffTimer = clock.after(delayMs * (0.8 + 0.4 * random()), () => this.#launchApp())
  }

  #saveRunning(definition: AppDefinition): void {
    if (this.#isStored) return this.#completeStarts({ ok: true })
    const { ports, clock } = this.#host
    ports.saveRunningApp(definition, clock.now(), ({ ok }) => {
      if (this.#state.phase === 'stopping' || this.#state.phase === 'ended') return
      if (ok) {
        this.#isStored = true
        return this.#completeStarts({ ok: true })
      }
      this.#completeStarts(createStartFailure('STORE', 'STORE_UNAVAILABLE', 'The start could not be stored'))
      this.stop('error', () => {})
    })
  }

  #completeStarts(outcome: StartOutcome): void {
    for (const callback of this.#startCallbacks.splice(0)) callback(outcome)
  }

  #dismiss(peer: Peer, reason: StopReason, frame: CloseFrame): void {
    const timestamp = toIsoString(this.#host.clock.now())
    try {
      peer.send({ type: 'app_stopped', reason, sessionId: this.sessionId, timestamp })
    } finally {
      peer.close(frame.code, frame.reason)
    }
  }

  #enter(state: State): void {
    cancelTimers(this.#state)
    this.#state = state
    this.#since = toIsoString(this.#host.clock.now())
    this.#host.onPhaseChanged(this)
  }
}

function restartingState(): Restarting {
  return { phase: 'restarting', failedAttempts: 0, launch: undefined, backoffTimer: undefined }
}

/** Cancels the launch and the timers of a state. */
function cancelTimers(state: State): void {
  switch (state.phase) {
    case 'starting':
      state.launch?.cancel()
      state.launch = undefined
      return
    case 'reconnecting':
      return state.graceTimer.cancel()
    case 'restarting':
      state.launch?.cancel()
      state.launch = undefined
      state.backoffTimer?.cancel()
      state.backoffTimer = undefined
      return
    case 'stopping':
      state.startTimer?.cancel()
      state.startTimer = undefined
  }
}

function isPermissionType(type: string): type is PermissionType {
  return PERMISSION_TYPES.some((known) => known === type)
}
