import assert from 'node:assert/strict'
import {
  grants,
  type Message,
  parseSubscription,
  requiredPermission,
  type Subscription,
  type SubscriptionEntry,
} from '@glasses-cloud/contract'
import { DEFAULT_TIMING } from '../../timing.ts'
import type { HeardPeer } from '../heard-peer.ts'
import type { World } from '../world.ts'
import type { Area, Step } from './area.ts'

interface List {
  /** What the app asked for last, what it may not have included. */
  asked: readonly SubscriptionEntry[]
  accepted: readonly Subscription[]
  /** An empty list that comes before does not count at once. */
  readonly provisionalUntil: number
  /** When an empty list will count, and the socket it came by. */
  emptyAt?: number
  emptyBy?: HeardPeer | undefined
}

/** What apps listen to, by the rules; and that no frame comes to anybody else. */
export class Lists implements Area {
  readonly steps: readonly Step[] = []
  readonly #world: World
  readonly #lists = new Map<string, List>()
  /** What an app listened to since it was last seen to hear: frames wait for an app that is away. */
  readonly #recent = new Map<string, Set<string>>()

  constructor(world: World) {
    this.#world = world
  }

  /** An app's list. */
  of(packageName: string): readonly Subscription[] {
    const list = this.#lists.get(packageName)
    if (!list) return []
    if (list.emptyAt !== undefined && list.emptyAt <= this.#world.clock.now())
      this.#take(packageName, list, [])
    return list.accepted
  }

  /** The session acknowledged an app's socket, perhaps one that was broken already. */
  acknowledged(packageName: string, peer: HeardPeer): void {
    this.of(packageName)
    const { asked, accepted, emptyAt, emptyBy } = this.#listOf(packageName)
    const provisionalUntil = this.#world.clock.now() + DEFAULT_TIMING.emptySubscriptionsGraceMs
    const emptied = emptyAt === undefined || emptyBy !== peer ? {} : { emptyAt: provisionalUntil, emptyBy }
    this.#lists.set(packageName, { asked, accepted, provisionalUntil, ...emptied })
  }

  appSubscribed(packageName: string, entries: readonly SubscriptionEntry[]): void {
    const list = this.#listOf(packageName)
    delete list.emptyAt
    const empties = entries.length === 0 && this.of(packageName).length > 0
    if (empties && this.#world.clock.now() < list.provisionalUntil) {
      list.emptyAt = list.provisionalUntil
      list.emptyBy = this.#world.appSockets.open(packageName)[0]
    } else this.#take(packageName, list, entries)
  }

  appEdited(packageName: string): void {
    const list = this.#lists.get(packageName)
    if (!list) return
    this.of(packageName)
    this.#take(packageName, list, list.asked, list.emptyAt)
  }

  appLost(packageName: string): void {
    this.#lists.delete(packageName)
    this.#recent.delete(packageName)
  }

  appHears(packageName: string, message: Message): void {
    if (message.type !== 'data_stream' && message.type !== 'audio_chunk') return
    const stream = message.type === 'data_stream' ? String(message.streamType) : 'audio_chunk'
    const needed = requiredPermission(parseSubscription(stream))
    const permitted = needed === undefined || grants(this.#world.permissions(packageName), needed)
    assert(permitted, `${packageName} hears ${stream} without the permission ${needed}`)
    if (stream === 'glasses_connection_state' || isAnswer(message)) return
    const listens = this.#recent.get(packageName)?.has(stream)
    assert(listens, `${packageName} hears ${stream}, which it does not listen to`)
  }

  observe(): void {
    for (const packageName of this.#lists.keys()) {
      const streams = this.of(packageName).map(({ raw }) => raw)
      if (this.#world.appSockets.hearingSince(packageName) !== undefined)
        this.#recent.set(packageName, new Set(streams))
    }
  }

  #listOf(packageName: string): List {
    const known = this.#lists.get(packageName)
    if (known) return known
    const list: List = { asked: [], accepted: [], provisionalUntil: 0 }
    this.#lists.set(packageName, list)
    return list
  }

  #take(packageName: string, list: List, asked: readonly SubscriptionEntry[], emptyAt?: number): void {
    const permissions = this.#world.permissions(packageName)
    list.asked = asked
    list.accepted = asked.map(parseSubscription).filter((subscription) => {
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

/** Whether a frame answers a question of the app, so that it need not listen. */
function isAnswer({ data }: Message): boolean {
  return typeof data === 'object' && data !== null && 'correlationId' in data
}
