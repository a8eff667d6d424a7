import assert from 'node:assert/strict'
import {
  ABNORMAL_CLOSURE,
  type AppState,
  type AppToCloud,
  type Permission,
  PHONE_SETTING_DEFAULTS,
} from '@glasses-cloud/contract'
import { VirtualClock } from '../../time/testing/virtual-clock.ts'
import type { SessionCommands } from '../parts/index.ts'
import { Lifecycle } from '../parts/lifecycle.ts'
import type { AppDefinition, SessionPorts } from '../ports.ts'
import { isolatedAppMessaging } from '../testing/session-rig.ts'
import { UserSession } from '../user-session.ts'
import { AppServers } from './app-servers.ts'
import { AppSockets } from './app-sockets.ts'
import type { Area } from './areas/area.ts'
import { SubscriptionLists } from './areas/subscription-lists.ts'
import { Database } from './database.ts'
import {
  CallbackPeer,
  DEFINITIONS,
  PACKAGES,
  type Package,
  type SeededRandom,
  SYSTEM_PACKAGE,
} from './fixtures.ts'

export type AreaClass = new (environment: Environment) => Area

/** A running app that can send something. */
export interface AppClient {
  readonly packageName: Package
  readonly peer: CallbackPeer
  send(message: AppToCloud): void
}

/**
 * A user session in an environment with random faults: app servers that refuse, delay or do not answer, a database
 * that fails, sockets that break. The environment and its areas keep a model of the expected state, which the
 * invariants compare with the session.
 */
export class Environment {
  readonly clock = new VirtualClock()
  readonly session: UserSession
  readonly random: SeededRandom
  readonly subscriptionLists: SubscriptionLists
  readonly areas: readonly Area[]
  /** When the phone last reported a location. */
  lastPositionAt: number | undefined
  /** The apps that the user started and did not stop since. */
  readonly requestedApps = new Set<string>()
  readonly glasses: CallbackPeer[] = []
  readonly appSockets: AppSockets
  readonly database: Database
  /** The steps so far. */
  readonly trace: string[] = []
  starts = { requested: 0, answered: 0 }
  stops = { requested: 0, answered: 0 }
  endCount = 0
  /** The exception that injected faults throw. */
  readonly injectedError = new Error('injected')
  /** How often the session reported the injected exception. */
  failureCount = 0
  /** Whether faults have stopped, so that everything must come to rest. */
  isCalm = false
  readonly #apps = new Map(DEFINITIONS)
  readonly #servers: AppServers
  /** The glasses socket that the session uses. It may be broken without the session having detected it. */
  #attached: CallbackPeer | undefined
  /** The app state after the last step or timer. */
  #state: AppState | undefined
  #serial = 0

  constructor(random: SeededRandom, resumedRows: readonly Package[], areas: readonly AreaClass[]) {
    this.random = random
    this.database = new Database(this)
    this.appSockets = new AppSockets(this)
    for (const packageName of resumedRows) {
      this.database.rows.add(packageName)
      this.requestedApps.add(packageName)
    }
    this.#servers = new AppServers(this)
    this.subscriptionLists = new SubscriptionLists(this)
    this.areas = [this.subscriptionLists, ...areas.map((AreaClass) => new AreaClass(this))]
    this.session = new UserSession({
      userSessionId: 'us1',
      userEmail: 'wearer@example.com',
      runningApps: resumedRows.map((packageName) => this.definition(packageName)),
      isResumed: resumedRows.length > 0,
      phoneSettings: PHONE_SETTING_DEFAULTS,
      systemPackage: SYSTEM_PACKAGE,
      clock: this.clock,
      random: random.next,
      log: () => {},
      ports: Object.assign(this.#ports(), ...this.areas.map(({ ports }) => ports)),
    })
    this.observe()
    this.clock.onTimerRun = () => this.observe()
  }

  /** Returns a number that was not returned before. */
  nextSerial(): number {
    return this.#serial++
  }

  /** The open glasses socket, if any. */
  get currentGlasses(): CallbackPeer | undefined {
    const newest = this.glasses.at(-1)
    return newest && !newest.closed ? newest : undefined
  }

  /** Whether the session considers glasses connected. */
  get hasAttachedGlasses(): boolean {
    return this.#attached !== undefined
  }

  /** The number of messages of a type that the connected glasses received. */
  countSentToGlasses(type: string): number {
    return this.currentGlasses?.messagesOfType(type).length ?? 0
  }

  definition(packageName: string): AppDefinition {
    const definition = this.#apps.get(packageName as Package)
    assert(definition)
    return definition
  }

  permissions(packageName: string): readonly Permission[] {
    return this.definition(packageName).permissions
  }

  /** The apps that run, including those that are reconnecting. */
  get activeApps(): readonly Package[] {
    return (this.#state?.activeApps ?? []) as Package[]
  }

  /** The apps of the session in any phase. */
  get apps(): AppState['apps'] {
    return this.#state?.apps ?? []
  }

  pickPackage(among: readonly Package[] = PACKAGES): Package {
    const packageName = this.random.pick(among)
    this.trace.push(`${this.trace.pop() ?? ''} ${packageName}`)
    return packageName
  }

  /** Picks an app that can send messages: the given one or a random one. */
  pickClient(packageName?: Package): AppClient | undefined {
    return this.#pickFrom(this.#connectedApps.filter((name) => (packageName ?? name) === name))
  }

  /** Picks an acknowledged app. Used for bursts, whose responses would exceed the queue of another app. */
  pickAcknowledgedClient(): AppClient | undefined {
    return this.#pickFrom(
      this.#connectedApps.filter((name) => this.appSockets.acknowledgedSince(name) !== undefined),
    )
  }

  connectGlasses(): void {
    const peer = new CallbackPeer(`glasses${this.nextSerial()}`, (message, by) => {
      if (!by.closed) for (const area of this.areas) area.onGlassesMessage?.(by, message)
    })
    peer.onClose = () => this.detachGlasses(peer)
    this.glasses.push(peer)
    this.#attached = peer
    this.session.attachGlasses(peer)
  }

  detachGlasses(peer: CallbackPeer): void {
    if (this.#attached === peer) this.#attached = undefined
    this.session.detachGlasses(peer)
  }

  breakGlasses(): void {
    const peer = this.currentGlasses
    if (peer) this.breakSocket(peer, () => this.detachGlasses(peer))
  }

  /** Breaks a socket. The session detects it immediately or later. */
  breakSocket(peer: CallbackPeer, detach: () => void): void {
    peer.onClose = undefined
    peer.close(ABNORMAL_CLOSURE, 'broken')
    if (this.random.chance(0.5)) detach()
    else this.clock.after(this.random.below(3_000), detach)
  }

  /** Makes every attempt to send throw, until the returned function is called. */
  breakSending(): () => void {
    const peers = [...this.glasses, ...this.appSockets.recentPeers]
    for (const peer of peers) peer.sendError = this.injectedError
    return () => {
      for (const peer of peers) peer.sendError = undefined
    }
  }

  /** Runs a command as the rest of the cloud does, at any time. */
  run(command: keyof SessionCommands, ...args: unknown[]): unknown {
    try {
      return this.session.run(command, args)
    } catch (error) {
      if (error !== this.injectedError) throw error
      return undefined
    }
  }

  /** Sends a random subscription list. */
  subscribe(packageName: Package): void {
    const client = this.pickClient(packageName)
    if (!client) return
    const { random } = this
    const streams = [
      'button_press',
      'transcription:en-US',
      'audio_chunk',
      'calendar_event',
      'nonsense',
      'location_update',
    ]
    const tiers = ['realtime', 'high', 'standard', 'kilometer', 'reduced', 'odd']
    const subscriptions = [
      ...streams.filter(() => random.chance(0.3)),
      ...(random.chance(0.3) ? [{ stream: 'location_stream', rate: random.pick(tiers) }] : []),
    ]
    for (const area of this.areas) area.onSubscriptionUpdate?.(packageName, subscriptions)
    client.send({ type: 'subscription_update', subscriptions })
  }

  /** Changes the permissions of a running app. */
  edit(packageName: Package, permissions: readonly Permission[]): void {
    const edited = { ...this.definition(packageName), permissions }
    this.#apps.set(packageName, edited)
    for (const area of this.areas) area.onPermissionsEdited?.(packageName)
    this.session.updateApp(edited)
  }

  start(packageName: Package): void {
    this.requestedApps.add(packageName)
    this.starts.requested += 1
    let responses = 0
    this.session.part(Lifecycle).startApp(packageName, (outcome) => {
      responses += 1
      assert.equal(responses, 1, 'a start is answered once')
      this.starts.answered += 1
      if (outcome.ok) assert(this.database.rows.has(packageName), 'an acknowledged start is stored')
    })
  }

  stop(packageName: Package): void {
    this.requestedApps.delete(packageName)
    this.stops.requested += 1
    let responses = 0
    this.session.part(Lifecycle).stopApp(packageName, 'user_disabled', (isStored) => {
      responses += 1
      assert.equal(responses, 1, 'a stop is answered once')
      this.stops.answered += 1
      if (isStored && !this.requestedApps.has(packageName)) {
        assert(!this.database.rows.has(packageName), 'an acknowledged stop is stored')
      }
    })
  }

  /** Updates the model of all areas. Called after each step and each timer. */
  observe(): void {
    if (this.endCount > 0) return
    const before = this.activeApps
    this.#state = this.session.appState
    for (const packageName of before) {
      if (this.activeApps.includes(packageName)) continue
      for (const area of this.areas) area.onAppLost?.(packageName)
    }
    for (const area of this.areas) area.observe?.()
  }

  /** The running apps with an open socket. */
  get #connectedApps(): readonly Package[] {
    const isRunning = (name: string) =>
      this.apps.some((app) => app.packageName === name && app.state === 'running')
    return PACKAGES.filter((name) => this.appSockets.openPeers(name).length > 0 && isRunning(name))
  }

  #pickFrom(candidates: readonly Package[]): AppClient | undefined {
    if (candidates.length === 0) return undefined
    const packageName = this.pickPackage(candidates)
    const [peer] = this.appSockets.openPeers(packageName)
    if (!peer) return undefined
    return { packageName, peer, send: (message) => this.session.handleAppMessage(packageName, peer, message) }
  }

  #ports(): SessionPorts {
    return {
      loadApp: (packageName, _, done) => this.database.execute(done, () => this.definition(packageName)),
      acceptFirstUse: () => {},
      saveRunningApp: ({ packageName }, _, done) =>
        this.database.execute(done, () => void this.database.rows.add(packageName), { isWrite: true }),
      deleteRunningApp: (packageName, done) =>
        this.database.execute(done, () => void this.database.rows.delete(packageName), { isWrite: true }),
      restoreFailed: (_, done) => this.database.execute(done, () => false, { isWrite: true }),
      restoreSucceeded: () => {},
      appMessages: isolatedAppMessaging,
      loadAppSettings: (_, done) => this.database.execute(done, () => []),
      loadPhoneSettings: (done) => this.database.execute(done, () => PHONE_SETTING_DEFAULTS),
      saveOsSettings: (_, done) => this.database.execute(done, () => undefined, { isWrite: true }),
      callWebhook: ({ packageName }, { type }, timeoutMs, done) =>
        this.#servers.call(packageName as Package, type, timeoutMs, done),
      createPhotoTarget: () => ({ webhookUrl: 'http://cloud.test/upload', authToken: 'token' }),
      toPhoneUrl: (url) => url,
      reportPhotoError: () => {},
      sessionFailed: (error) => {
        // Everything else is a bug or a violated invariant.
        if (error !== this.injectedError) throw error
        this.failureCount += 1
      },
      overviewChanged: () => {},
      glassesChanged: () => {},
      sessionEnded: () => {
        this.endCount += 1
      },
    }
  }
}
