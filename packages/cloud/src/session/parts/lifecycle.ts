import {
  type AppState,
  appState,
  type CloudToApp,
  connectedGlasses,
  hardwareOf,
  type LiveSession,
  liveSession,
} from '@glasses-cloud/contract'
import { type Static, Type } from 'typebox'
import { toIsoString } from '../../time/index.ts'
import { type StartCallback, type StartOutcome, startOutcome } from '../apps/app-launch.ts'
import type { AppSession } from '../apps/app-session.ts'
import { command, LONG_DEADLINE_MS, optional, promiseOf } from '../command.ts'
import type { PhoneConnection } from '../glasses-link.ts'
import type { Peer } from '../peer.ts'
import { type AppDefinition, appDefinition, type StopReason } from '../ports.ts'
import { AudioInput } from './audio-input.ts'
import type { AppHandlers, GlassesHandlers, SessionContext } from './part.ts'
import { Settings } from './settings.ts'

const sessionActivity = Type.Object({
  hasGlasses: Type.Boolean({ description: 'Whether a socket of the phone is open' }),
  model: Type.Union([Type.Null(), Type.String()], {
    description: 'Model of the glasses as the phone reports it; null if it is unknown',
  }),
  appSockets: Type.Integer({ description: 'Open sockets of apps' }),
  microphone: Type.Array(Type.Enum(['pcm', 'transcription']), {
    description: 'What the microphone is on for; empty while it is off',
  }),
})

function toPhone(phone: PhoneConnection | undefined): LiveSession['phone'] {
  return phone ? { userAgent: phone.userAgent ?? null, at: toIsoString(phone.at) } : null
}

/** What is connected to a session, for operators. */
export type SessionActivity = Static<typeof sessionActivity>

/** Starts, stops and acknowledges: connections of the glasses and of apps, the state of the apps, and the overview. */
export class Lifecycle {
  static readonly glassesHandlers: GlassesHandlers<Lifecycle> = {
    connection_init: (lifecycle) => lifecycle.acknowledgeGlasses(),
    start_app: (lifecycle, { packageName }) => {
      lifecycle.#context.ports.acceptFirstUse(packageName)
      lifecycle.startApp(packageName, () => {})
    },
    stop_app: (lifecycle, { packageName }) => lifecycle.stopApp(packageName, 'user_disabled', () => {}),
    ping: () => {},
    pong: () => {},
    // Audio arrives on this socket only.
    livekit_init: () => {},
    udp_register: () => {},
    udp_unregister: () => {},
    touch_event: (lifecycle, message) =>
      lifecycle.#context.publish('touch_event', { gesture: message.gesture_name }, message),
  }
  static readonly appHandlers: AppHandlers<Lifecycle> = {
    tpa_connection_init: (lifecycle, _message, app) => {
      if (app.peer) lifecycle.acknowledgeApp(app, app.peer)
    },
    reconnect: (lifecycle, _message, app) => {
      if (app.peer) lifecycle.acknowledgeApp(app, app.peer)
    },
    ownership_release: (_lifecycle, { reason }, app) => {
      if (app.peer) app.release(app.peer, reason)
    },
  }
  static readonly commands = {
    /** Starts an app that the user may see; resolves once the app is connected and the start is stored, or it failed (decision C8). */
    startApp: command(
      [appDefinition],
      startOutcome,
      (lifecycle: Lifecycle, app) =>
        promiseOf<StartOutcome>((resolve) => lifecycle.startApp(app.packageName, resolve, app)),
      { deadlineMs: LONG_DEADLINE_MS },
    ),
    /** Stops an app; resolves once the stop is stored. Does nothing if the app is not running (decision C9). */
    stopApp: command(
      [Type.String()],
      Type.Void(),
      (lifecycle: Lifecycle, packageName) =>
        promiseOf<void>((resolve, reject) =>
          lifecycle.stopApp(packageName, 'user_disabled', (isRowDeleted) =>
            isRowDeleted ? resolve() : reject(new Error('The stopped app could not be stored')),
          ),
        ),
      { deadlineMs: LONG_DEADLINE_MS },
    ),
    /** Returns whether the app is in the session, in any phase. An app that is being stopped may still have work to finish. */
    hasApp: command(
      [Type.String()],
      Type.Boolean(),
      (lifecycle: Lifecycle, packageName) => lifecycle.#context.apps.get(packageName) !== undefined,
    ),
    /** Returns the network address of the app's live socket. */
    appAddress: command(
      [Type.String()],
      optional(Type.String()),
      (lifecycle: Lifecycle, packageName) => lifecycle.#context.apps.get(packageName)?.address,
    ),
    appState: command([], appState, (lifecycle: Lifecycle) => lifecycle.appState),
    /** Sends `app_state_change` to the glasses because the list of installed apps changed. */
    appsChanged: command([], Type.Void(), (lifecycle: Lifecycle) => lifecycle.broadcastAppState()),
    /** Returns the connected glasses, or null if no known device is connected (decision C6). */
    glasses: command(
      [],
      Type.Union([Type.Null(), connectedGlasses]),
      (lifecycle: Lifecycle) => lifecycle.#context.device.glasses,
    ),
    /** Returns the session as web pages show it. */
    overview: command([], liveSession, (lifecycle: Lifecycle) => lifecycle.overview),
    /** Returns what is connected to the session. */
    activity: command([], sessionActivity, (lifecycle: Lifecycle) => lifecycle.#activity),
    /** Ends the session and closes its sockets with the code. */
    end: command(
      [Type.Object({ code: Type.Integer(), reason: Type.String() })],
      Type.Void(),
      (lifecycle: Lifecycle, frame) => lifecycle.#context.end(frame),
      { isDoneIfGone: true },
    ),
  }

  readonly #context: SessionContext
  readonly #startedAt: number

  constructor(context: SessionContext) {
    this.#context = context
    this.#startedAt = context.clock.now()
  }

  /** The state of all apps (decision C11). */
  get appState(): AppState {
    return this.#context.apps.state()
  }

  /** The session as web pages show it. */
  get overview(): LiveSession {
    const { device, isGlassesSocketOpen, phones } = this.#context
    const { connected, refused } = phones()
    const { modelName, capabilities, isDisconnected } = device
    const { activeApps, loadingApps } = this.appState
    return {
      isPhoneConnected: isGlassesSocketOpen(),
      phone: toPhone(connected),
      refusedPhone: toPhone(refused),
      glasses:
        modelName === null || isDisconnected || !isGlassesSocketOpen()
          ? null
          : { modelName, hardware: capabilities && hardwareOf(capabilities) },
      runningApps: activeApps,
      startingApps: loadingApps,
    }
  }

  /**
   * Starts an app. The callback receives the outcome.
   * @param requested the app, if it has been read for the request
   */
  startApp(packageName: string, callback: StartCallback, requested?: AppDefinition): void {
    const { apps, guard } = this.#context
    guard(() => apps.start(packageName, callback, { requested }))
  }

  /** Stops an app. `done` receives whether the stop is stored. */
  stopApp(packageName: string, reason: StopReason, done: (isRowDeleted: boolean) => void): void {
    const { apps, guard } = this.#context
    let isStopping = false
    guard(() => {
      apps.stop(packageName, reason, done)
      isStopping = true
    })
    if (!isStopping) done(false)
  }

  acknowledgeGlasses(): void {
    const { userSessionId, userEmail, sendToGlasses, timestamp } = this.#context
    sendToGlasses({
      type: 'connection_ack',
      sessionId: userSessionId,
      userId: userEmail,
      userSession: this.#snapshot(),
      timestamp: timestamp(),
    })
  }

  /** Sends `app_state_change` to the glasses. */
  broadcastAppState(): void {
    const { sendToGlasses, timestamp } = this.#context
    sendToGlasses({
      type: 'app_state_change',
      ...this.appState,
      userSession: this.#snapshot(),
      timestamp: timestamp(),
    })
  }

  /** Acknowledges the socket of an app once its settings are loaded. */
  acknowledgeApp(session: AppSession, peer: Peer): void {
    const { packageName, sessionId } = session
    const { isEnded, device, timestamp, forEachPart, part } = this.#context
    const settings = part(Settings)
    settings.loadApp(packageName, (loaded) => {
      // The app may have been stopped or replaced its socket while its settings were loading.
      if (isEnded() || session.peer !== peer || session.phase !== 'running') return
      peer.send({
        type: 'tpa_connection_ack',
        sessionId,
        settings: loaded.ok ? loaded.value : [],
        mentraosSettings: settings.os,
        augmentosSettings: settings.os,
        capabilities: device.capabilities,
        timestamp: timestamp(),
      } satisfies CloudToApp)
      forEachPart((each) => each.onAppConnected?.(session, peer))
      session.markAcknowledged(peer)
    })
  }

  announceStart(session: AppSession): void {
    const { sendToGlasses, timestamp, forEachPart } = this.#context
    sendToGlasses({ type: 'app_started', packageName: session.packageName, timestamp: timestamp() })
    forEachPart((part) => part.onAppStarted?.(session))
  }

  announceStop(packageName: string, reason: StopReason): void {
    const { sendToGlasses, timestamp } = this.#context
    sendToGlasses({ type: 'app_stopped', packageName, reason, timestamp: timestamp() })
  }

  get #activity(): SessionActivity {
    const { isGlassesSocketOpen, device, apps, part } = this.#context
    return {
      hasGlasses: isGlassesSocketOpen(),
      model: device.modelName,
      appSockets: [...apps.connected()].length,
      microphone: [...part(AudioInput).microphone],
    }
  }

  /** The `userSession` object for older clients (glasses-socket.md §1.5). */
  #snapshot() {
    const { userEmail, subscriptions } = this.#context
    const { activeApps, loadingApps } = this.appState
    const { transcriptionLanguages, requiresAudio } = subscriptions
    return {
      userId: userEmail,
      startTime: toIsoString(this.#startedAt),
      activeAppSessions: activeApps,
      loadingApps,
      appSubscriptions: subscriptions.snapshot(),
      requiresAudio,
      minimumTranscriptionLanguages: transcriptionLanguages,
      isTranscribing: transcriptionLanguages.length > 0,
    }
  }
}
