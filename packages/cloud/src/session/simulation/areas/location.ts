import assert from 'node:assert/strict'
import { isHigherTier, type LocationTier, type Message, parseLocationTier } from '@glasses-cloud/contract'
import { Location as LocationPart } from '../../parts/location.ts'
import { DEFAULT_TIMING } from '../../timing.ts'
import type { Environment } from '../environment.ts'
import { type CallbackPeer, PACKAGES, permissionsOf } from '../fixtures.ts'
import type { Area, Step } from './area.ts'

const STREAMS: readonly string[] = ['location_update', 'location_stream']

export function createFix() {
  return { lat: 48.1, lng: 11.5 }
}

/** Location updates to subscribers, and the location tier of the phone, which is the highest that any app requests. */
export class Location implements Area {
  readonly steps: readonly Step[] = [
    [4, 'the phone reports the location', () => this.#report()],
    [1, 'an app loses the permission while frames are queued for it', () => this.#revokeWhileDisconnected()],
  ]
  readonly #env: Environment
  #tier: LocationTier = 'reduced'
  /** Since when a lower tier is requested. */
  #lowerSince: number | undefined
  #sentTier: { readonly peer: CallbackPeer; readonly tier: unknown } | undefined
  /** The frames of the current report by app. */
  readonly #frames = new Map<string, string[]>()

  constructor(env: Environment) {
    this.#env = env
  }

  onAppMessage(packageName: string, { type, streamType }: Message): void {
    if (type !== 'data_stream' || !STREAMS.includes(String(streamType))) return
    this.#frames.set(packageName, [...(this.#frames.get(packageName) ?? []), String(streamType)])
  }

  onGlassesMessage(peer: CallbackPeer, message: Message): void {
    if (message.type === 'set_location_tier') this.#sentTier = { peer, tier: message.tier }
  }

  observe(): void {
    const highest = this.#highest()
    const now = this.#env.clock.monotonicNow()
    if (isHigherTier(this.#tier, highest)) {
      this.#lowerSince ??= now
      if (now < this.#lowerSince + DEFAULT_TIMING.locationTierLowerDelayMs) return
    }
    this.#tier = highest
    this.#lowerSince = undefined
  }

  checkAlways(): void {
    const glasses = this.#env.currentGlasses
    if (!glasses) return
    assert.equal(this.#sentTier?.peer, glasses, 'the connected glasses received the location tier')
    assert.equal(this.#sentTier.tier, this.#tier, 'the tier is the highest that is requested')
  }

  checkAtRest(): void {
    assert.equal(this.#tier, this.#highest(), 'the tier is the highest that is requested')
  }

  #report(): void {
    const { session, random, currentGlasses, clock } = this.#env
    const bySocket = random.chance(0.5)
    if (bySocket && !currentGlasses) return
    this.#env.lastPositionAt = clock.monotonicNow()
    this.#frames.clear()
    if (bySocket && currentGlasses)
      session.handleGlassesMessage(currentGlasses, { type: 'location_update', location: createFix() })
    else session.part(LocationPart).report(createFix())
    for (const packageName of PACKAGES) {
      if (this.#env.appSockets.acknowledgedSince(packageName) === undefined) continue
      const received = (this.#frames.get(packageName) ?? []).sort()
      assert.deepEqual(
        received,
        this.#streamsOf(packageName),
        'each subscriber receives the location once per subscription',
      )
    }
  }

  #revokeWhileDisconnected(): void {
    const { appSockets } = this.#env
    const client = this.#env.pickAcknowledgedClient()
    if (!client) return
    appSockets.breakSocket(client.packageName)
    this.#report()
    this.#env.edit(client.packageName, permissionsOf('CAMERA'))
    appSockets.connect(client.packageName)
  }

  #streamsOf(packageName: string): string[] {
    const subscriptionLists = this.#env.subscriptionLists.get(packageName)
    return subscriptionLists.flatMap(({ stream, raw }) => (STREAMS.includes(stream) ? [raw] : [])).sort()
  }

  #highest(): LocationTier {
    let highest: LocationTier = 'reduced'
    for (const packageName of PACKAGES) {
      for (const { stream, rate } of this.#env.subscriptionLists.get(packageName)) {
        if (STREAMS.includes(stream) && isHigherTier(parseLocationTier(rate), highest))
          highest = parseLocationTier(rate)
      }
    }
    return highest
  }
}
