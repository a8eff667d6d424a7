import assert from 'node:assert/strict'
import type { Message } from '@glasses-cloud/contract'
import type { Environment } from '../environment.ts'
import type { CallbackPeer } from '../fixtures.ts'
import type { Area, Step } from './area.ts'

/** Streams that no app subscribes to. */
const STREAMS = ['mini_a', 'mini_b', 'touch_event', 'touch_event:single_tap'] as const

/** Subscriptions of the mini-apps on the phone, which receive frames of the phone's own messages. */
export class MiniApps implements Area {
  readonly steps: readonly Step[] = [
    [3, 'the phone updates the subscriptions of its mini-apps', () => this.#subscribe()],
    [4, 'the phone sends a message to its mini-apps', () => this.#send()],
  ]
  readonly #env: Environment
  /** The subscriptions, and the connection that sent them. */
  #subscribed: { readonly connection: CallbackPeer; readonly streams: readonly string[] } | undefined
  #received: unknown[] = []

  constructor(env: Environment) {
    this.#env = env
  }

  onGlassesMessage(peer: CallbackPeer, { type, streamType, sessionId }: Message): void {
    if (type !== 'data_stream') return
    assert.equal(peer, this.#env.currentGlasses, 'a replaced connection receives no frames')
    assert.equal(sessionId, 'us1-__phone__')
    this.#received.push(streamType)
  }

  #subscribe(): void {
    const { currentGlasses: peer, random, session } = this.#env
    if (!peer) return
    const subscriptions = STREAMS.filter(() => random.chance(0.5))
    this.#subscribed = { connection: peer, streams: subscriptions }
    session.handleGlassesMessage(peer, { type: 'phone_subscription_update', subscriptions })
  }

  #send(): void {
    const { currentGlasses: peer, random, session } = this.#env
    if (!peer) return
    this.#received = []
    const type = random.pick(['mini_a', 'mini_b', 'mini_c', 'touch_event'])
    const gesture_name = random.pick(['single_tap', 'long_press'])
    if (type === 'touch_event') session.handleGlassesMessage(peer, { type, gesture_name })
    else session.handleUnknownGlassesMessage(peer, { type })
    const names = type === 'touch_event' ? [type, `${type}:${gesture_name}`] : [type]
    // A new connection has no subscriptions.
    const subscribed = this.#subscribed?.connection === peer ? this.#subscribed.streams : []
    assert.deepEqual(
      this.#received.toSorted(),
      subscribed.filter((stream) => names.includes(stream)).toSorted(),
      'the mini-apps receive each subscribed frame once',
    )
  }
}
