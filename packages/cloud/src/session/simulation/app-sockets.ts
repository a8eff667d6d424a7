import { closeFrames } from '@glasses-cloud/contract'
import type { VirtualClock } from '../../time/testing/virtual-clock.ts'
import type { AppDefinition } from '../ports.ts'
import type { UserSession } from '../user-session.ts'
import type { Area } from './areas/area.ts'
import { CallbackPeer, type Package, type SeededRandom } from './fixtures.ts'

/** Collaborators of the app sockets. */
export interface AppSocketsDeps {
  readonly session: UserSession
  readonly clock: VirtualClock
  readonly random: SeededRandom
  readonly areas: readonly Area[]
  readonly subscriptionLists: { onAcknowledged(packageName: string, peer: CallbackPeer): void }
  nextSerial(): number
  definition(packageName: string): AppDefinition
  observe(): void
  subscribe(packageName: Package): void
  breakSocket(peer: CallbackPeer, detach: () => void): void
}

/** The sockets of the apps, including those that broke without the session having detected it. */
export class AppSockets {
  readonly #deps: AppSocketsDeps
  /** The recent sockets of each app, the newest last. */
  readonly #peers = new Map<string, CallbackPeer[]>()
  /** The acknowledged socket of each app, and when it was acknowledged. */
  readonly #acknowledged = new Map<string, { readonly peer: CallbackPeer; readonly since: number }>()
  /** Until when the session used a broken socket of an app without having detected it. */
  readonly #brokenUntil = new Map<string, number>()

  constructor(deps: AppSocketsDeps) {
    this.#deps = deps
  }

  /** The recent sockets of all apps. */
  get recentPeers(): readonly CallbackPeer[] {
    return [...this.#peers.values()].flat()
  }

  openPeers(packageName: string): CallbackPeer[] {
    return (this.#peers.get(packageName) ?? []).filter(({ closed }) => !closed)
  }

  /** When the open socket of an app was acknowledged; undefined if there is none. */
  acknowledgedSince(packageName: string): number | undefined {
    const acknowledged = this.#acknowledged.get(packageName)
    return acknowledged && !acknowledged.peer.closed ? acknowledged.since : undefined
  }

  /** Whether the session has used a broken socket of the app since that time. */
  mayHaveLostMessagesSince(packageName: string, since: number): boolean {
    return (this.#brokenUntil.get(packageName) ?? 0) >= since
  }

  connect(packageName: Package): void {
    const { session, clock, subscriptionLists, areas, random } = this.#deps
    const peer = new CallbackPeer(`${packageName}#${this.#deps.nextSerial()}`, (message) => {
      if (message.type === 'tpa_connection_ack') subscriptionLists.onAcknowledged(packageName, peer)
      if (peer.closed) return
      if (message.type === 'tpa_connection_ack')
        this.#acknowledged.set(packageName, { peer, since: clock.monotonicNow() })
      for (const area of areas) area.onAppMessage?.(packageName, message)
    })
    peer.onClose = () => session.detachApp(packageName, peer)
    const isAccepted = session.attachApp(peer, this.#deps.definition(packageName))
    if (!isAccepted) {
      peer.onClose = undefined
      peer.close(closeFrames.APP_REJECTED.code, closeFrames.APP_REJECTED.reason)
      return
    }
    this.#peers.set(packageName, [...this.openPeers(packageName), peer])
    const brokenUntil = this.#brokenUntil.get(packageName)
    if (brokenUntil !== undefined)
      this.#brokenUntil.set(packageName, Math.min(brokenUntil, clock.monotonicNow()))
    this.#deps.observe()
    if (random.chance(0.8)) this.#deps.subscribe(packageName)
  }

  breakSocket(packageName: Package): void {
    const { session, clock } = this.#deps
    const [peer] = this.openPeers(packageName)
    if (!peer) return
    this.#brokenUntil.set(packageName, Number.POSITIVE_INFINITY)
    this.#deps.breakSocket(peer, () => {
      if (this.#peers.get(packageName)?.at(-1) === peer)
        this.#brokenUntil.set(packageName, clock.monotonicNow())
      session.detachApp(packageName, peer)
    })
  }
}
