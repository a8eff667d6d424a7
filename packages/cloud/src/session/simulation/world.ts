import assert from 'node:assert/strict'
import { osSettingDefaults } from '@glasses-cloud/contract'
import type { SessionPorts, Stored, WebhookOutcome } from '../ports.ts'
import { nobodyElse } from '../testing/nobody-else.ts'
import { RecordingPeer } from '../testing/recording-peer.ts'
import { appOf } from '../testing/session-rig.ts'
import { VirtualClock } from '../testing/virtual-clock.ts'
import { UserSession } from '../user-session.ts'
import type { SeededRandom } from './random.ts'

/** The apps of every simulated world: two that exclude each other, one in the background. */
export const packages = ['com.standard-a', 'com.standard-b', 'com.background'] as const
export type Package = (typeof packages)[number]

const definitions = new Map(
  packages.map((packageName) => [
    packageName,
    appOf(packageName, { appType: packageName === 'com.background' ? 'BACKGROUND' : 'STANDARD' }),
  ]),
)

/**
 * A user session with a world around it that misbehaves by the dice: app servers that refuse, dawdle or connect
 * late, a database that fails, sockets that break. It keeps a model of what was asked for, to check the session by.
 */
export class World {
  readonly clock = new VirtualClock()
  readonly session: UserSession
  readonly random: SeededRandom
  /** The last text each app asked to show. */
  readonly pictures = new Map<string, string>()
  /** Rows. */
  readonly rows = new Set<string>()
  /** What the wearer asked to run, and did not ask to stop since. */
  readonly wanted = new Set<string>()
  readonly glasses: RecordingPeer[] = []
  readonly appPeers = new Map<string, RecordingPeer[]>()
  starts = { asked: 0, answered: 0 }
  stops = { asked: 0, answered: 0 }
  ended = 0
  /** From here on nothing fails any more: the end of a run, in which everything must come to rest. */
  calm = false
  #serial = 0

  constructor(random: SeededRandom, resumedRows: readonly Package[]) {
    this.random = random
    for (const packageName of resumedRows) {
      this.rows.add(packageName)
      this.wanted.add(packageName)
    }
    this.session = new UserSession({
      userSessionId: 'us1',
      userId: 'wearer@example.com',
      running: resumedRows.flatMap((packageName) => definitions.get(packageName) ?? []),
      resumed: resumedRows.length > 0,
      osSettings: osSettingDefaults,
      systemPackage: 'system.dashboard',
      clock: this.clock,
      random: random.next,
      log: () => {},
      ports: this.#ports(),
    })
  }

  /** The glasses socket the session holds, if any. */
  get currentGlasses(): RecordingPeer | undefined {
    const newest = this.glasses.at(-1)
    return newest && !newest.closed ? newest : undefined
  }

  /** The open sockets of an app. */
  openPeers(packageName: string): RecordingPeer[] {
    return (this.appPeers.get(packageName) ?? []).filter(({ closed }) => !closed)
  }

  connectGlasses(): void {
    const peer = new RecordingPeer(`glasses${this.#serial++}`)
    peer.onClose = () => this.session.detachGlasses(peer)
    this.glasses.push(peer)
    this.session.attachGlasses(peer)
  }

  /** A socket breaks; the session hears of it now or, as with networks, later. */
  breakPeer(peer: RecordingPeer, detach: () => void): void {
    peer.onClose = undefined
    peer.close(1006, 'broken')
    if (this.random.chance(0.5)) detach()
    else this.clock.after(this.random.below(3_000), detach)
  }

  connectApp(packageName: Package): void {
    const definition = definitions.get(packageName)
    assert(definition)
    const peer = new RecordingPeer(`${packageName}#${this.#serial++}`)
    peer.onClose = () => this.session.detachApp(packageName, peer)
    const taken = this.session.attachApp(peer, definition)
    if (!taken) {
      peer.onClose = undefined
      peer.close(1008, 'refused')
      return
    }
    this.appPeers.set(packageName, [...this.openPeers(packageName), peer])
    if (this.random.chance(0.8)) this.subscribe(packageName, peer)
  }

  subscribe(packageName: string, peer: RecordingPeer): void {
    const streams = ['button_press', 'transcription:en-US', 'audio_chunk', 'calendar_event', 'nonsense']
    const subscriptions = streams.filter(() => this.random.chance(0.4))
    this.session.fromApp(packageName, peer, { type: 'subscription_update', subscriptions })
  }

  /** A running app shows a text. */
  show(packageName: string, durationMs?: number): void {
    const [peer] = this.openPeers(packageName)
    if (!peer) return
    const text = `${packageName} ${this.#serial++}`
    if (durationMs === undefined) this.pictures.set(packageName, text)
    this.session.fromApp(packageName, peer, {
      type: 'display_event',
      view: 'main',
      layout: { layoutType: 'text_wall', text },
      durationMs,
    })
  }

  start(packageName: Package): void {
    this.wanted.add(packageName)
    this.starts.asked += 1
    let answers = 0
    this.session.startApp(packageName, (outcome) => {
      answers += 1
      assert.equal(answers, 1, 'a start is answered once')
      this.starts.answered += 1
      if (outcome.ok) assert(this.rows.has(packageName), 'an acknowledged start is stored')
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
        assert(!this.rows.has(packageName), 'an acknowledged stop is stored')
      }
    })
  }

  #ports(): SessionPorts {
    // Writes keep their order, as the real ones do.
    let writesUntil = 0
    const answer = <Value>(done: (outcome: Stored<Value>) => void, value: () => Value, write = false) => {
      const fails = !this.calm && this.random.chance(0.03)
      let at = this.clock.now() + this.random.below(this.calm ? 5 : 400)
      if (write) writesUntil = at = Math.max(at, writesUntil)
      this.clock.after(at - this.clock.now(), () =>
        done(fails ? { ok: false } : { ok: true, value: value() }),
      )
    }
    return {
      loadApp: (packageName, done) => answer(done, () => definitions.get(packageName as Package)),
      saveRunning: (packageName, _, done) => answer(done, () => void this.rows.add(packageName), true),
      clearRunning: (packageName, done) => answer(done, () => void this.rows.delete(packageName), true),
      appMessages: nobodyElse,
      loadAppSettings: (_, done) => answer(done, () => []),
      loadOsSettings: (done) => answer(done, () => osSettingDefaults),
      saveOsSettings: (_, done) => answer(done, () => undefined, true),
      callWebhook: (call, timeoutMs, done) => {
        const packageName = call.packageName as Package
        if (call.type === 'stop_request') this.#stopRequest(packageName, timeoutMs, done)
        else this.#sessionRequest(packageName, timeoutMs, done)
      },
      photoTarget: () => ({ webhookUrl: 'http://cloud.test/upload', authToken: 'token' }),
      failPhoto: () => {},
      ended: () => {
        this.ended += 1
      },
    }
  }

  #sessionRequest(packageName: Package, timeoutMs: number, done: (outcome: WebhookOutcome) => void): void {
    const { random, clock } = this
    const refuse = (code: string) => done({ ok: false, code, message: code, retryable: random.chance(0.8) })
    const behaviour = this.calm ? 0 : random.next()
    const delay = random.below(this.calm ? 50 : 3_000)
    if (behaviour < 0.55) {
      clock.after(delay, () => {
        this.connectApp(packageName)
        clock.after(random.below(500), () => done({ ok: true }))
      })
    } else if (behaviour < 0.7) clock.after(Math.min(delay, timeoutMs), () => refuse('REFUSED_500'))
    else if (behaviour < 0.8) clock.after(Math.min(delay, timeoutMs), () => done({ ok: true }))
    else if (behaviour < 0.9) {
      clock.after(timeoutMs, () => refuse('TIMEOUT'))
      clock.after(timeoutMs + delay, () => this.connectApp(packageName))
    } else clock.after(timeoutMs, () => refuse('TIMEOUT'))
  }

  #stopRequest(packageName: Package, timeoutMs: number, done: (outcome: WebhookOutcome) => void): void {
    const { random, clock } = this
    const closes = random.chance(0.6)
    clock.after(random.below(Math.min(timeoutMs, 2_000)), () => {
      if (closes) {
        for (const peer of this.openPeers(packageName)) {
          peer.onClose = undefined
          peer.close(1005, 'disconnected')
          this.session.detachApp(packageName, peer)
        }
      }
      done({ ok: true })
    })
  }
}
      reachable: (address) => address,
