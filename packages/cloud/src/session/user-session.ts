import {
  type AppState,
  type AppToCloud,
  type CloseFrame,
  type CloudToApp,
  type ConnectedGlasses,
  closeFrames,
  type DataStreamFields,
  type GlassesToCloud,
  hardwareOf,
  type LiveSession,
  type Message,
  PHONE_PACKAGE,
  type PhoneSettings,
} from '@glasses-cloud/contract'
import { type Clock, toIsoString } from '../time/index.ts'
import type { AppSession, PhotoRoute } from './apps/app-session.ts'
import { AppSessions } from './apps/app-sessions.ts'
import type { StartCallback } from './apps/start-outcome.ts'
import { Device } from './device.ts'
import { GlassesLink } from './glasses-link.ts'
import { GuardedPorts } from './guarded-ports.ts'
import { appRoutes, glassesRoutes } from './message-routes.ts'
import { AppMessages } from './parts/app-messages/app-messages.ts'
import { AudioInput } from './parts/audio-input.ts'
import { AudioOutput } from './parts/audio-output.ts'
import { Buttons } from './parts/buttons.ts'
import { Calendar } from './parts/calendar.ts'
import { Dashboard } from './parts/dashboard.ts'
import { DateTime } from './parts/date-time.ts'
import { DisplayFeature } from './parts/display-feature.ts'
import { GlassesDevice } from './parts/glasses-device.ts'
import { Led } from './parts/led.ts'
import { Location } from './parts/location.ts'
import { Notifications } from './parts/notifications.ts'
import type { AppHandlers, GlassesHandlers, SessionContext, SessionPart } from './parts/part.ts'
import { PhoneApps } from './parts/phone-apps.ts'
import { Photos } from './parts/photos.ts'
import { Settings } from './parts/settings.ts'
import { Speech } from './parts/speech/speech.ts'
import { SubscriptionUpdates } from './parts/subscription-updates.ts'
import { Transcription } from './parts/transcription.ts'
import { Streams } from './parts/video/streams.ts'
import { WifiSetup } from './parts/wifi-setup.ts'
import type { GlassesPeer, Peer } from './peer.ts'
import type { AppDefinition, Random, SessionLog, SessionPorts, StopReason } from './ports.ts'
import type { MicrophoneData } from './required-data.ts'
import { ScopedClock } from './scoped-clock.ts'
import { StreamPublisher } from './stream-publisher.ts'
import { Subscriptions } from './subscriptions.ts'
import { DEFAULT_TIMING, type SessionTiming } from './timing.ts'

export interface UserSessionOptions {
  /** Letters and digits only, so that the first hyphen ends it in an app session id (decision I8). */
  readonly userSessionId: string
  readonly userEmail: string
  /** The apps stored as running. */
  readonly runningApps: readonly AppDefinition[]
  /** Whether the session existed before the process started, so that its apps may reconnect without a webhook call. */
  readonly isResumed: boolean
  readonly phoneSettings: PhoneSettings
  /** The package name that owns the dashboard and the boot screen. */
  readonly systemPackage: string
  /** Whether a package may read recent audio; false if absent. */
  readonly keepsRecentAudio?: boolean
  readonly clock: Clock
  readonly timing?: SessionTiming
  readonly random: Random
  readonly log: SessionLog
  readonly ports: SessionPorts
}

/** What is connected to a session, for operators. */
export interface SessionActivity {
  /** Whether a socket of the phone is open. */
  readonly hasGlasses: boolean
  /** Model of the glasses as the phone reports it; null if it is unknown. */
  readonly model: string | null
  /** Open sockets of apps. */
  readonly appSockets: number
  /** What the microphone is on for; empty while it is off. */
  readonly microphone: readonly MicrophoneData[]
}

/**
 * The live state of one user: the glasses socket, the sockets of the running apps, and the routing between them. The
 * session does no I/O: messages and closed sockets are its input, peers and ports its output, and the clock its time.
 * Nothing happens after its end. Everything beyond running apps is implemented by its features. An exception in any
 * part ends the session and is not thrown, so that it affects no other user.
 */
export class UserSession {
  readonly userSessionId: string
  readonly userEmail: string
  readonly #startedAt: number
  readonly #clock: ScopedClock
  readonly #ports: SessionPorts
  readonly #log: SessionLog
  readonly #glasses: GlassesLink
  readonly #apps: AppSessions
  readonly #subscriptions = new Subscriptions()
  readonly #device = new Device()
  readonly #publisher: StreamPublisher
  readonly #display: DisplayFeature
  readonly #subscriptionUpdates: SubscriptionUpdates
  readonly glassesDevice: GlassesDevice
  readonly audio: AudioInput
  readonly audioOutput: AudioOutput
  readonly transcription: Transcription
  readonly #speech: Speech
  readonly photos: Photos
  readonly buttons: Buttons
  readonly streams: Streams
  readonly settings: Settings
  readonly location: Location
  readonly calendar: Calendar
  readonly notifications: Notifications
  readonly dateTime: DateTime
  readonly #features: readonly SessionPart[]
  /** The session and its features, in the order of `RECEIVERS`. */
  readonly #receivers: Receivers

  static readonly glassesHandlers: GlassesHandlers<UserSession> = {
    connection_init: (session) => session.#acknowledgeGlasses(),
    start_app: (session, { packageName }) => session.startApp(packageName, () => {}),
    stop_app: (session, { packageName }) => session.stopApp(packageName, 'user_disabled', () => {}),
    ping: () => {},
    pong: () => {},
    // Audio arrives on this socket only.
    livekit_init: () => {},
    udp_register: () => {},
    udp_unregister: () => {},
    touch_event: (session, message) =>
      session.#publisher.publish('touch_event', { gesture: message.gesture_name }, message),
  }
  static readonly appHandlers: AppHandlers<UserSession> = {
    tpa_connection_init: (session, _message, app) => {
      if (app.peer) session.#acknowledgeApp(app, app.peer)
    },
    reconnect: (session, _message, app) => {
      if (app.peer) session.#acknowledgeApp(app, app.peer)
    },
    ownership_release: (_session, _message, app) => {
      if (app.peer) app.release(app.peer)
    },
  }
  #isEnded = false

  constructor(options: UserSessionOptions) {
    const { timing = DEFAULT_TIMING, userSessionId, userEmail, random, log } = options
    const guard = (task: () => void) => void this.#guard(task)
    const clock = new ScopedClock(options.clock, guard)
    const ports = new GuardedPorts(options.ports, guard)
    this.userSessionId = userSessionId
    this.userEmail = userEmail
    this.#clock = clock
    this.#ports = ports
    this.#log = log
    this.#startedAt = clock.now()
    this.#glasses = new GlassesLink({ clock, timing, onExpired: () => this.end() })
    this.#apps = new AppSessions({
      clock,
      timing,
      random,
      log,
      ports,
      userSessionId,
      userEmail,
      systemPackage: options.systemPackage,
      guard,
      glasses: () => this.#device.glasses,
      onLaunch: (app) => this.#display.showBootScreen(app),
      onSocketConnected: (session, peer) => this.#acknowledgeApp(session, peer),
      onReset: (packageName) => this.#forEachFeature((feature) => feature.onAppReset?.(packageName)),
      onRunning: (session) => this.#announceStart(session),
      onStopping: (packageName, reason) =>
        this.#glasses.send({ type: 'app_stopped', packageName, reason, timestamp: this.#timestamp() }),
      onStateChanged: () => {
        this.broadcastAppState()
        this.#ports.overviewChanged()
      },
    })
    const phone = {
      sessionId: `${userSessionId}-${PHONE_PACKAGE}`,
      sendStream: (envelope: DataStreamFields, dataJson: string) =>
        this.#glasses.sendStream(envelope, dataJson),
    }
    const findSubscriber = (name: string) => (name === PHONE_PACKAGE ? phone : this.#apps.get(name))
    this.#publisher = new StreamPublisher(this.#subscriptions, findSubscriber, () => this.#timestamp())
    const context: SessionContext = {
      userSessionId,
      userEmail,
      systemPackage: options.systemPackage,
      clock,
      timing,
      random,
      log,
      ports,
      apps: this.#apps,
      subscriptions: this.#subscriptions,
      device: this.#device,
      isGlassesSocketOpen: () => this.#glasses.isOpen,
      sendToGlasses: (message) => this.#glasses.send(message),
      setAudioFormat: (format) => this.#glasses.setAudioFormat(format),
      sendToApps: (messageFor) => {
        for (const session of this.#apps.connected()) session.peer?.send(messageFor(session))
      },
      publish: (stream, facets, data, replacementKey) =>
        this.#publisher.publish(stream, facets, data, replacementKey),
      timestamp: () => this.#timestamp(),
      guard,
      createId: () => Math.floor(random() * 2 ** 52).toString(36),
    }
    this.#display = new DisplayFeature(context, options.isResumed)
    this.audio = new AudioInput(context, options.phoneSettings, options.keepsRecentAudio === true)
    this.transcription = new Transcription(context)
    this.#speech = new Speech(context, this, options.phoneSettings)
    this.glassesDevice = new GlassesDevice(context, (change) => {
      this.#forEachFeature((feature) => feature.onDeviceChanged?.(change))
      if (change.glassesChanged) this.#ports.overviewChanged()
    })
    this.settings = new Settings(context, options.phoneSettings, {
      modelChanged: (modelName) => this.glassesDevice.report({ modelName }),
      phoneSettingsChanged: (settings) =>
        this.#forEachFeature((feature) => feature.onPhoneSettingsChanged?.(settings)),
    })
    this.photos = new Photos(context)
    this.buttons = new Buttons(context)
    this.location = new Location(context)
    this.calendar = new Calendar(context)
    this.notifications = new Notifications(context)
    this.dateTime = new DateTime(context)
    this.audioOutput = new AudioOutput(context)
    this.streams = new Streams(context)
    this.#subscriptionUpdates = new SubscriptionUpdates(context, (session) =>
      this.#forEachFeature((feature) => feature.onSubscriptionsChanged?.(session)),
    )
    const features: Features = [
      this.#subscriptionUpdates,
      new PhoneApps(context, () => this.#forEachFeature((feature) => feature.onSubscriptionsChanged?.())),
      this.glassesDevice,
      this.audio,
      this.#speech,
      this.#display,
      this.photos,
      this.settings,
      this.streams,
      this.location,
      this.calendar,
      this.notifications,
      this.dateTime,
      this.audioOutput,
      new Led(context),
      new WifiSetup(context),
      new Dashboard(context, this.#display.display),
      new AppMessages(context),
    ]
    // Every hook is optional, and some features have none.
    this.#features = features as readonly object[] as readonly SessionPart[]
    this.#receivers = [this, ...features]
    for (const app of options.runningApps) this.#apps.restore(app)
    if (options.isResumed) this.#apps.resume(true)
  }

  get isEnded(): boolean {
    return this.#isEnded
  }

  // Glasses

  /** Attaches a glasses socket, which replaces an older one. It is acknowledged before any app is restarted. */
  attachGlasses(peer: GlassesPeer): void {
    if (this.#isEnded) {
      const { code, reason } = closeFrames.SESSION_REOPENS
      return peer.close(code, reason)
    }
    this.#guard(() => {
      this.#glasses.attach(peer)
      this.#acknowledgeGlasses()
      this.#forEachFeature((feature) => feature.onGlassesConnected?.())
      this.#apps.resume(false)
      this.#ports.overviewChanged()
    })
  }

  /** Detaches a glasses socket that closed. */
  detachGlasses(peer: Peer): void {
    this.#guard(() => {
      this.#glasses.detach(peer)
      this.#ports.overviewChanged()
    })
  }

  /** Handles a validated message from a glasses socket. Messages from a replaced socket are ignored. */
  handleGlassesMessage(peer: Peer, message: GlassesToCloud): void {
    if (!this.#glasses.isCurrent(peer)) return
    const route = GLASSES_ROUTES.get(message.type)
    try {
      // A route pairs a feature with the message types it handles; the compiler cannot follow that through the look-up.
      if (route) route.handle(this.#receivers[route.featureIndex] as never, message as never)
      else this.#publisher.publish(message.type, {}, message)
    } catch (error) {
      this.#fail(error)
    }
  }

  /** Publishes a message of an unknown type to the apps that are subscribed to the type. */
  handleUnknownGlassesMessage(peer: Peer, message: Message): void {
    if (this.#glasses.isCurrent(peer)) this.#guard(() => this.#publisher.publish(message.type, {}, message))
  }

  /** Handles PCM audio from a glasses socket. A frame contains whole samples. */
  handleGlassesAudio(peer: Peer, frame: Uint8Array): void {
    if (!this.#glasses.isCurrent(peer) || frame.byteLength === 0) return
    try {
      this.audio.receive(frame)
      this.#speech.receiveAudio(frame)
    } catch (error) {
      this.#fail(error)
    }
  }

  /** Handles an audio frame from a glasses socket that could not be decoded. */
  handleUndecodableAudio(peer: Peer): void {
    if (this.#glasses.isCurrent(peer)) this.#guard(() => this.audio.receiveUndecodable())
  }

  // Apps

  /**
   * Attaches an authenticated app socket.
   * @returns false if the app is neither running nor starting
   */
  attachApp(peer: Peer, app: AppDefinition, photoRoute: PhotoRoute = 'upload'): boolean {
    let isAttached = false
    this.#guard(() => {
      isAttached = this.#apps.get(app.packageName)?.connect(peer, app, photoRoute) ?? false
    })
    return isAttached
  }

  /** Detaches an app socket that closed. */
  detachApp(packageName: string, peer: Peer): void {
    this.#guard(() => this.#apps.get(packageName)?.disconnect(peer))
  }

  /** Records that a client presented an invalid API key for an app; see `AppLaunch.recordInvalidKey`. */
  recordInvalidAppKey(packageName: string): void {
    this.#apps.get(packageName)?.recordInvalidKey()
  }

  /** Handles a validated message from an app socket. Messages from a replaced socket are ignored. */
  handleAppMessage(packageName: string, peer: Peer, message: AppToCloud): void {
    const session = this.#apps.get(packageName)
    // An app that is being stopped may still send messages; they must have no effect.
    if (!session || session.peer !== peer || session.phase !== 'running') return
    const route = APP_ROUTES.get(message.type)
    try {
      route?.handle(this.#receivers[route.featureIndex] as never, message as never, session)
    } catch (error) {
      this.#fail(error)
    }
  }

  // The rest of the cloud

  /** Starts an app. The callback receives the outcome. */
  startApp(packageName: string, callback: StartCallback): void {
    this.#guard(() => this.#apps.start(packageName, callback))
  }

  /** Stops an app. `done` receives whether the stop is stored. */
  stopApp(packageName: string, reason: StopReason, done: (isStored: boolean) => void): void {
    const complete = once(done)
    const isOk = this.#guard(() => this.#apps.stop(packageName, reason, complete))
    if (!isOk) complete(false)
  }

  /** Replaces the definition of an app that was edited, so that its new permissions apply. */
  updateApp(definition: AppDefinition): void {
    const session = this.#apps.get(definition.packageName)
    if (!session) return
    this.#guard(() => {
      session.updateDefinition(definition)
      this.#subscriptionUpdates.permissionsChanged(session)
      this.streams.permissionsChanged(session)
    })
  }

  /** The state of all apps (decision C11). */
  get appState(): AppState {
    return this.#apps.state()
  }

  /** Sends `app_state_change` to the glasses. */
  broadcastAppState(): void {
    this.#glasses.send({
      type: 'app_state_change',
      ...this.#apps.state(),
      userSession: this.#snapshot(),
      timestamp: this.#timestamp(),
    })
  }

  /** What is connected to the session. */
  get activity(): SessionActivity {
    return {
      hasGlasses: this.#glasses.isOpen,
      model: this.#device.modelName,
      appSockets: [...this.#apps.connected()].length,
      microphone: this.audio.microphone,
    }
  }

  /** The connected glasses; null for an unknown model and without glasses. */
  get glasses(): ConnectedGlasses | null {
    return this.#device.glasses
  }

  /** The session as web pages show it. */
  get overview(): LiveSession {
    const { modelName, capabilities, isDisconnected } = this.#device
    const { activeApps, loadingApps } = this.#apps.state()
    return {
      isPhoneConnected: this.#glasses.isOpen,
      glasses:
        modelName === null || isDisconnected || !this.#glasses.isOpen
          ? null
          : { modelName, hardware: capabilities && hardwareOf(capabilities) },
      runningApps: activeApps,
      startingApps: loadingApps,
    }
  }

  /** Whether the app is in the session, in any phase. An app that is being stopped may still have work to finish. */
  hasApp(packageName: string): boolean {
    return this.#apps.get(packageName) !== undefined
  }

  /** Ends the session: apps are notified and closed; their stored rows remain for the next session. */
  end(frame: CloseFrame = closeFrames.SESSION_ENDED): void {
    if (this.#isEnded) return
    this.#endFeatures()
    this.#apps.end()
    this.#guard(() => this.#glasses.close(frame))
    this.#ports.sessionEnded()
  }

  /** Closes all sockets with a code that makes their clients reconnect, because the process is about to restart. */
  suspend(): void {
    if (this.#isEnded) return
    this.#endFeatures()
    this.#apps.suspend(closeFrames.RESTARTING)
    this.#guard(() => this.#glasses.close(closeFrames.RESTARTING))
  }

  /**
   * Runs a task of the rest of the cloud on the features of the session.
   * @throws the exception of the task, which also ends the session
   */
  call<Result>(task: (session: UserSession) => Result): Result {
    try {
      return task(this)
    } catch (error) {
      this.#fail(error)
      throw error
    }
  }

  /** @returns whether the task completed; an exception ends the session */
  #guard(task: () => void): boolean {
    try {
      task()
      return true
    } catch (error) {
      this.#fail(error)
      return false
    }
  }

  #fail(error: unknown): void {
    this.#log('session_failed')
    this.#ports.sessionFailed(error)
    this.end(closeFrames.SESSION_CRASHED)
  }

  #endFeatures(): void {
    this.#isEnded = true
    this.#clock.close()
    for (const feature of this.#features) this.#guard(() => feature.onSessionEnded?.())
  }

  #acknowledgeGlasses(): void {
    this.#glasses.send({
      type: 'connection_ack',
      sessionId: this.userSessionId,
      userId: this.userEmail,
      userSession: this.#snapshot(),
      timestamp: this.#timestamp(),
    })
  }

  #acknowledgeApp(session: AppSession, peer: Peer): void {
    const { packageName, sessionId } = session
    this.settings.loadApp(packageName, (settings) => {
      // The app may have been stopped or replaced its socket while its settings were loading.
      if (this.#isEnded || session.peer !== peer || session.phase !== 'running') return
      peer.send({
        type: 'tpa_connection_ack',
        sessionId,
        settings: settings.ok ? settings.value : [],
        mentraosSettings: this.settings.os,
        augmentosSettings: this.settings.os,
        capabilities: this.#device.capabilities,
        timestamp: this.#timestamp(),
      } satisfies CloudToApp)
      this.#forEachFeature((feature) => feature.onAppConnected?.(session, peer))
      session.markAcknowledged(peer)
    })
  }

  #announceStart(session: AppSession): void {
    this.#glasses.send({
      type: 'app_started',
      packageName: session.packageName,
      timestamp: this.#timestamp(),
    })
    this.#forEachFeature((feature) => feature.onAppStarted?.(session))
  }

  #forEachFeature(call: (feature: SessionPart) => void): void {
    for (const feature of this.#features) call(feature)
  }

  /** The `userSession` object for older clients (glasses-socket.md §1.5). */
  #snapshot() {
    const { activeApps, loadingApps } = this.#apps.state()
    const { transcriptionLanguages, requiresAudio } = this.#subscriptions
    return {
      userId: this.userEmail,
      startTime: toIsoString(this.#startedAt),
      activeAppSessions: activeApps,
      loadingApps,
      appSubscriptions: this.#subscriptions.snapshot(),
      requiresAudio,
      minimumTranscriptionLanguages: transcriptionLanguages,
      isTranscribing: transcriptionLanguages.length > 0,
    }
  }

  #timestamp(): string {
    return toIsoString(this.#clock.now())
  }
}

const FEATURES = [
  SubscriptionUpdates,
  PhoneApps,
  GlassesDevice,
  AudioInput,
  Speech,
  DisplayFeature,
  Photos,
  Settings,
  Streams,
  Location,
  Calendar,
  Notifications,
  DateTime,
  AudioOutput,
  Led,
  WifiSetup,
  Dashboard,
  AppMessages,
] as const
const RECEIVERS = [UserSession, ...FEATURES] as const

type Instances<Classes extends readonly (new (...args: never[]) => unknown)[]> = {
  -readonly [Index in keyof Classes]: InstanceType<Classes[Index]>
}
type Features = Instances<typeof FEATURES>
type Receivers = readonly [UserSession, ...Features]

const GLASSES_ROUTES = glassesRoutes(RECEIVERS)
const APP_ROUTES = appRoutes(RECEIVERS)

/** Wraps a callback so that only its first call has an effect. */
function once<Args extends unknown[]>(callback: (...args: Args) => void): (...args: Args) => void {
  let wasCalled = false
  return (...args) => {
    if (wasCalled) return
    wasCalled = true
    callback(...args)
  }
}
