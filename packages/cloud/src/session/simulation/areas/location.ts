import assert from 'node:assert/strict'
import { isHigherTier, type LocationTier, type Message, parseLocationTier } from '@glasses-cloud/contract'
import { DEFAULT_TIMING } from '../../timing.ts'
import { packages, permissionsOf } from '../cast.ts'
import type { HeardPeer } from '../heard-peer.ts'
import type { World } from '../world.ts'
import type { Area, Step } from './area.ts'

const streams: readonly string[] = ['location_update', 'location_stream']

/** A position. */
export function someFix() {
  return { lat: 48.1, lng: 11.5 }
}

/** Where the wearer is: told to the apps that follow, and followed as closely as the app that asks for most. */
export class Location implements Area {
  readonly steps: readonly Step[] = [
    [4, 'the phone says where the wearer is', () => this.#report()],
    [1, 'an app that is away may not have what waits for it', () => this.#revokeAway()],
  ]
  readonly #world: World
  #tier: LocationTier = 'reduced'
  /** Since when less is asked for. */
  #lowerSince: number | undefined
  #told: { readonly peer: HeardPeer; readonly tier: unknown } | undefined
  /** The frames of the report under way. */
  readonly #frames = new Map<string, string[]>()

  constructor(world: World) {
    this.#world = world
  }

  appHears(packageName: string, { type, streamType }: Message): void {
    if (type !== 'data_stream' || !streams.includes(String(streamType))) return
    this.#frames.set(packageName, [...(this.#frames.get(packageName) ?? []), String(streamType)])
  }

  glassesHear(peer: HeardPeer, message: Message): void {
    if (message.type === 'set_location_tier') this.#told = { peer, tier: message.tier }
  }

  observe(): void {
    const highest = this.#highest()
    const now = this.#world.clock.now()
    if (isHigherTier(this.#tier, highest)) {
      this.#lowerSince ??= now
      if (now < this.#lowerSince + DEFAULT_TIMING.locationTierLowerDelayMs) return
    }
    this.#tier = highest
    this.#lowerSince = undefined
  }

  checkAlways(): void {
    const glasses = this.#world.currentGlasses
    if (!glasses) return
    assert.equal(this.#told?.peer, glasses, 'glasses are told how closely to follow')
    assert.equal(this.#told.tier, this.#tier, 'the tier is the highest that is asked for')
  }

  checkAtRest(): void {
    assert.equal(this.#tier, this.#highest(), 'the tier came down to what is asked for')
  }

  #report(): void {
    const { session, random, currentGlasses, clock } = this.#world
    const bySocket = random.chance(0.5)
    if (bySocket && !currentGlasses) return
    this.#world.positionAt = clock.now()
    this.#frames.clear()
    if (bySocket && currentGlasses)
      session.handleGlassesMessage(currentGlasses, { type: 'location_update', location: someFix() })
    else session.location.report(someFix())
    for (const packageName of packages) {
      if (this.#world.appSockets.hearingSince(packageName) === undefined) continue
      const heard = (this.#frames.get(packageName) ?? []).sort()
      assert.deepEqual(heard, this.#streamsOf(packageName), 'who follows is told, once for each subscription')
    }
  }

  #revokeAway(): void {
    const { appSockets } = this.#world
    const speaker = this.#world.hearingSpeaker()
    if (!speaker) return
    appSockets.breakOff(speaker.packageName)
    this.#report()
    this.#world.edit(speaker.packageName, permissionsOf('CAMERA'))
    appSockets.connect(speaker.packageName)
  }

  #streamsOf(packageName: string): string[] {
    const lists = this.#world.lists.of(packageName)
    return lists.flatMap(({ stream, raw }) => (streams.includes(stream) ? [raw] : [])).sort()
  }

  #highest(): LocationTier {
    let highest: LocationTier = 'reduced'
    for (const packageName of packages) {
      for (const { stream, rate } of this.#world.lists.of(packageName)) {
        if (streams.includes(stream) && isHigherTier(parseLocationTier(rate), highest))
          highest = parseLocationTier(rate)
      }
    }
    return highest
  }
}
