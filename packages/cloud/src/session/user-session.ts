import {
  type AppState,
  type AppToCloud,
  type Capabilities,
  type CloseFrame,
  type CloudToApp,
  closeFrames,
  type DataStreamFields,
  type GlassesToCloud,
  type Message,
  type OsSettings,
  PHONE_PACKAGE,
} from '@glasses-cloud/contract'
import type { AppSession } from './apps/app-session.ts'
import { AppSessions } from './apps/app-sessions.ts'
import type { StartCallback } from './apps/start-outcome.ts'
import { type Clock, ScopedClock, toIsoString } from './clock.ts'
import { Device } from './device.ts'
import { AppMessages } from './features/app-messages/app-messages.ts'
import { AudioInput } from './features/audio-input.ts'
import { AudioOutput } from './features/audio-output.ts'
import { Buttons } from './features/buttons.ts'
import { Calendar } from './features/calendar.ts'
import { Dashboard } from './features/dashboard.ts'
import { DateTime } from './features/date-time.ts'
import { DisplayFeature } from './features/display-feature.ts'
import type { AppHandlers, GlassesHandlers, SessionContext, SessionFeature } from './features/feature.ts'
import { GlassesDevice } from './features/glasses-device.ts'
import { Led } from './features/led.ts'
import { Location } from './features/location.ts'
import { Notifications } from './features/notifications.ts'
import { PhoneApps } from './features/phone-apps.ts'
import { Photos } from './features/photos.ts'
import { Settings } from './features/settings.ts'
import { Streams } from './features/streams/streams.ts'
import { SubscriptionUpdates } from './features/subscription-updates.ts'
import { Transcription } from './features/transcription.ts'
import { WifiSetup } from './features/wifi-setup.ts'
import { GlassesLink } from './glasses-link.ts'
import { appRoutes, glassesRoutes } from './message-routes.ts'
import type { GlassesPeer, Peer } from './peer.ts'
import type { AppDefinition, Random, SessionLog, SessionPorts, StopReason } from './ports.ts'
import { StreamPublisher } from './stream-publisher.ts'
import { Subscriptions } from './subscriptions.ts'
import { DEFAULT_TIMING, type SessionTiming } from './timing.ts'

/** What a user session is made of. */
export interface UserSessionOptions {
  /** Letters and digits only, so that the first hyphen ends it in an app session id (decision I8). */
  readonly userSessionId: string
  /** The wearer's e-mail, which is what apps call a user. */
  readonly userEmail: string
  /** The apps stored as running. */
  readonly runningApps: readonly AppDefinition[]
  /** The session was there before this process: its apps may connect by themselves. */
  readonly isResumed: boolean
  readonly osSettings: OsSettings
  /** The package in whose name the cloud itself draws. */
  readonly systemPackage: string
  readonly clock: Clock
  readonly timing?: SessionTiming
  readonly random: Random
  readonly log: SessionLog
  readonly ports: SessionPorts
}

/**
 * The live state of one user: one glasses socket, the sockets of the running apps, and all that goes between them.
 * It does no I/O. Messages and closed sockets go in, effects come out through peers and ports, time comes from a
 * clock. Nothing happens after its end. What it can do beyond running apps is in its features, those among them that
 * the rest of the cloud reaches included.
 */
export class UserSession {
  readonly userSessionId: string
  readonly userEmail: string
  readonly #startedAt: number
  readonly #clock: ScopedClock
  readonly #ports: SessionPorts
  readonly #glasses: GlassesLink
  readonly #apps: AppSessions
  readonly #subscriptions = new Subscriptions()
  readonly #device = new Device()
  readonly #publisher: StreamPublisher
  readonly #display: DisplayFeature
  readonly #subscriptionUpdates: SubscriptionUpdates
  /** The state of the glasses, and what apps hear of it. */
  readonly glassesDevice: GlassesDevice
  /** The sound that the glasses hear. */
  readonly audio: AudioInput
  /** What was said. */
  readonly transcription: Transcription
  readonly photos: Photos
  /** The buttons that are not pressed by way of the socket. */
  readonly buttons: Buttons
  /** The streams of the glasses' camera, and where they are sent on to. */
  readonly streams: Streams
  /** The settings of the system and of the apps. */
  readonly settings: Settings
  /** Where the wearer is. */
  readonly location: Location
  readonly calendar: Calendar
  readonly notifications: Notifications
  /** The time where the wearer is. */
  readonly dateTime: DateTime
  readonly #features: readonly SessionFeature[]
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
    ownership_release: (_session, _message, app) => {
      if (app.peer) app.release(app.peer)
    },
  }
  #ended = false

  constructor(options: UserSessionOptions) {
    const { timing = DEFAULT_TIMING, userSessionId, userEmail, random, log, ports } = options
    const clock = new ScopedClock(options.clock)
    this.userSessionId = userSessionId
    this.userEmail = userEmail
    this.#clock = clock
    this.#ports = ports
    this.#startedAt = clock.now()
    this.#glasses = new GlassesLink({ clock, timing, expired: () => this.end() })
    this.#apps = new AppSessions({
      clock,
      timing,
      random,
      log,
      ports,
      userSessionId,
      userEmail,
      capabilities: () => this.#device.capabilities,
      onLaunch: (app) => this.#display.showBootScreen(app),
      onSocketConnected: (session, peer) => this.#acknowledgeApp(session, peer),
      onReset: (packageName) => this.#each((feature) => feature.onAppReset?.(packageName)),
      onRunning: (session) => this.#appStarted(session),
      onStopping: (packageName, reason) =>
        this.#glasses.send({ type: 'app_stopped', packageName, reason, timestamp: this.#now() }),
      onStateChanged: () => this.broadcastAppState(),
    })
    const phone = {
      sessionId: `${userSessionId}-${PHONE_PACKAGE}`,
      sendStream: (envelope: DataStreamFields, dataJson: string) =>
        this.#glasses.sendStream(envelope, dataJson),
    }
    const listener = (name: string) => (name === PHONE_PACKAGE ? phone : this.#apps.get(name))
    this.#publisher = new StreamPublisher(this.#subscriptions, listener, () => this.#now())
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
      publish: (stream, facets, data) => this.#publisher.publish(stream, facets, data),
      timestamp: () => this.#now(),
      createId: () => Math.floor(random() * 2 ** 52).toString(36),
    }
    this.#display = new DisplayFeature(context, options.isResumed)
    this.audio = new AudioInput(context, options.osSettings)
    this.transcription = new Transcription(context)
    this.glassesDevice = new GlassesDevice(context, (change) =>
      this.#each((feature) => feature.onDeviceChanged?.(change)),
    )
    this.settings = new Settings(context, options.osSettings, {
      modelChanged: (modelName) => this.glassesDevice.report({ modelName }),
      osSettingsChanged: (os) => this.#each((feature) => feature.onOsSettingsChanged?.(os)),
    })
    this.photos = new Photos(context)
    this.buttons = new Buttons(context)
    this.location = new Location(context)
    this.calendar = new Calendar(context)
    this.notifications = new Notifications(context)
    this.dateTime = new DateTime(context)
    this.streams = new Streams(context)
    this.#subscriptionUpdates = new SubscriptionUpdates(context, (session) =>
      this.#each((feature) => feature.onSubscriptionsChanged?.(session)),
    )
    const features: Features = [
      this.#subscriptionUpdates,
      new PhoneApps(context, () => this.#each((feature) => feature.onSubscriptionsChanged?.())),
      this.glassesDevice,
      this.audio,
      this.transcription,
      this.#display,
      this.photos,
      this.settings,
      this.streams,
      this.location,
      this.calendar,
      this.notifications,
      this.dateTime,
      new AudioOutput(context),
      new Led(context),
      new WifiSetup(context),
      new Dashboard(context, this.#display.display),
      new AppMessages(context),
    ]
    // Every hook is optional, and some features have none.
    this.#features = features as readonly object[] as readonly SessionFeature[]
    this.#receivers = [this, ...features]
    for (const app of options.runningApps) this.#apps.restore(app)
    if (options.isResumed) this.#apps.resume(true)
  }

  /** Whether the session is over. */
  get isEnded(): boolean {
    return this.#ended
  }

  // Glasses

  /** The glasses connected. The newest connection takes over. Acknowledgement first, app restarts after. */
  attachGlasses(peer: GlassesPeer): void {
    if (this.#ended) {
      const { code, reason } = closeFrames.SESSION_REOPENS
      return peer.close(code, reason)
    }
    this.#glasses.attach(peer)
    this.#acknowledgeGlasses()
    this.#each((feature) => feature.onGlassesConnected?.())
    this.#apps.resume(false)
  }

  /** A glasses socket closed. */
  detachGlasses(peer: Peer): void {
    this.#glasses.detach(peer)
  }

  /** A checked message from a glasses socket. What a replaced socket still says does not count. */
  handleGlassesMessage(peer: Peer, message: GlassesToCloud): void {
    if (!this.#glasses.isCurrent(peer)) return
    const route = GLASSES_ROUTES.get(message.type)
    // A route pairs a feature with the message types it handles; the compiler cannot follow that through the look-up.
    if (route) route.handle(this.#receivers[route.featureIndex] as never, message as never)
    else this.#publisher.publish(message.type, {}, message)
  }

  /** A message of a type the cloud does not know: for the apps that subscribed to its name. */
  handleUnknownGlassesMessage(peer: Peer, message: Message): void {
    if (this.#glasses.isCurrent(peer)) this.#publisher.publish(message.type, {}, message)
  }

  /** Sound from a glasses socket: PCM, whole samples. */
  handleGlassesAudio(peer: Peer, frame: Uint8Array): void {
    if (this.#glasses.isCurrent(peer) && frame.byteLength > 0) this.audio.receive(frame)
  }

  /** Sound from a glasses socket that could not be decoded. */
  handleUndecodableAudio(peer: Peer): void {
    if (this.#glasses.isCurrent(peer)) this.audio.receiveUndecodable()
  }

  // Apps

  /**
   * An authenticated socket of an app.
   * @returns false if the app does not run here and nobody started it
   */
  attachApp(peer: Peer, app: AppDefinition): boolean {
    return this.#apps.get(app.packageName)?.connect(peer, app) ?? false
  }

  /** A socket of an app closed. */
  detachApp(packageName: string, peer: Peer): void {
    this.#apps.get(packageName)?.disconnect(peer)
  }

  /** An app came with a wrong key. */
  recordInvalidAppKey(packageName: string): void {
    this.#apps.get(packageName)?.recordInvalidKey()
  }

  /** A checked message from an app's socket. What a replaced socket still says does not count. */
  handleAppMessage(packageName: string, peer: Peer, message: AppToCloud): void {
    const session = this.#apps.get(packageName)
    // While it is being stopped an app may still talk; nothing of that may take effect any more.
    if (!session || session.peer !== peer || session.phase !== 'running') return
    const route = APP_ROUTES.get(message.type)
    route?.handle(this.#receivers[route.featureIndex] as never, message as never, session)
  }

  // The rest of the cloud

  /** Starts an app; the waiter is told how that ended. */
  startApp(packageName: string, waiter: StartCallback): void {
    this.#apps.start(packageName, waiter)
  }

  /** Stops an app; `done` is told whether that is stored. */
  stopApp(packageName: string, reason: StopReason, done: (stored: boolean) => void): void {
    this.#apps.stop(packageName, reason, done)
  }

  /** An app was edited: if it runs here, it goes on with what it may do now. */
  updateApp(app: AppDefinition): void {
    const session = this.#apps.get(app.packageName)
    if (!session) return
    session.updateDefinition(app)
    this.#subscriptionUpdates.permissionsChanged(session)
    this.streams.permissionsChanged(session)
  }

  /** The state of the apps (decision C11). */
  get appState(): AppState {
    return this.#apps.state()
  }

  /** Tells the glasses that the apps or their states changed. */
  broadcastAppState(): void {
    this.#glasses.send({
      type: 'app_state_change',
      ...this.#apps.state(),
      userSession: this.#snapshot(),
      timestamp: this.#now(),
    })
  }

  /** Profile of the connected glasses; null while there are none, or of an unknown model. */
  get capabilities(): Capabilities | null {
    return this.#device.capabilities
  }

  /** Whether the app is here in any phase, one that is being stopped included: it may still have work to finish. */
  hasApp(packageName: string): boolean {
    return this.#apps.get(packageName) !== undefined
  }

  /** Ends the session for good: apps are told and closed, stored rows say which to bring back next time. */
  end(frame: CloseFrame = closeFrames.SESSION_ENDED): void {
    if (this.#ended) return
    this.#ended = true
    this.#clock.close()
    this.#each((feature) => feature.onSessionEnded?.())
    this.#apps.end()
    this.#glasses.close(frame)
    this.#ports.sessionEnded()
  }

  /** Leaves everything as it is and closes the sockets: this process goes down and will be back. */
  suspend(): void {
    if (this.#ended) return
    this.#ended = true
    this.#clock.close()
    this.#each((feature) => feature.onSessionEnded?.())
    this.#apps.suspend(closeFrames.RESTARTING)
    this.#glasses.close(closeFrames.RESTARTING)
  }

  #acknowledgeGlasses(): void {
    this.#glasses.send({
      type: 'connection_ack',
      sessionId: this.userSessionId,
      userId: this.userEmail,
      userSession: this.#snapshot(),
      timestamp: this.#now(),
    })
  }

  #acknowledgeApp(session: AppSession, peer: Peer): void {
    const { packageName, sessionId } = session
    this.settings.loadApp(packageName, (settings) => {
      // An app that was stopped meanwhile is told so next, and must not be taken for one that runs.
      if (this.#ended || session.peer !== peer || session.phase !== 'running') return
      peer.send({
        type: 'tpa_connection_ack',
        sessionId,
        settings: settings.ok ? settings.value : [],
        mentraosSettings: this.settings.os,
        augmentosSettings: this.settings.os,
        capabilities: this.#device.capabilities,
        timestamp: this.#now(),
      } satisfies CloudToApp)
      this.#each((feature) => feature.onAppConnected?.(session, peer))
      session.markAcknowledged(peer)
    })
  }

  #appStarted(session: AppSession): void {
    this.#glasses.send({ type: 'app_started', packageName: session.packageName, timestamp: this.#now() })
    this.#each((feature) => feature.onAppStarted?.(session))
  }

  #each(act: (feature: SessionFeature) => void): void {
    for (const feature of this.#features) act(feature)
  }

  /** What older clients read (glasses socket protocol, 1.5). */
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

  #now(): string {
    return toIsoString(this.#clock.now())
  }
}

const FEATURES = [
  SubscriptionUpdates,
  PhoneApps,
  GlassesDevice,
  AudioInput,
  Transcription,
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
