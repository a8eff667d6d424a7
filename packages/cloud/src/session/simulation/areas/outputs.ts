import assert from 'node:assert/strict'
import type { Message } from '@glasses-cloud/contract'
import { DEFAULT_TIMING } from '../../timing.ts'
import { type Asked, Ledger } from '../ledger.ts'
import type { Speaker, World } from '../world.ts'
import type { Area, Step } from './area.ts'

/** What an app may wait for at a time. */
const MAX_OPEN = 50

const ids = ['output0', 'output1', 'output2'] as const

/** What is asked of the glasses, and how they answer. */
interface Kind {
  readonly what: string
  readonly wait: number
  readonly request: 'audio_play_request' | 'rgb_led_control'
  readonly response: 'audio_play_response' | 'rgb_led_control_response'
  ask(speaker: Speaker, requestId: string): void
}

const sound: Kind = {
  what: 'sound',
  wait: DEFAULT_TIMING.audioPlayTimeoutMs,
  request: 'audio_play_request',
  response: 'audio_play_response',
  ask: ({ say }, requestId) =>
    say({
      type: 'audio_play_request',
      requestId,
      audioUrl: requestId === 'bad' ? 'ftp://a/b' : 'https://a/b',
    }),
}

const light: Kind = {
  what: 'light',
  wait: DEFAULT_TIMING.ledControlTimeoutMs,
  request: 'rgb_led_control',
  response: 'rgb_led_control_response',
  ask: ({ say }, requestId) => say({ type: 'rgb_led_control', requestId, action: 'on' }),
}

/** What apps ask of the glasses, and what those say of it. */
abstract class Outputs implements Area {
  readonly steps: readonly Step[]
  readonly #world: World
  readonly #kind: Kind
  readonly #ledger: Ledger
  /** Requests by the name the glasses know. */
  readonly #atGlasses = new Map<string, Asked>()
  #asking: Asked | undefined
  /** Who was answered, since something was done. */
  #answered: string[] = []

  constructor(world: World, kind: Kind) {
    this.#world = world
    this.#kind = kind
    this.#ledger = new Ledger(world, { what: kind.what, wait: kind.wait, bySocket: true, onlyGiven: true })
    this.steps = [
      [5, `an app asks for a ${kind.what}`, () => this.#ask(world.random.pick([...ids, 'bad']))],
      [1, `an app asks for many a ${kind.what}`, () => this.#askMany()],
      [4, `glasses tell of a ${kind.what}`, () => this.#respond()],
    ]
  }

  appHears(packageName: string, { type, requestId }: Message): void {
    if (type !== this.#kind.response) return
    this.#answered.push(packageName)
    this.#ledger.answered(packageName, String(requestId))
  }

  glassesHear(_peer: unknown, { type, requestId, packageName }: Message): void {
    if (type !== this.#kind.request) return
    assert.equal(packageName, this.#asking?.packageName, 'glasses are asked in the name of who asks')
    if (this.#asking) this.#atGlasses.set(String(requestId), this.#asking)
  }

  appLost(packageName: string): void {
    this.#ledger.drop(packageName)
  }

  checkAlways(): void {
    this.#ledger.check()
  }

  checkAtRest(): void {
    this.#ledger.checkAtRest()
  }

  #ask(name: string, speaker = this.#world.speaker()): void {
    const world = this.#world
    if (!speaker) return
    const { packageName } = speaker
    const hears = world.appSockets.hearingSince(packageName) !== undefined
    const intoDeadSocket = world.hasGlasses && !world.currentGlasses
    // Whether it is refused could not be told.
    if (!hears && intoDeadSocket) return
    // Glasses never hear of it; what they say later of another one of that name would be taken for its answer.
    const requestId = intoDeadSocket ? `lost${world.serial()}` : name
    const mine = this.#ledger.pendingOf(packageName)
    const again = mine.some(({ id }) => id === requestId)
    const before = world.askedOfGlasses(this.#kind.request)
    this.#asking = again ? undefined : this.#ledger.ask(packageName, requestId)
    this.#answered = []
    const oldest = mine.length >= MAX_OPEN && !again ? mine[0] : undefined
    if (this.#asking) this.#ledger.give(this.#asking)
    if (oldest) this.#ledger.give(oldest)
    this.#kind.ask(speaker, requestId)
    const news = world.askedOfGlasses(this.#kind.request) - before
    if (again || !this.#asking)
      return assert.deepEqual([news, this.#answered], [0, []], 'asked twice it is one')
    const refused = hears ? !this.#ledger.open.includes(this.#asking) : news === 0
    if (!refused) this.#ledger.keep(this.#asking)
    else if (oldest) this.#ledger.keep(oldest)
    if (!world.hasGlasses) assert(refused, 'without glasses it is refused')
    if (world.currentGlasses) assert.equal(news, refused ? 0 : 1, 'glasses are asked once, or not at all')
    this.#ledger.checkGiven(packageName)
  }

  #askMany(): void {
    const speaker = this.#world.hearingSpeaker()
    if (!speaker) return
    for (let at = 0; at <= MAX_OPEN; at += 1) this.#ask(`many${at}`, speaker)
  }

  #respond(): void {
    const { random, currentGlasses, session } = this.#world
    if (!currentGlasses) return
    const requestId = random.pick([...this.#atGlasses.keys(), 'nobody'])
    const asked = this.#atGlasses.get(requestId)
    const expected = this.#ledger.isPending(asked) ? asked : undefined
    if (expected) this.#ledger.give(expected)
    this.#answered = []
    session.handleGlassesMessage(currentGlasses, {
      type: this.#kind.response,
      requestId,
      success: random.chance(0.5),
    })
    const hears = expected && this.#world.appSockets.hearingSince(expected.packageName) !== undefined
    assert.deepEqual(
      this.#answered,
      hears ? [expected.packageName] : [],
      'who asked is told, and nobody else',
    )
  }
}

/** Sounds. */
export class Sounds extends Outputs {
  constructor(world: World) {
    super(world, sound)
  }
}

/** The light of the glasses. */
export class Lights extends Outputs {
  constructor(world: World) {
    super(world, light)
  }
}
