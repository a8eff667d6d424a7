import assert from 'node:assert/strict'
import { grants, LOCATION_TIER_MAX_AGE_MS, type Message, parseLocationTier } from '@glasses-cloud/contract'
import { DEFAULT_TIMING } from '../../timing.ts'
import type { HeardPeer } from '../heard-peer.ts'
import { type Asked, Ledger } from '../ledger.ts'
import type { World } from '../world.ts'
import type { Area, Step } from './area.ts'
import { someFix } from './location.ts'

const ids = ['poll0', 'poll1', 'poll2'] as const

/** Apps ask where the wearer is, once: answered from what is known, by the phone, or by the deadline. */
export class Polls implements Area {
  readonly steps: readonly Step[] = [
    [5, 'an app asks where the wearer is', () => this.#ask(this.#world.random.pick(ids))],
    [1, 'an app asks many times', () => this.#askMany()],
    [4, 'the phone answers a question', () => this.#answer()],
  ]
  readonly #world: World
  readonly #ledger: Ledger
  /** Questions by the name the phone knows. */
  readonly #atPhone = new Map<string, Asked>()
  /** The phone that was asked last. */
  readonly #phones = new Map<Asked, HeardPeer>()
  /** Answers that may still come, though they need not. */
  readonly #void: string[] = []
  #refusals = 0

  constructor(world: World) {
    this.#world = world
    this.#ledger = new Ledger(world, {
      what: 'poll',
      wait: DEFAULT_TIMING.locationPollTimeoutMs,
      bySocket: true,
      onlyGiven: true,
    })
  }

  appHears(packageName: string, { type, ...message }: Message): void {
    const { correlationId } = (message.data ?? message) as { correlationId?: string }
    if (type === 'permission_error' && String(message.message).startsWith('Location requires'))
      this.#refusals += 1
    const isAnswer = type === 'data_stream' || message.code === 'LOCATION_UNAVAILABLE'
    if (!isAnswer || correlationId === undefined) return
    const voided = this.#void.indexOf(`${packageName} ${correlationId}`)
    if (voided >= 0) this.#void.splice(voided, 1)
    else this.#ledger.answered(packageName, correlationId)
  }

  glassesHear(peer: HeardPeer, { type, correlationId }: Message): void {
    const name = String(correlationId)
    if (type !== 'request_single_location') return
    const known = this.#atPhone.get(name)
    if (known && this.#ledger.isPending(known)) return void this.#phones.set(known, peer)
    const named = new Set(this.#atPhone.values())
    const asked = this.#ledger.open.find(
      (asked) => this.#ledger.isPending(asked) && !named.has(asked) && name.split('_')[0] === asked.id,
    )
    assert(asked, 'the phone is asked for an app that waits')
    this.#atPhone.set(name, asked)
    this.#phones.set(asked, peer)
  }

  /** An answer that waits for an app is not given to one that may not have it any more. */
  appEdited(packageName: string): void {
    if (this.#mayKnow(packageName)) return
    for (const asked of this.#ledger.of(packageName)) {
      if (this.#ledger.isPending(asked)) continue
      this.#ledger.settle(asked)
      this.#void.push(`${packageName} ${asked.id}`)
    }
  }

  appLost(packageName: string): void {
    this.#ledger.drop(packageName)
    for (const [at, entry] of [...this.#void.entries()].reverse())
      if (entry.startsWith(`${packageName} `)) this.#void.splice(at, 1)
  }

  checkAlways(): void {
    this.#ledger.check()
    const { currentGlasses } = this.#world
    for (const asked of currentGlasses ? this.#ledger.open : [])
      if (this.#ledger.isPending(asked))
        assert.equal(this.#phones.get(asked), currentGlasses, 'a phone that comes back is asked again')
  }

  checkAtRest(): void {
    this.#ledger.checkAtRest()
  }

  checkAfterEnd(): void {
    for (const name of [...ids, ...this.#atPhone.keys()])
      assert(
        !this.#world.session.location.completePoll(name, someFix()),
        'nobody waits for a position after the end',
      )
  }

  #ask(correlationId: string, speaker = this.#world.speaker()): void {
    const world = this.#world
    if (!speaker) return
    const { packageName, say } = speaker
    const accuracy = world.random.pick(['realtime', 'kilometer', null])
    const mine = this.#ledger.pendingOf(packageName)
    const again = mine.find(({ id }) => id === correlationId)
    const fresh =
      world.clock.now() - (world.positionAt ?? 0) <= LOCATION_TIER_MAX_AGE_MS[parseLocationTier(accuracy)]
    const mayKnow = this.#mayKnow(packageName)
    const atOnce = fresh || (!again && (!world.hasGlasses || mine.length >= 10))
    const asked = mayKnow ? (again ?? this.#ledger.ask(packageName, correlationId)) : undefined
    if (asked && atOnce) this.#ledger.give(asked)
    const before = { asked: world.askedOfGlasses('request_single_location'), refused: this.#refusals }
    say({ type: 'location_poll_request', correlationId, accuracy })
    const news = world.askedOfGlasses('request_single_location') - before.asked
    if (!mayKnow) assert.equal(this.#refusals, before.refused + 1, 'an app without the permission is told so')
    const expected = mayKnow && !again && !atOnce && world.currentGlasses ? 1 : 0
    assert.equal(news, expected, 'the phone is asked when it must be')
    this.#ledger.checkGiven(packageName)
  }

  #askMany(): void {
    const speaker = this.#world.hearingSpeaker()
    if (!speaker) return
    for (let poll = 0; poll < 12; poll += 1) this.#ask(`many${poll}`, speaker)
  }

  #answer(): void {
    const { session, random, currentGlasses } = this.#world
    const name = random.pick([...this.#atPhone.keys(), 'nobody'])
    const asked = this.#atPhone.get(name)
    const isOpen = this.#ledger.isPending(asked)
    const bySocket = random.chance(0.5)
    if (bySocket && !currentGlasses) return
    // An old name may be in use again for a question that got lost on its way to the phone, and then it counts for that.
    if (!isOpen && this.#ledger.open.some((one) => one.id === name && this.#ledger.isPending(one))) return
    this.#atPhone.delete(name)
    if (asked && isOpen && !this.#mayKnow(asked.packageName)) this.#ledger.settle(asked)
    else if (asked && isOpen) this.#ledger.give(asked)
    this.#world.positionAt = this.#world.clock.now()
    const fix = someFix()
    if (bySocket && currentGlasses)
      session.handleGlassesMessage(currentGlasses, { type: 'location_update', correlationId: name, ...fix })
    else
      assert.equal(
        session.location.completePoll(name, fix),
        isOpen,
        'an answer is taken while it is waited for',
      )
    if (asked) this.#ledger.checkGiven(asked.packageName)
  }

  #mayKnow(packageName: string): boolean {
    return grants(this.#world.permissions(packageName), 'LOCATION')
  }
}
