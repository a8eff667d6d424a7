import assert from 'node:assert/strict'
import { grants, LOCATION_TIER_MAX_AGE_MS, type Message, parseLocationTier } from '@glasses-cloud/contract'
import { Location } from '../../parts/location.ts'
import { DEFAULT_TIMING } from '../../timing.ts'
import type { Environment } from '../environment.ts'
import type { CallbackPeer } from '../fixtures.ts'
import { RequestTracker, type TrackedRequest } from '../request-tracker.ts'
import type { Area, Step } from './area.ts'
import { createFix } from './location.ts'

const ids = ['poll0', 'poll1', 'poll2'] as const

/** Location polls: answered from the last known position, by the phone, or by the timeout. */
export class LocationPolls implements Area {
  readonly steps: readonly Step[] = [
    [5, 'an app polls the location', () => this.#poll(this.#env.random.pick(ids))],
    [1, 'an app polls the location many times', () => this.#pollMany()],
    [4, 'the phone answers a poll', () => this.#answer()],
  ]
  readonly #env: Environment
  readonly #requests: RequestTracker
  /** Polls by the id that the phone received. */
  readonly #sentToPhone = new Map<string, TrackedRequest>()
  /** The phone connection that received each poll last. */
  readonly #phones = new Map<TrackedRequest, CallbackPeer>()
  /** Responses that may or may not be delivered. */
  readonly #optionalResponses: string[] = []
  #rejections = 0

  constructor(env: Environment) {
    this.#env = env
    this.#requests = new RequestTracker(env, {
      kind: 'poll',
      timeoutMs: DEFAULT_TIMING.locationPollTimeoutMs,
      needsSocket: true,
      hasOnlyMarkedResponses: true,
    })
  }

  onAppMessage(packageName: string, { type, ...message }: Message): void {
    const { correlationId } = (message.data ?? message) as { correlationId?: string }
    if (type === 'permission_error' && String(message.message).startsWith('Location requires'))
      this.#rejections += 1
    const isResponse = type === 'data_stream' || message.code === 'LOCATION_UNAVAILABLE'
    if (!isResponse || correlationId === undefined) return
    const optional = this.#optionalResponses.indexOf(`${packageName} ${correlationId}`)
    if (optional >= 0) this.#optionalResponses.splice(optional, 1)
    else this.#requests.onResponse(packageName, correlationId)
  }

  onGlassesMessage(peer: CallbackPeer, { type, correlationId }: Message): void {
    const name = String(correlationId)
    if (type !== 'request_single_location') return
    const known = this.#sentToPhone.get(name)
    if (known && this.#requests.isUnanswered(known)) return void this.#phones.set(known, peer)
    const knownPolls = new Set(this.#sentToPhone.values())
    const poll = this.#requests.pending.find(
      (one) => this.#requests.isUnanswered(one) && !knownPolls.has(one) && name.split('_')[0] === one.id,
    )
    assert(poll, 'the phone receives polls of apps with a pending poll')
    this.#sentToPhone.set(name, poll)
    this.#phones.set(poll, peer)
  }

  /** A queued response is dropped when the app loses the permission. */
  onPermissionsEdited(packageName: string): void {
    if (this.#mayReadLocation(packageName)) return
    for (const poll of this.#requests.pendingOf(packageName)) {
      if (this.#requests.isUnanswered(poll)) continue
      this.#requests.remove(poll)
      this.#optionalResponses.push(`${packageName} ${poll.id}`)
    }
  }

  onAppLost(packageName: string): void {
    this.#requests.removeAllOf(packageName)
    for (const [at, entry] of [...this.#optionalResponses.entries()].reverse())
      if (entry.startsWith(`${packageName} `)) this.#optionalResponses.splice(at, 1)
  }

  checkAlways(): void {
    this.#requests.check()
    const { currentGlasses } = this.#env
    for (const poll of currentGlasses ? this.#requests.pending : [])
      if (this.#requests.isUnanswered(poll))
        assert.equal(
          this.#phones.get(poll),
          currentGlasses,
          'a phone that reconnects receives pending polls duplicate',
        )
  }

  checkAtRest(): void {
    this.#requests.checkAtRest()
  }

  checkAfterEnd(): void {
    for (const name of [...ids, ...this.#sentToPhone.keys()])
      assert(
        !this.#env.session.part(Location).completePoll(name, createFix()),
        'no poll is pending after the end',
      )
  }

  #poll(correlationId: string, client = this.#env.pickClient()): void {
    const env = this.#env
    if (!client) return
    const { packageName, send } = client
    const accuracy = env.random.pick(['realtime', 'kilometer', 'unknown'])
    const unanswered = this.#requests.unansweredOf(packageName)
    const duplicate = unanswered.find(({ id }) => id === correlationId)
    const isFresh =
      env.clock.monotonicNow() - (env.lastPositionAt ?? Number.NEGATIVE_INFINITY) <=
      LOCATION_TIER_MAX_AGE_MS[parseLocationTier(accuracy)]
    const mayReadLocation = this.#mayReadLocation(packageName)
    const isImmediate = isFresh || (!duplicate && (!env.hasAttachedGlasses || unanswered.length >= 10))
    const poll = mayReadLocation ? (duplicate ?? this.#requests.add(packageName, correlationId)) : undefined
    if (poll && isImmediate) this.#requests.markAnswered(poll)
    const before = { poll: env.countSentToGlasses('request_single_location'), rejected: this.#rejections }
    send({ type: 'location_poll_request', correlationId, accuracy })
    const sent = env.countSentToGlasses('request_single_location') - before.poll
    if (!mayReadLocation)
      assert.equal(this.#rejections, before.rejected + 1, 'an app without the permission is notified')
    const expected = mayReadLocation && !duplicate && !isImmediate && env.currentGlasses ? 1 : 0
    assert.equal(sent, expected, 'the phone receives a poll when the position is unknown')
    this.#requests.checkDelivered(packageName)
  }

  #pollMany(): void {
    const client = this.#env.pickAcknowledgedClient()
    if (!client) return
    for (let poll = 0; poll < 12; poll += 1) this.#poll(`many${poll}`, client)
  }

  #answer(): void {
    const { session, random, currentGlasses } = this.#env
    const name = random.pick([...this.#sentToPhone.keys(), 'unknown'])
    const poll = this.#sentToPhone.get(name)
    const isPending = this.#requests.isUnanswered(poll)
    const bySocket = random.chance(0.5)
    if (bySocket && !currentGlasses) return
    // The id may belong to a newer poll that never reached the phone; the session applies the response to that poll.
    if (
      !isPending &&
      this.#requests.pending.some((one) => one.id === name && this.#requests.isUnanswered(one))
    )
      return
    this.#sentToPhone.delete(name)
    if (poll && isPending && !this.#mayReadLocation(poll.packageName)) this.#requests.remove(poll)
    else if (poll && isPending) this.#requests.markAnswered(poll)
    this.#env.lastPositionAt = this.#env.clock.monotonicNow()
    const fix = createFix()
    if (bySocket && currentGlasses)
      session.handleGlassesMessage(currentGlasses, { type: 'location_update', correlationId: name, ...fix })
    else
      assert.equal(
        session.part(Location).completePoll(name, fix),
        isPending,
        'a response is accepted while the poll is pending',
      )
    if (poll) this.#requests.checkDelivered(poll.packageName)
  }

  #mayReadLocation(packageName: string): boolean {
    return grants(this.#env.permissions(packageName), 'LOCATION')
  }
}
