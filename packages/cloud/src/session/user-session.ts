import { isDeepStrictEqual } from 'node:util'
import {
  type AppState,
  type AppToCloud,
  type CloseFrame,
  closeFrames,
  type DataStreamFields,
  type GlassesToCloud,
  type Message,
  PHONE_PACKAGE,
  type PhoneSettings,
} from '@glasses-cloud/contract'
import { type Clock, toIsoString } from '../time/index.ts'
import type { AppConnection } from './apps/app-session.ts'
import { AppSessions } from './apps/app-sessions.ts'
import { Device } from './device.ts'
import { GlassesLink } from './glasses-link.ts'
import { guardCallbacks } from './guard-callbacks.ts'
import { AudioInput } from './parts/audio-input.ts'
import { SESSION_COMMANDS, SESSION_PARTS } from './parts/index.ts'
import { Lifecycle } from './parts/lifecycle.ts'
import { type PartClass, routesOf, type SessionContext, type SessionPart } from './parts/part.ts'
import { Speech } from './parts/speech/speech.ts'
import type { GlassesPeer, Peer } from './peer.ts'
import type { AppDefinition, Random, SessionLog, SessionPorts } from './ports.ts'
import { ScopedClock } from './scoped-clock.ts'
import { StreamPublisher } from './stream-publisher.ts'
import { Subscriptions } from './subscriptions.ts'
import { DEFAULT_TIMING, type SessionTiming } from './timing.ts'

const PARTS: readonly PartClass[] = SESSION_PARTS
const GLASSES_ROUTES = routesOf(PARTS, ({ glassesHandlers }) => glassesHandlers)
const APP_ROUTES = routesOf(PARTS, ({ appHandlers }) => appHandlers)

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
  /** Whether a package may read recent audio, for which phones send PCM also while they recognize speech; false if absent. */
  readonly offersRecentAudio?: boolean
  readonly clock: Clock
  readonly timing?: SessionTiming
  readonly random: Random
  readonly log: SessionLog
  readonly ports: SessionPorts
}

/**
 * The live state of one user: the glasses socket, the sockets of the running apps, and the parts between them, each of
 * which declares the messages and commands it handles. The session does no I/O: messages, closed sockets and commands
 * are its input, peers and ports its output, and the clock its time. Nothing happens after its end. An exception in any
 * part ends the session, so that it affects no other user.
 */
export class UserSession {
  readonly userSessionId: string
  readonly #clock: ScopedClock
  readonly #ports: SessionPorts
  readonly #log: SessionLog
  readonly #glasses: GlassesLink
  readonly #apps: AppSessions
  readonly #publisher: StreamPublisher
  /** In the order of `SESSION_PARTS`. */
  readonly #parts: object[] = []
  readonly #lifecycle: Lifecycle
  readonly #audio: AudioInput
  readonly #speech: Speech
  #isEnded = false

  constructor(options: UserSessionOptions) {
    const { timing = DEFAULT_TIMING, userSessionId, userEmail, random, log, systemPackage } = options
    const guard = (task: () => void) => void this.#guard(task)
    const clock = new ScopedClock(options.clock, guard)
    const ports = guardCallbacks(options.ports, guard)
    const device = new Device()
    const subscriptions = new Subscriptions()
    const timestamp = () => toIsoString(clock.now())
    this.userSessionId = userSessionId
    this.#clock = clock
    this.#ports = ports
    this.#log = log
    this.#glasses = new GlassesLink({ clock, timing, onExpired: () => this.end() })
    this.#apps = new AppSessions({
      clock,
      timing,
      random,
      log,
      ports,
      userSessionId,
      userEmail,
      systemPackage,
      guard,
      glasses: () => device.glasses,
      onLaunch: (definition) => this.#forEachPart((part) => part.onAppLaunch?.(definition)),
      onSocketConnected: (app, peer) => this.#lifecycle.acknowledgeApp(app, peer),
      onReset: (packageName) => this.#forEachPart((part) => part.onAppReset?.(packageName)),
      onRunning: (app) => this.#lifecycle.announceStart(app),
      onStopping: (packageName, reason) => this.#lifecycle.announceStop(packageName, reason),
      onUnresponsive: (app, isGivenUp) =>
        this.#forEachPart((part) => part.onAppUnresponsive?.(app, isGivenUp)),
      onStateChanged: () => {
        this.#lifecycle.broadcastAppState()
        ports.overviewChanged()
      },
    })
    const phone = {
      sessionId: `${userSessionId}-${PHONE_PACKAGE}`,
      permittedSince: () => Number.NEGATIVE_INFINITY,
      sendStream: (envelope: DataStreamFields, dataJson: string) =>
        this.#glasses.sendStream(envelope, dataJson),
    }
    const findSubscriber = (name: string) => (name === PHONE_PACKAGE ? phone : this.#apps.get(name))
    this.#publisher = new StreamPublisher(subscriptions, findSubscriber, timestamp)
    const context: SessionContext = {
      userSessionId,
      userEmail,
      systemPackage,
      isResumed: options.isResumed,
      phoneSettings: options.phoneSettings,
      offersRecentAudio: options.offersRecentAudio === true,
      clock,
      timing,
      random,
      log,
      ports,
      apps: this.#apps,
      subscriptions,
      device,
      part: (type) => this.part(type),
      forEachPart: (call) => this.#forEachPart(call),
      isGlassesSocketOpen: () => this.#glasses.isOpen,
      phones: () => ({ connected: this.#glasses.phone, refused: this.#glasses.refused }),
      sendToGlasses: (message) => this.#glasses.send(message),
      setAudioFormat: (format) => this.#glasses.setAudioFormat(format),
      sendToApps: (messageFor) => {
        for (const session of this.#apps.connected()) session.peer?.send(messageFor(session))
      },
      publish: (stream, facets, data, replacementKey, begunAt) =>
        this.#publisher.publish(stream, facets, data, replacementKey, begunAt),
      timestamp,
      createId: () => Math.floor(random() * 2 ** 52).toString(36),
      guard,
      isEnded: () => this.#isEnded,
      end: (frame) => this.end(frame),
    }
    for (const Part of SESSION_PARTS) this.#parts.push(new Part(context))
    this.#lifecycle = this.part(Lifecycle)
    this.#audio = this.part(AudioInput)
    this.#speech = this.part(Speech)
    for (const app of options.runningApps) this.#apps.restore(app)
    if (options.isResumed) this.#apps.resume(true)
  }

  get isEnded(): boolean {
    return this.#isEnded
  }

  /** The state of all apps (decision C11). */
  get appState(): AppState {
    return this.#apps.state()
  }

  /** The package names of the apps in the session, in any phase. */
  get packageNames(): string[] {
    return this.#apps.packageNames
  }

  /** Whether an app is in the session, in any phase. */
  hasApp(packageName: string): boolean {
    return this.#apps.get(packageName) !== undefined
  }

  /** Returns a part of the session. */
  part<Part extends object>(type: new (context: SessionContext) => Part): Part {
    const found = this.#parts.find((part): part is Part => part instanceof type)
    if (!found) throw new Error(`${type.name} does not exist yet`)
    return found
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
      this.#lifecycle.acknowledgeGlasses()
      this.#forEachPart((part) => part.onGlassesConnected?.())
      this.#apps.resume(false)
      this.#ports.overviewChanged()
    })
  }

  /**
   * Attaches a glasses socket as `attachGlasses`, unless phones of the user push each other out again and again: then the
   * one that is connected and responds stays, and the other one is closed.
   */
  async connectGlasses(peer: GlassesPeer): Promise<void> {
    const contested = this.#glasses.contested
    const isAlive = contested !== undefined && (await contested.isAlive())
    if (isAlive && !this.#isEnded && this.#glasses.isCurrent(contested)) this.#guard(() => this.#refuse(peer))
    else this.attachGlasses(peer)
  }

  #refuse(peer: GlassesPeer): void {
    this.#log('phone_refused')
    const message = 'Another phone has your glasses. Disconnect it there, or sign out, to use this one'
    const timestamp = toIsoString(this.#clock.now())
    peer.send({ type: 'connection_error', code: 'GLASSES_IN_USE', message, timestamp })
    if (this.#glasses.refuse(peer)) this.#forEachPart((part) => part.onPhoneRefused?.())
    this.#ports.overviewChanged()
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
      const part = route && this.#parts[route.partIndex]
      if (part) route.handle(part, message)
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
      this.#audio.receive(frame)
      this.#speech.receiveAudio(frame)
    } catch (error) {
      this.#fail(error)
    }
  }

  /** Handles an audio frame from a glasses socket that could not be decoded. */
  handleUndecodableAudio(peer: Peer): void {
    if (this.#glasses.isCurrent(peer)) this.#guard(() => this.#audio.receiveUndecodable())
  }

  /** Reports that audio from a glasses socket exceeded its budget and was dropped. */
  handleDroppedAudio(peer: Peer, ms: number): void {
    if (this.#glasses.isCurrent(peer)) this.#guard(() => this.#audio.reportDropped(ms))
  }

  // Apps

  /**
   * Attaches an authenticated app socket.
   * @returns false if the app is neither running nor starting
   */
  attachApp(peer: Peer, app: AppDefinition, connection: AppConnection = {}): boolean {
    let isAttached = false
    this.updateApp(app)
    this.#guard(() => {
      isAttached = this.#apps.get(app.packageName)?.connect(peer, app, connection) ?? false
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
      const part = route && this.#parts[route.partIndex]
      if (part) route.handle(part, message, session)
    } catch (error) {
      this.#fail(error)
    }
  }

  // The rest of the cloud

  /**
   * Runs a command, which a part declares; see `SessionHandle`.
   * @throws the exception of the part, which also ends the session
   */
  run(name: string, args: readonly unknown[]): unknown {
    const command = SESSION_COMMANDS.get(name)
    const part = command && this.#parts[command.partIndex]
    if (!part) throw new Error(`No part of a session has the command ${name}`)
    try {
      return command.run(part, ...args)
    } catch (error) {
      this.#fail(error)
      throw error
    }
  }

  /** Replaces the definition of an app that was edited, or whose permissions the user changed; they apply from now on. */
  updateApp(definition: AppDefinition): void {
    const app = this.#apps.get(definition.packageName)
    if (!app || isDeepStrictEqual(app.definition, definition)) return
    this.#guard(() => {
      app.updateDefinition(definition)
      this.#forEachPart((part) => part.onAppUpdated?.(app))
    })
  }

  /** Ends the session: apps are notified and closed; their stored rows remain for the next session. */
  end(frame: CloseFrame = closeFrames.SESSION_ENDED): void {
    if (this.#isEnded) return
    this.#endParts()
    this.#apps.end()
    this.#guard(() => this.#glasses.close(frame))
    this.#ports.sessionEnded()
  }

  /** Closes all sockets with a code that makes their clients reconnect, because the process is about to restart. */
  suspend(): void {
    if (this.#isEnded) return
    this.#endParts()
    this.#apps.suspend(closeFrames.RESTARTING)
    this.#guard(() => this.#glasses.close(closeFrames.RESTARTING))
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

  #endParts(): void {
    this.#isEnded = true
    this.#clock.close()
    this.#forEachPart((part) => this.#guard(() => part.onSessionEnded?.()))
  }

  #forEachPart(call: (part: SessionPart) => void): void {
    for (const part of this.#parts) call(part)
  }
}
