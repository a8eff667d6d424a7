import assert from 'node:assert/strict'
import {
  grants,
  type Message,
  type Permission,
  parseSubscription,
  requiredPermission,
  type Subscription,
  type SubscriptionEntry,
} from '@glasses-cloud/contract'
import type { VirtualClock } from '../../../time/testing/virtual-clock.ts'
import { DEFAULT_TIMING } from '../../timing.ts'
import type { AppSockets } from '../app-sockets.ts'
import type { CallbackPeer } from '../fixtures.ts'
import type { Area, Step } from './area.ts'

/** Collaborators of the subscription lists. */
export interface SubscriptionListsDeps {
  readonly clock: VirtualClock
  readonly appSockets: Pick<AppSockets, 'openPeers' | 'acknowledgedSince'>
  permissions(packageName: string): readonly Permission[]
}

interface SubscriptionList {
  /** The entries that the app sent last, including rejected ones. */
  requested: readonly SubscriptionEntry[]
  accepted: readonly Subscription[]
  /** Until then an empty list takes effect with delay. */
  readonly provisionalUntil: number
  /** When a delayed empty list takes effect, and the socket that sent it. */
  emptyAt?: number
  emptySentBy?: CallbackPeer | undefined
}

/** A model of the subscriptions of apps. Asserts that apps receive only frames they are subscribed to. */
export class SubscriptionLists implements Area {
  readonly steps: readonly Step[] = []
  readonly #deps: SubscriptionListsDeps
  readonly #subscriptionLists = new Map<string, SubscriptionList>()
  /** Streams an app was subscribed to since it was last acknowledged: frames are queued while it is disconnected. */
  readonly #recent = new Map<string, Set<string>>()

  constructor(deps: SubscriptionListsDeps) {
    this.#deps = deps
  }

  get(packageName: string): readonly Subscription[] {
    const list = this.#subscriptionLists.get(packageName)
    if (!list) return []
    if (list.emptyAt !== undefined && list.emptyAt <= this.#deps.clock.monotonicNow())
      this.#replace(packageName, list, [])
    return list.accepted
  }

  /** Handles the acknowledgement of an app socket, which may be broken already. */
  onAcknowledged(packageName: string, peer: CallbackPeer): void {
    this.get(packageName)
    const { requested, accepted, emptyAt, emptySentBy } = this.#listOf(packageName)
    const provisionalUntil = this.#deps.clock.monotonicNow() + DEFAULT_TIMING.emptySubscriptionsGraceMs
    const delayedEmpty =
      emptyAt === undefined || emptySentBy !== peer ? {} : { emptyAt: provisionalUntil, emptySentBy }
    this.#subscriptionLists.set(packageName, { requested, accepted, provisionalUntil, ...delayedEmpty })
  }

  onSubscriptionUpdate(packageName: string, entries: readonly SubscriptionEntry[]): void {
    const list = this.#listOf(packageName)
    delete list.emptyAt
    const isEmptied = entries.length === 0 && this.get(packageName).length > 0
    if (isEmptied && this.#deps.clock.monotonicNow() < list.provisionalUntil) {
      list.emptyAt = list.provisionalUntil
      list.emptySentBy = this.#deps.appSockets.openPeers(packageName)[0]
    } else this.#replace(packageName, list, entries)
  }

  onPermissionsEdited(packageName: string): void {
    const list = this.#subscriptionLists.get(packageName)
    if (!list) return
    this.get(packageName)
    this.#replace(packageName, list, list.requested, list.emptyAt)
  }

  onAppLost(packageName: string): void {
    this.#subscriptionLists.delete(packageName)
    this.#recent.delete(packageName)
  }

  onAppMessage(packageName: string, message: Message): void {
    if (message.type !== 'data_stream' && message.type !== 'audio_chunk') return
    const stream = message.type === 'data_stream' ? String(message.streamType) : 'audio_chunk'
    const needed = requiredPermission(parseSubscription(stream))
    const permitted = needed === undefined || grants(this.#deps.permissions(packageName), needed)
    assert(permitted, `${packageName} receives ${stream} only with the permission ${needed}`)
    // The apps that subscribe to speech receive its status.
    if (stream === 'glasses_connection_state' || stream === 'transcription_status') return
    if (isResponse(message)) return
    const isSubscribed = this.#recent.get(packageName)?.has(stream)
    assert(isSubscribed, `${packageName} receives ${stream} only if it is subscribed to it`)
  }

  observe(): void {
    for (const packageName of this.#subscriptionLists.keys()) {
      const streams = this.get(packageName).map(({ raw }) => raw)
      if (this.#deps.appSockets.acknowledgedSince(packageName) !== undefined)
        this.#recent.set(packageName, new Set(streams))
    }
  }

  #listOf(packageName: string): SubscriptionList {
    const known = this.#subscriptionLists.get(packageName)
    if (known) return known
    const list: SubscriptionList = { requested: [], accepted: [], provisionalUntil: 0 }
    this.#subscriptionLists.set(packageName, list)
    return list
  }

  #replace(
    packageName: string,
    list: SubscriptionList,
    requested: readonly SubscriptionEntry[],
    emptyAt?: number,
  ): void {
    const permissions = this.#deps.permissions(packageName)
    list.requested = requested
    list.accepted = requested.map(parseSubscription).filter((subscription) => {
      const needed = requiredPermission(subscription)
      return needed === undefined || grants(permissions, needed)
    })
    if (emptyAt === undefined) delete list.emptyAt
    else list.emptyAt = emptyAt
    const recent = this.#recent.get(packageName) ?? new Set()
    for (const { raw } of list.accepted) recent.add(raw)
    this.#recent.set(packageName, recent)
  }
}

/** Whether a frame answers a request of the app, which needs no subscription. */
function isResponse({ data }: Message): boolean {
  return typeof data === 'object' && data !== null && 'correlationId' in data
}
