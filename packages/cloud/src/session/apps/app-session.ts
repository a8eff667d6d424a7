import {
  type CloseFrame,
  type CloudToApp,
  closeFrames,
  type DataStreamFields,
  grants,
  parseSubscription,
  requiredPermission,
} from '@glasses-cloud/contract'
import { type Clock, type Timer, toIsoString } from '../clock.ts'
import type { Peer } from '../peer.ts'
import type { AppDefinition, Random, SessionLog, SessionPorts, StopReason } from '../ports.ts'
import type { SessionTiming } from '../timing.ts'
import { Backlog } from './backlog.ts'
import {
  createStartFailure,
  type StartCallback,
  type StartFailure,
  type StartOutcome,
} from './start-outcome.ts'

/**
 * - starting: somebody asked for it; its webhook is called, its socket awaited, all under one deadline
 * - running: its socket is authenticated
 * - reconnecting: its socket broke; it has some seconds to come back by itself
 * - restarting: it did not; it is started anew, again and again with growing waits, until it gives up
 * - stopping: it was stopped; its stop webhook is under way
 */
export type AppPhase = 'starting' | 'running' | 'reconnecting' | 'restarting' | 'stopping'

/** What an app session needs of the user session around it. */
export interface AppSessionDeps {
  readonly clock: Clock
  readonly timing: SessionTiming
  readonly random: Random
  readonly log: SessionLog
  readonly ports: SessionPorts
  /** `<userSessionId>-<packageName>`: what the app calls its session. */
  readonly sessionId: string
  /** Whether the app may be launched now; called right before its webhook is. */
  admit(session: AppSession, app: AppDefinition): StartFailure | undefined
  /** The app is about to run: whatever may not run beside it is stopped. */
  makeRoom(session: AppSession, app: AppDefinition): void
  /** A socket was taken on: acknowledge it. */
  connected(session: AppSession, peer: Peer): void
  /** The app runs no more, or begins anew: forget its subscriptions and what it shows. */
  reset(session: AppSession): void
  /** The phase changed. */
  changed(session: AppSession): void
  /** All is done; `next` wait for the app to be started again, until `startBy`. */
  gone(session: AppSession, next: readonly StartCallback[], startBy: number | undefined): void
}

/** One app of one user session: a state machine over its webhook, its socket and its stored row. */
export class AppSession {
  readonly packageName: string
  readonly #deps: AppSessionDeps
  readonly #backlog = new Backlog()
  #app: AppDefinition | undefined
  #phase: AppPhase
  /** As the wire wants it: it is read far more often than it changes. */
  #since: string
  #peer: Peer | undefined
  /** The socket that has its acknowledgement. */
  #acknowledged: Peer | undefined
  #released: Peer | undefined
  #stored: boolean
  /** Whether the app's server may know of this session. */
  #contacted: boolean
  /** The launch under way, and itself, so that outcomes of an older one touch nothing. */
  #launch: { wrongKey: boolean } | undefined
  #restarts = 0
  #timer: Timer | undefined
  /** Who asked for the start under way or, while stopping, for the start that follows. */
  #waiting: StartCallback[] = []
  /** By when those who wait for a stop are to know how their start went. */
  #startBy: number | undefined
  #stopReason: StopReason | undefined

  private constructor(packageName: string, phase: AppPhase, stored: boolean, deps: AppSessionDeps) {
    this.packageName = packageName
    this.#deps = deps
    this.#phase = phase
    this.#since = toIsoString(deps.clock.now())
    this.#stored = stored
    this.#contacted = stored
  }

  /** An app somebody wants started. Call `start` next. */
  static fresh(packageName: string, deps: AppSessionDeps): AppSession {
    return new AppSession(packageName, 'starting', false, deps)
  }

  /** An app that is stored as running from before this session was made. Call `resume` next. */
  static stored(definition: AppDefinition, deps: AppSessionDeps): AppSession {
    const session = new AppSession(definition.packageName, 'restarting', true, deps)
    session.#app = definition
    return session
  }

  get sessionId(): string {
    return this.#deps.sessionId
  }
  get phase(): AppPhase {
    return this.#phase
  }
  /** Since when the phase holds, ISO 8601. */
  get since(): string {
    return this.#since
  }
  /** The app as it was when it last started or connected. */
  get app(): AppDefinition | undefined {
    return this.#app
  }
  /** Why it is being stopped, if it is. */
  get stopReason(): StopReason | undefined {
    return this.#stopReason
  }
  /** The open socket, if any. */
  get peer(): Peer | undefined {
    return this.#peer
  }

  /** Takes the app's definition as it is now: it was edited while the app runs. */
  updateDefinition(app: AppDefinition): void {
    this.#app = app
    this.#backlog.keepStreams((streamType) => {
      const needed = requiredPermission(parseSubscription(streamType))
      return needed === undefined || grants(app.permissions, needed)
    })
  }

  /**
   * Asks for the app to run. The waiter is told once it does, and that is stored, or why not.
   * @param by when the start must have succeeded; absent, it has the time of any start from now on
   */
  start(waiter: StartCallback, by?: number): void {
    if (this.#phase === 'running' && this.#stored) return waiter({ ok: true })
    this.#waiting.push(waiter)
    if (this.#phase === 'running' || this.#launch) return
    if (this.#phase === 'stopping') return this.#awaitStop()
    if (this.#phase === 'reconnecting') this.#beginAnew()
    this.#launchNow(by)
  }

  /**
   * Brings a stored app back, once.
   * @param mayReconnect the app's own session may have outlived the cloud, and then connects by itself
   */
  resume(mayReconnect: boolean): void {
    // A restart that is under way or waits goes on: glasses that come and go must not put it off.
    if (this.#phase !== 'restarting' || this.#launch || this.#timer) return
    if (!mayReconnect) return this.#restart()
    this.#enter('reconnecting')
    this.#setTimer(this.#deps.clock.after(this.#deps.timing.appReconnectGraceMs, () => this.#lost()))
  }

  /**
   * An authenticated socket of the app. The newest one counts.
   * @returns false if the app is being stopped and takes none
   */
  connect(peer: Peer, app: AppDefinition): boolean {
    if (this.#phase === 'stopping') return false
    const old = this.#peer
    this.#peer = peer
    this.#app = app
    this.#contacted = true
    this.#launch = undefined
    this.#restarts = 0
    this.#setTimer(undefined)
    old?.close(closeFrames.APP_SOCKET_REPLACED.code, closeFrames.APP_SOCKET_REPLACED.reason)
    this.#deps.makeRoom(this, app)
    if (this.#phase !== 'running') this.#enter('running')
    this.#deps.connected(this, peer)
    this.#store()
    return true
  }

  /** The socket acknowledged: what waited for it goes out. */
  markAcknowledged(peer: Peer): void {
    if (peer !== this.#peer) return
    this.#acknowledged = peer
    const { waiting, dropped } = this.#backlog.take()
    for (const one of waiting) {
      if ('answer' in one) peer.send(one.answer)
      else peer.sendStream(one.envelope, one.dataJson)
    }
    if (dropped > 0) this.#deps.log('app_frames_dropped', { packageName: this.packageName, dropped })
  }

  /**
   * Somebody presented a wrong key for this session. That may be the app, so it is the reason if the launch fails;
   * it may be whoever else knows the id of the session, so it does not make it fail.
   */
  recordInvalidKey(): void {
    if (this.#launch) this.#launch.wrongKey = true
  }

  /** A socket closed. Only the current one matters. */
  disconnect(peer: Peer): void {
    if (peer !== this.#peer) return
    this.#peer = undefined
    if (this.#phase !== 'running') return
    if (this.#released === peer) return this.stop('system_stop', () => {})
    this.#enter('reconnecting')
    this.#setTimer(this.#deps.clock.after(this.#deps.timing.appReconnectGraceMs, () => this.#lost()))
  }

  /** The app gives this very socket up: when it closes, the app is not to be brought back. */
  release(peer: Peer): void {
    if (peer === this.#peer) this.#released = peer
  }

  /** Sends a frame of a stream, or keeps it, in order, for an app that is about to be back. */
  sendStream(envelope: DataStreamFields, dataJson: string): void {
    if (this.#peer && this.#peer === this.#acknowledged) this.#peer.sendStream(envelope, dataJson)
    else if (this.#isAway) this.#backlog.push({ envelope, dataJson })
  }

  /** Answers what the app asked, or keeps the answer for an app that is about to be back. */
  answer(answer: CloudToApp): void {
    if (this.#peer && this.#peer === this.#acknowledged) this.#peer.send(answer)
    else if (this.#isAway) this.#backlog.push({ answer })
  }

  /**
   * Stops the app. `done` is told whether the stop is stored, and does not wait for the app's server, which is
   * given its own time to stop in good order.
   */
  stop(reason: StopReason, done: (stored: boolean) => void, forget = true): void {
    const { ports, timing, sessionId } = this.#deps
    const { packageName } = this
    const already = this.#phase === 'stopping'
    // The later word counts: a start that waits for the stop under way is called off.
    this.#answer(createStartFailure('STOPPED', 'STOPPED', 'The app was stopped while it was starting'))
    this.#setTimer(undefined)
    if (!already) {
      this.#launch = undefined
      this.#stopReason = reason
      this.#enter('stopping')
      this.#reset()
    }
    if (forget) ports.deleteRunningApp(packageName, ({ ok }) => done(ok))
    else done(true)
    if (already) return
    if (!this.#contacted) return this.#gone()
    const call = { type: 'stop_request', packageName, sessionId, reason } as const
    ports.callWebhook(call, timing.stopWebhookTimeoutMs, () => {
      this.#dismiss(reason, closeFrames.APP_STOPPED)
      this.#gone()
    })
  }

  /** The user session is over: the app is told, its stored row stays for the next session. */
  end(): void {
    const away = this.#peer === undefined && this.#contacted && this.#phase !== 'stopping'
    this.#dismiss('system_stop', closeFrames.SESSION_ENDED)
    this.#retire()
    if (!away) return
    // An app without a socket may still hold a session of its own; only its webhook can tell it.
    const { ports, timing, sessionId } = this.#deps
    const { packageName } = this
    ports.callWebhook(
      { type: 'stop_request', packageName, sessionId, reason: 'system_stop' },
      timing.stopWebhookTimeoutMs,
      () => {},
    )
  }

  /** This process goes down and will be back: the socket closes so that the app connects again. */
  suspend({ code, reason }: CloseFrame): void {
    this.#peer?.close(code, reason)
    this.#peer = undefined
    this.#retire()
  }

  /** From here on nothing moves any more, and nobody is told. */
  #retire(): void {
    this.#setTimer(undefined)
    this.#launch = undefined
    this.#phase = 'stopping'
    this.#answer(createStartFailure('STOPPED', 'SESSION_OVER', 'The user session ended'))
  }

  /** Whether the app will hear, but does not yet. */
  get #isAway(): boolean {
    return this.#peer !== undefined || this.#phase === 'reconnecting'
  }

  /** The time of a start runs from when it is asked for: the stop before it takes of it too. */
  #awaitStop(): void {
    if (this.#timer) return
    const { clock, timing } = this.#deps
    this.#startBy = clock.now() + timing.appStartTimeoutMs
    this.#setTimer(
      clock.after(timing.appStartTimeoutMs, () => {
        this.#setTimer(undefined)
        this.#answer(createStartFailure('TIMEOUT', 'STILL_STOPPING', 'The app was still being stopped'))
      }),
    )
  }

  #gone(): void {
    this.#setTimer(undefined)
    this.#deps.gone(this, this.#waiting.splice(0), this.#startBy)
  }

  #launchNow(by?: number): void {
    const launch = { wrongKey: false }
    this.#launch = launch
    const current = () => this.#launch === launch
    const { clock, timing, ports, sessionId } = this.#deps
    const { packageName } = this
    const deadline = by ?? clock.now() + timing.appStartTimeoutMs
    let called = false
    const failCall = (failure: StartFailure) =>
      this.#failLaunch(launch.wrongKey ? wrongKey : failure, failure.retryable)
    this.#setTimer(
      clock.after(Math.max(deadline - clock.now(), 1), () => {
        failCall(
          called
            ? createStartFailure(
                'CONNECTION',
                'NO_CONNECTION',
                'The app answered but did not connect in time',
              )
            : createStartFailure('TIMEOUT', 'TIMEOUT', 'The app did not answer its webhook in time'),
        )
      }),
    )
    ports.loadApp(packageName, (loaded) => {
      if (!current()) return
      if (!loaded.ok)
        return this.#failLaunch(createStartFailure('STORE', 'STORE_UNAVAILABLE', 'The app could not be read'))
      const app = loaded.value
      if (!app)
        return this.#failLaunch(
          createStartFailure('WEBHOOK', 'APP_NOT_FOUND', 'The app does not exist any more', false),
        )
      this.#app = app
      const refusal = this.#deps.admit(this, app)
      if (refusal) return this.#failLaunch(refusal)
      this.#contacted = true
      const call = { type: 'session_request', packageName, sessionId } as const
      ports.callWebhook(call, Math.max(deadline - clock.now(), 1), (outcome) => {
        called = outcome.ok
        // A webhook that is not answered in time has the deadline of the whole start, which says so.
        if (!current() || outcome.ok || outcome.code === 'TIMEOUT') return
        failCall(createStartFailure('WEBHOOK', outcome.code, outcome.message, outcome.retryable))
      })
    })
  }

  /** @param again whether a restart may be tried again */
  #failLaunch(failure: StartFailure, again = failure.retryable): void {
    this.#launch = undefined
    this.#setTimer(undefined)
    const { log } = this.#deps
    log('app_start_failed', { packageName: this.packageName, stage: failure.stage, code: failure.code })
    this.#answer(failure)
    if (this.#phase === 'restarting') {
      if (!again) return this.stop('error', () => {})
      this.#restarts += 1
      return this.#restart()
    }
    // Nobody has it running yet: nothing is stored, and what the app may have begun is called off.
    this.stop('error', () => {})
  }

  #lost(): void {
    this.#beginAnew()
    this.#restart()
  }

  /** The app's own session is taken to be gone, and with it all that belonged to it. */
  #beginAnew(): void {
    this.#enter('restarting')
    this.#reset()
  }

  /** Nothing that belongs to the app's own session is for the next one. */
  #reset(): void {
    this.#backlog.take()
    this.#deps.reset(this)
  }

  #restart(): void {
    const { timing, clock, random, log } = this.#deps
    const wait = timing.restartBackoffMs[this.#restarts]
    if (wait === undefined) {
      log('app_given_up', { packageName: this.packageName })
      // The wearer still wants it: the stored row stays, so that the next session tries again.
      return this.stop('error', () => {}, false)
    }
    if (wait === 0) return this.#launchNow()
    this.#setTimer(clock.after(wait * (0.8 + 0.4 * random()), () => this.#launchNow()))
  }

  #store(): void {
    if (this.#stored) return this.#answer({ ok: true })
    const { ports, clock } = this.#deps
    ports.saveRunningApp(this.packageName, clock.now(), ({ ok }) => {
      if (this.#phase === 'stopping') return
      if (ok) {
        this.#stored = true
        return this.#answer({ ok: true })
      }
      this.#answer(createStartFailure('STORE', 'STORE_UNAVAILABLE', 'The start could not be stored'))
      this.stop('error', () => {})
    })
  }

  #answer(outcome: StartOutcome): void {
    for (const waiter of this.#waiting.splice(0)) waiter(outcome)
  }

  #dismiss(reason: StopReason, frame: CloseFrame): void {
    const peer = this.#peer
    this.#peer = undefined
    const { clock, sessionId } = this.#deps
    peer?.send({ type: 'app_stopped', reason, sessionId, timestamp: toIsoString(clock.now()) })
    peer?.close(frame.code, frame.reason)
  }

  #enter(phase: AppPhase): void {
    this.#phase = phase
    this.#since = toIsoString(this.#deps.clock.now())
    this.#deps.changed(this)
  }

  #setTimer(timer: Timer | undefined): void {
    this.#timer?.cancel()
    this.#timer = timer
  }
}

const wrongKey = createStartFailure(
  'AUTHENTICATION',
  'INVALID_API_KEY',
  'The app presented a wrong API key',
  false,
)
