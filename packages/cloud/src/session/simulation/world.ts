import assert from 'node:assert/strict'
import {
  ABNORMAL_CLOSURE,
  type AppState,
  type AppToCloud,
  OS_SETTING_DEFAULTS,
  type Permission,
} from '@glasses-cloud/contract'
import type { AppDefinition, SessionPorts } from '../ports.ts'
import { isolatedAppMessaging } from '../testing/isolated-app-messaging.ts'
import { VirtualClock } from '../testing/virtual-clock.ts'
import { UserSession } from '../user-session.ts'
import { AppServers } from './app-servers.ts'
import { AppSockets } from './app-sockets.ts'
import type { Area, AreaOf } from './areas/area.ts'
import { Lists } from './areas/lists.ts'
import { definitions, type Package, packages, systemPackage } from './cast.ts'
import { Database } from './database.ts'
import { HeardPeer } from './heard-peer.ts'
import type { SeededRandom } from './random.ts'

/** A running app that can say something. */
export interface Speaker {
  readonly packageName: Package
  readonly peer: HeardPeer
  say(message: AppToCloud): void
}

/**
 * A user session with a world around it that misbehaves by the dice: app servers that refuse, dawdle or connect
 * late, a database that fails, sockets that break. It keeps a model of what was asked for, to check the session by;
 * what belongs to one side of the session is kept in an area of its own.
 */
export class World {
  readonly clock = new VirtualClock()
  readonly session: UserSession
  readonly random: SeededRandom
  /** What apps listen to. */
  readonly lists: Lists
  readonly areas: readonly Area[]
  /** When the phone said last where the wearer is. */
  positionAt: number | undefined
  /** What the wearer asked to run, and did not ask to stop since. */
  readonly wanted = new Set<string>()
  readonly glasses: HeardPeer[] = []
  readonly appSockets: AppSockets
  readonly database: Database
  /** What happened, and to whom. */
  readonly trace: string[] = []
  starts = { asked: 0, answered: 0 }
  stops = { asked: 0, answered: 0 }
  ended = 0
  /** From here on nothing fails any more: the end of a run, in which everything must come to rest. */
  calm = false
  readonly #apps = new Map(definitions)
  readonly #servers: AppServers
  /** The glasses socket that the session holds; it may be broken without the session knowing. */
  #attached: HeardPeer | undefined
  /** The apps as they stood when it was looked last. */
  #state: AppState | undefined
  #serial = 0

  constructor(random: SeededRandom, resumedRows: readonly Package[], areas: readonly AreaOf[]) {
    this.random = random
    this.database = new Database(this)
    this.appSockets = new AppSockets(this)
    for (const packageName of resumedRows) {
      this.database.rows.add(packageName)
      this.wanted.add(packageName)
    }
    this.#servers = new AppServers(this)
    this.lists = new Lists(this)
    this.areas = [this.lists, ...areas.map((AreaClass) => new AreaClass(this))]
    this.session = new UserSession({
      userSessionId: 'us1',
      userEmail: 'wearer@example.com',
      runningApps: resumedRows.map((packageName) => this.definition(packageName)),
      isResumed: resumedRows.length > 0,
      osSettings: OS_SETTING_DEFAULTS,
      systemPackage,
      clock: this.clock,
      random: random.next,
      log: () => {},
      ports: Object.assign(this.#ports(), ...this.areas.map(({ ports }) => ports)),
    })
    this.observe()
    this.clock.onTimerRun = () => this.observe()
  }

  /** A number that was not given before. */
  serial(): number {
    return this.#serial++
  }

  /** The open glasses socket, if any. */
  get currentGlasses(): HeardPeer | undefined {
    const newest = this.glasses.at(-1)
    return newest && !newest.closed ? newest : undefined
  }

  /** Whether the session takes glasses to be connected. */
  get hasGlasses(): boolean {
    return this.#attached !== undefined
  }

  /** How many messages of a type the connected glasses were sent. */
  askedOfGlasses(type: string): number {
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

  /** The apps that run, if only for a moment without their socket. */
  get activeApps(): readonly Package[] {
    return (this.#state?.activeApps ?? []) as Package[]
  }

  /** The apps of the session, in whatever phase. */
  get apps(): AppState['apps'] {
    return this.#state?.apps ?? []
  }

  somePackage(among: readonly Package[] = packages): Package {
    const packageName = this.random.pick(among)
    this.trace.push(`${this.trace.pop() ?? ''} ${packageName}`)
    return packageName
  }

  /** A random app, or that one, if the session listens to it now. */
  speaker(packageName?: Package): Speaker | undefined {
    return this.#oneOf(this.#speaking.filter((name) => (packageName ?? name) === name))
  }

  /** A random app that has its acknowledgement: the answers to very much would not all wait for another. */
  hearingSpeaker(): Speaker | undefined {
    return this.#oneOf(this.#speaking.filter((name) => this.appSockets.hearingSince(name) !== undefined))
  }

  connectGlasses(): void {
    const peer = new HeardPeer(`glasses${this.serial()}`, (message, by) => {
      if (!by.closed) for (const area of this.areas) area.glassesHear?.(by, message)
    })
    peer.onClose = () => this.detachGlasses(peer)
    this.glasses.push(peer)
    this.#attached = peer
    this.session.attachGlasses(peer)
  }

  detachGlasses(peer: HeardPeer): void {
    if (this.#attached === peer) this.#attached = undefined
    this.session.detachGlasses(peer)
  }

  breakGlasses(): void {
    const peer = this.currentGlasses
    if (peer) this.breakOff(peer, () => this.detachGlasses(peer))
  }

  /** A socket breaks; the session hears of it now or, as with networks, later. */
  breakOff(peer: HeardPeer, detach: () => void): void {
    peer.onClose = undefined
    peer.close(ABNORMAL_CLOSURE, 'broken')
    if (this.random.chance(0.5)) detach()
    else this.clock.after(this.random.below(3_000), detach)
  }

  /** An app gives a list of its own choice. */
  subscribe(packageName: Package): void {
    const speaker = this.speaker(packageName)
    if (!speaker) return
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
    for (const area of this.areas) area.appSubscribed?.(packageName, subscriptions)
    speaker.say({ type: 'subscription_update', subscriptions })
  }

  /** An app is given other permissions while it runs. */
  edit(packageName: Package, permissions: readonly Permission[]): void {
    const edited = { ...this.definition(packageName), permissions }
    this.#apps.set(packageName, edited)
    for (const area of this.areas) area.appEdited?.(packageName)
    this.session.updateApp(edited)
  }

  start(packageName: Package): void {
    this.wanted.add(packageName)
    this.starts.asked += 1
    let answers = 0
    this.session.startApp(packageName, (outcome) => {
      answers += 1
      assert.equal(answers, 1, 'a start is answered once')
      this.starts.answered += 1
      if (outcome.ok) assert(this.database.rows.has(packageName), 'an acknowledged start is stored')
    })
  }

  stop(packageName: Package): void {
    this.wanted.delete(packageName)
    this.stops.asked += 1
    let answers = 0
    this.session.stopApp(packageName, 'user_disabled', (stored) => {
      answers += 1
      assert.equal(answers, 1, 'a stop is answered once')
      this.stops.answered += 1
      if (stored && !this.wanted.has(packageName)) {
        assert(!this.database.rows.has(packageName), 'an acknowledged stop is stored')
      }
    })
  }

  /** Tells the areas what came of what just happened. */
  observe(): void {
    if (this.ended > 0) return
    const before = this.activeApps
    this.#state = this.session.appState
    for (const packageName of before) {
      if (this.activeApps.includes(packageName)) continue
      for (const area of this.areas) area.appLost?.(packageName)
    }
    for (const area of this.areas) area.observe?.()
  }

  /** The apps that the session listens to. */
  get #speaking(): readonly Package[] {
    const isRunning = (name: string) =>
      this.apps.some((app) => app.packageName === name && app.state === 'running')
    return packages.filter((name) => this.appSockets.open(name).length > 0 && isRunning(name))
  }

  #oneOf(speaking: readonly Package[]): Speaker | undefined {
    if (speaking.length === 0) return undefined
    const packageName = this.somePackage(speaking)
    const [peer] = this.appSockets.open(packageName)
    if (!peer) return undefined
    return { packageName, peer, say: (message) => this.session.handleAppMessage(packageName, peer, message) }
  }

  #ports(): SessionPorts {
    return {
      loadApp: (packageName, done) => this.database.answer(done, () => this.definition(packageName)),
      saveRunningApp: (packageName, _, done) =>
        this.database.answer(done, () => void this.database.rows.add(packageName), { isWrite: true }),
      deleteRunningApp: (packageName, done) =>
        this.database.answer(done, () => void this.database.rows.delete(packageName), { isWrite: true }),
      appMessages: isolatedAppMessaging,
      loadAppSettings: (_, done) => this.database.answer(done, () => []),
      loadOsSettings: (done) => this.database.answer(done, () => OS_SETTING_DEFAULTS),
      saveOsSettings: (_, done) => this.database.answer(done, () => undefined, { isWrite: true }),
      callWebhook: (call, timeoutMs, done) => this.#servers.call(call, timeoutMs, done),
      createPhotoTarget: () => ({ webhookUrl: 'http://cloud.test/upload', authToken: 'token' }),
      toPhoneUrl: (address) => address,
      reportPhotoError: () => {},
      sessionEnded: () => {
        this.ended += 1
      },
    }
  }
}
