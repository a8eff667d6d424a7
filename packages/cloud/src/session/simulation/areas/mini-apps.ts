import assert from 'node:assert/strict'
import type { Message } from '@glasses-cloud/contract'
import type { HeardPeer } from '../heard-peer.ts'
import type { World } from '../world.ts'
import type { Area, Step } from './area.ts'

/** Streams that no app listens to. */
const streams = ['mini_a', 'mini_b', 'touch_event', 'touch_event:single_tap'] as const

/** The mini-apps on the phone listen to what the phone itself says. */
export class MiniApps implements Area {
  readonly steps: readonly Step[] = [
    [3, 'the phone says what its mini-apps want', () => this.#list()],
    [4, 'the phone says something to its mini-apps', () => this.#say()],
  ]
  readonly #world: World
  /** What they want, by which connection. */
  #wanted: { readonly by: HeardPeer; readonly streams: readonly string[] } | undefined
  #heard: unknown[] = []

  constructor(world: World) {
    this.#world = world
  }

  glassesHear(peer: HeardPeer, { type, streamType, sessionId }: Message): void {
    if (type !== 'data_stream') return
    assert.equal(peer, this.#world.currentGlasses, 'a replaced connection hears no frames')
    assert.equal(sessionId, 'us1-__phone__')
    this.#heard.push(streamType)
  }

  #list(): void {
    const { currentGlasses: peer, random, session } = this.#world
    if (!peer) return
    const subscriptions = streams.filter(() => random.chance(0.5))
    this.#wanted = { by: peer, streams: subscriptions }
    session.handleGlassesMessage(peer, { type: 'phone_subscription_update', subscriptions })
  }

  #say(): void {
    const { currentGlasses: peer, random, session } = this.#world
    if (!peer) return
    this.#heard = []
    const type = random.pick(['mini_a', 'mini_b', 'mini_c', 'touch_event'])
    const gesture_name = random.pick(['single_tap', 'long_press'])
    if (type === 'touch_event') session.handleGlassesMessage(peer, { type, gesture_name })
    else session.handleUnknownGlassesMessage(peer, { type })
    const names = type === 'touch_event' ? [type, `${type}:${gesture_name}`] : [type]
    // A connection begins with an empty list.
    const wanted = this.#wanted?.by === peer ? this.#wanted.streams : []
    assert.deepEqual(
      this.#heard.toSorted(),
      wanted.filter((stream) => names.includes(stream)).toSorted(),
      'the mini-apps on the phone hear what they want, once',
    )
  }
}
