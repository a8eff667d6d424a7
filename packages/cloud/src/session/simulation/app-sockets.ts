import { closeFrames } from '@glasses-cloud/contract'
import type { Package } from './cast.ts'
import { HeardPeer } from './heard-peer.ts'
import type { World } from './world.ts'

/** The sockets of the apps: connected, acknowledged, broken with or without the session knowing. */
export class AppSockets {
  readonly #world: World
  /** The last ones of each app, the newest last. */
  readonly #peers = new Map<string, HeardPeer[]>()
  /** Since when the app's socket has its acknowledgement. */
  readonly #hearing = new Map<string, { readonly peer: HeardPeer; readonly since: number }>()
  /** Until when an app last had a broken socket that the session took for a good one. */
  readonly #deaf = new Map<string, number>()

  constructor(world: World) {
    this.#world = world
  }

  /** The last sockets of every app. */
  get all(): readonly HeardPeer[] {
    return [...this.#peers.values()].flat()
  }

  /** The open sockets of an app. */
  open(packageName: string): HeardPeer[] {
    return (this.#peers.get(packageName) ?? []).filter(({ closed }) => !closed)
  }

  /** Since when an app has a socket with its acknowledgement; nothing if it has none. */
  hearingSince(packageName: string): number | undefined {
    const hearing = this.#hearing.get(packageName)
    return hearing && !hearing.peer.closed ? hearing.since : undefined
  }

  /** Whether an app had, since then, a broken socket that the session took for a good one. */
  wasDeaf(packageName: string, since: number): boolean {
    return (this.#deaf.get(packageName) ?? 0) >= since
  }

  connect(packageName: Package): void {
    const { session, clock, lists, areas, random } = this.#world
    const peer = new HeardPeer(`${packageName}#${this.#world.serial()}`, (message) => {
      if (message.type === 'tpa_connection_ack') lists.acknowledged(packageName, peer)
      if (peer.closed) return
      if (message.type === 'tpa_connection_ack') this.#hearing.set(packageName, { peer, since: clock.now() })
      for (const area of areas) area.appHears?.(packageName, message)
    })
    peer.onClose = () => session.detachApp(packageName, peer)
    const taken = session.attachApp(peer, this.#world.definition(packageName))
    if (!taken) {
      peer.onClose = undefined
      peer.close(closeFrames.APP_REJECTED.code, closeFrames.APP_REJECTED.reason)
      return
    }
    this.#peers.set(packageName, [...this.open(packageName), peer])
    const deafUntil = this.#deaf.get(packageName)
    if (deafUntil !== undefined) this.#deaf.set(packageName, Math.min(deafUntil, clock.now()))
    this.#world.observe()
    if (random.chance(0.8)) this.#world.subscribe(packageName)
  }

  breakOff(packageName: Package): void {
    const { session, clock } = this.#world
    const [peer] = this.open(packageName)
    if (!peer) return
    this.#deaf.set(packageName, Number.POSITIVE_INFINITY)
    this.#world.breakOff(peer, () => {
      if (this.#peers.get(packageName)?.at(-1) === peer) this.#deaf.set(packageName, clock.now())
      session.detachApp(packageName, peer)
    })
  }
}
