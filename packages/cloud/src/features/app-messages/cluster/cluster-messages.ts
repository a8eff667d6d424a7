import { deserialize } from 'node:v8'
import type { CloudToApp } from '@glasses-cloud/contract'
import type { Logger } from 'pino'
import { type Bus, BusError, FRAME_KINDS } from '../../../bus/index.ts'
import { PeriodicTask } from '../../../jobs/index.ts'
import {
  type AppMember,
  type AppMessage,
  type AppMessaging,
  type MessagingDone,
  type MessagingRejection,
  type RoomOptions,
  SharedMessage,
} from '../../../session/index.ts'
import { KeyedQueue } from '../../../session-host/index.ts'
import { type Clock, toIsoString } from '../../../time/index.ts'
import type { AppMessageHub, ReachableUser } from '../hub.ts'
import { ChannelOwner, performAs } from './channel-owner.ts'
import type { ChannelOwnerStore } from './channel-owner-store.ts'
import {
  type ChannelOperation,
  channelCall,
  type Delivery,
  deliverCall,
  deliveries,
  type MemberOperation,
} from './protocol.ts'

/** Operations that wait for the owner of a channel to be found. */
const MAX_WAITING = 1_000

/** Interval between attempts to find the owner, and between checks that this node still owns its channels. */
const RETRY_MS = 1_000
const VERIFY_INTERVAL_MS = 5_000

/** Nodes that may turn out to be gone while the owner of a channel is being found. */
const MAX_LOCATE_ATTEMPTS = 5

const unreachable: MessagingRejection = {
  code: 'USER_NOT_REACHABLE',
  message: 'The other users of the app are not reachable at the moment; try again',
}

interface LocalMember {
  readonly id: string
  readonly member: AppMember
  /** The rooms it is in at an owner on another node, with the state that it last received. */
  readonly rooms: Map<string, RoomUpdate['roomData']>
}

type RoomUpdate = Extract<CloudToApp, { type: 'app_room_updated' }>

interface Waiting {
  readonly local: LocalMember | undefined
  readonly operation: ChannelOperation
  readonly done: MessagingDone
}

/** The members of one app on this node. */
interface LocalChannel {
  readonly packageName: string
  readonly members: Map<AppMember, LocalMember>
  /** The node that owns the channel; undefined while it is being found. */
  owner: string | undefined
  isLocating: boolean
  waiting: Waiting[]
}

export interface ClusterMessagesDeps {
  readonly hub: AppMessageHub
  readonly bus: Bus
  readonly owners: ChannelOwnerStore
  readonly clock: Clock
  readonly log: Logger
}

/**
 * App-to-app messages between the sessions of all nodes. Each app has a channel, which one node owns: the first that
 * had a member. It keeps all members and rooms; the other nodes send it what their members request, and it sends them
 * what their members receive. If the owner is lost, its rooms are closed and another node becomes the owner.
 */
export class ClusterMessages implements AppMessaging {
  readonly #deps: ClusterMessagesDeps
  readonly #owner: ChannelOwner
  readonly #channels = new Map<string, LocalChannel>()
  readonly #byId = new Map<string, LocalMember>()
  readonly #ownership = new KeyedQueue()
  readonly #verification: PeriodicTask
  #lastId = 0
  #isClosed = false

  constructor(deps: ClusterMessagesDeps) {
    this.#deps = deps
    const { hub, bus, clock, log } = deps
    this.#owner = new ChannelOwner(hub, bus)
    this.#owner.onLeft = (packageName) => this.#releaseIfEmpty(packageName)
    bus.receive(FRAME_KINDS.appMessage, (from, payload) => {
      const delivery: unknown = deserialize(payload)
      if (deliveries.Check(delivery)) this.#receive(from, delivery)
    })
    deliverCall.handle(bus, (delivery, from) => this.#receive(from, delivery))
    bus.onNodeLost((nodeId) => {
      for (const channel of this.#channels.values()) this.#lose(channel, nodeId)
    })
    bus.onConnectionChange((isConnected) => {
      for (const channel of this.#channels.values()) {
        if (isConnected) this.#locate(channel)
        else if (channel.owner !== undefined && channel.owner !== bus.nodeId)
          this.#lose(channel, channel.owner)
      }
    })
    this.#verification = new PeriodicTask({
      clock,
      everyMs: VERIFY_INTERVAL_MS,
      run: () => this.#verify(),
      failed: (err) => log.warn({ err }, 'app messages: channels could not be read'),
    })
    this.#verification.start()
  }

  /** @throws BusError if the owner cannot be reached */
  async usersOf(packageName: string): Promise<ReachableUser[]> {
    const { hub, bus, owners } = this.#deps
    const owner = this.#channels.get(packageName)?.owner ?? (await owners.find(packageName))
    if (owner === undefined) return []
    if (owner === bus.nodeId) return hub.usersOf(packageName)
    const users = await channelCall.send(bus, owner, { packageName, operation: { kind: 'users' } })
    return Array.isArray(users) ? users : []
  }

  enter(member: AppMember): void {
    const { packageName } = member
    let channel = this.#channels.get(packageName)
    if (!channel) {
      channel = { packageName, members: new Map(), owner: undefined, isLocating: false, waiting: [] }
      this.#channels.set(packageName, channel)
    }
    this.#lastId += 1
    const local: LocalMember = { id: String(this.#lastId), member, rooms: new Map() }
    channel.members.set(member, local)
    this.#byId.set(local.id, local)
    if (channel.owner === undefined) this.#locate(channel)
    else this.#send(channel, local, entering(local), () => {})
  }

  leave(member: AppMember): void {
    const channel = this.#channels.get(member.packageName)
    const local = channel?.members.get(member)
    if (!channel || !local) return
    channel.members.delete(member)
    this.#byId.delete(local.id)
    channel.waiting = channel.waiting.filter((waiting) => waiting.local !== local)
    // Members are announced to an owner once it is found.
    if (channel.owner !== undefined) this.#send(channel, local, { kind: 'leave', member: local.id }, () => {})
    if (channel.members.size > 0) return
    if (channel.owner === this.#deps.bus.nodeId) this.#releaseIfEmpty(member.packageName)
    else this.#channels.delete(member.packageName)
  }

  broadcast(from: AppMember, message: AppMessage, done: MessagingDone): void {
    this.#perform(from, (member) => ({ kind: 'broadcast', member, message }), done)
  }

  toRoom(from: AppMember, roomId: string, message: AppMessage, done: MessagingDone): void {
    this.#perform(from, (member) => ({ kind: 'room', member, roomId, message }), done)
  }

  direct(from: AppMember, userEmail: string, message: AppMessage, done: MessagingDone): void {
    this.#perform(from, (member) => ({ kind: 'direct', member, userEmail, message }), done)
  }

  joinRoom(from: AppMember, roomId: string, options: RoomOptions, done: MessagingDone): void {
    this.#perform(from, (member) => ({ kind: 'join', member, roomId, options }), done)
  }

  leaveRoom(from: AppMember, roomId: string): void {
    this.#channels.get(from.packageName)?.members.get(from)?.rooms.delete(roomId)
    this.#perform(
      from,
      (member) => ({ kind: 'leave-room', member, roomId }),
      () => {},
    )
  }

  /** Closes the rooms of the channels that this node owns; other nodes take the channels over. */
  stop(): void {
    this.#isClosed = true
    this.#deps.hub.close()
  }

  /** Releases the channels that this node owns. */
  async close(): Promise<void> {
    const { owners, bus, log } = this.#deps
    await Promise.all([this.#ownership.idle(), this.#verification.stop()])
    if (this.#owner.packageNames.length === 0) return
    await owners
      .release(bus.nodeId)
      .catch((err: unknown) => log.warn({ err }, 'app messages: channels could not be released'))
  }

  #perform(from: AppMember, operation: (member: string) => MemberOperation, done: MessagingDone): void {
    const channel = this.#channels.get(from.packageName)
    const local = channel?.members.get(from)
    if (!channel || !local) return done(unreachable)
    if (channel.owner !== undefined) return this.#send(channel, local, operation(local.id), done)
    if (channel.waiting.length >= MAX_WAITING || !this.#deps.bus.isConnected) return done(unreachable)
    channel.waiting.push({ local, operation: operation(local.id), done })
    this.#locate(channel)
  }

  /** Sends an operation to the owner. Operations reach it in order. */
  #send(channel: LocalChannel, local: LocalMember, operation: ChannelOperation, done: MessagingDone): void {
    const { bus, hub } = this.#deps
    const { packageName, owner = '' } = channel
    if (owner === bus.nodeId) {
      if (operation.kind === 'enter') hub.enter(local.member)
      else if (operation.kind === 'leave') hub.leave(local.member)
      else if (operation.kind !== 'reset' && operation.kind !== 'users')
        void performAs(hub, local.member, operation).then(done)
      return
    }
    channelCall.send(bus, owner, { packageName, operation }).then(
      (rejection) => done(Array.isArray(rejection) ? undefined : rejection),
      (error: unknown) => {
        done(unreachable)
        // An owner that does not know the channel or the member is one no longer.
        if (error instanceof BusError && error.code !== 'OVERLOADED') this.#lose(channel, owner)
      },
    )
  }

  /** Closes the rooms of a lost owner and finds the next one. */
  #lose(channel: LocalChannel, owner: string): void {
    if (channel.owner !== owner || owner === this.#deps.bus.nodeId) return
    channel.owner = undefined
    this.#closeRooms(channel)
    this.#locate(channel)
  }

  #closeRooms({ members }: LocalChannel): void {
    const timestamp = toIsoString(this.#deps.clock.now())
    for (const { member, rooms } of members.values()) {
      for (const [roomId, roomData] of rooms) {
        const closed = { type: 'app_room_updated', roomId, updateType: 'room_closed', timestamp } as const
        member.deliver(new SharedMessage({ ...closed, roomData: { ...roomData, memberCount: 0 } }))
      }
      rooms.clear()
    }
  }

  #locate(channel: LocalChannel): void {
    if (channel.isLocating || channel.owner !== undefined || this.#isClosed) return
    if (channel.members.size === 0) return
    channel.isLocating = true
    this.#ownership
      .run(channel.packageName, () => this.#findOwner(channel))
      .then(
        (owner) => this.#located(channel, owner),
        (err: unknown) => {
          this.#deps.log.warn({ err }, 'app messages: the owner of a channel could not be found')
          for (const { done } of channel.waiting.splice(0)) done(unreachable)
          this.#deps.clock.after(RETRY_MS, () => {
            channel.isLocating = false
            if (channel.members.size > 0) this.#locate(channel)
          })
        },
      )
  }

  #located(channel: LocalChannel, owner: string): void {
    channel.isLocating = false
    channel.owner = owner
    if (owner === this.#deps.bus.nodeId) this.#owner.add(channel.packageName)
    for (const local of channel.members.values()) this.#send(channel, local, entering(local), () => {})
    for (const { local, operation, done } of channel.waiting.splice(0))
      if (local) this.#send(channel, local, operation, done)
    // Users who entered after all others had left have another channel, whose owner is still being found.
    const isCurrent = this.#channels.get(channel.packageName) === channel
    if (isCurrent && channel.members.size === 0) this.#channels.delete(channel.packageName)
    if (owner === this.#deps.bus.nodeId) this.#releaseIfEmpty(channel.packageName)
  }

  /** Returns the node that owns a channel, or makes this one the owner if no node that responds is. */
  async #findOwner({ packageName }: LocalChannel): Promise<string> {
    const { bus, owners } = this.#deps
    let gone: string | undefined
    for (let attempt = 1; ; attempt++) {
      const owner = await owners.claim(packageName, bus.nodeId, gone)
      if (owner === bus.nodeId) return owner
      try {
        await channelCall.send(bus, owner, { packageName, operation: { kind: 'reset' } })
        return owner
      } catch (error) {
        if (!bus.isConnected || attempt === MAX_LOCATE_ATTEMPTS) throw error
        gone = owner
      }
    }
  }

  #releaseIfEmpty(packageName: string): void {
    const { owners, bus, hub, log } = this.#deps
    const isEmpty = () =>
      this.#owner.owns(packageName) &&
      !this.#channels.get(packageName)?.members.size &&
      hub.usersOf(packageName).length === 0
    if (!isEmpty()) return
    this.#ownership
      .run(packageName, async () => {
        if (!isEmpty()) return
        this.#owner.remove(packageName)
        this.#channels.delete(packageName)
        await owners.release(bus.nodeId, packageName)
      })
      .catch((err: unknown) => log.warn({ err }, 'app messages: a channel could not be released'))
  }

  /** Delivers a message of the owner. @returns whether the last member received it */
  #receive(from: string, { packageName, members, message }: Delivery): boolean {
    // An owner that was frozen may not know that another node has taken over.
    if (this.#channels.get(packageName)?.owner !== from) return false
    const shared = new SharedMessage<CloudToApp>(message)
    let wasSent = false
    for (const id of members) {
      const local = this.#byId.get(id)
      if (!local) continue
      if (message.type === 'app_room_updated') trackRoom(local, message)
      wasSent = local.member.deliver(shared)
    }
    return wasSent
  }

  /** Gives up channels that another node took over while this one did not respond. */
  async #verify(): Promise<void> {
    const { owners, bus, hub } = this.#deps
    const claimed = this.#owner.packageNames
    if (claimed.length === 0 || this.#isClosed) return
    const owned = await owners.ownedBy(bus.nodeId)
    for (const packageName of claimed) {
      if (owned.has(packageName) || !this.#owner.owns(packageName)) continue
      this.#owner.remove(packageName)
      hub.closeChannel(packageName)
      const channel = this.#channels.get(packageName)
      if (!channel) continue
      channel.owner = undefined
      this.#locate(channel)
    }
  }
}

function entering({ id, member }: LocalMember): ChannelOperation {
  const { userEmail, sessionId, joinedAt } = member
  return { kind: 'enter', member: id, userEmail, sessionId, joinedAt }
}

function trackRoom({ rooms }: LocalMember, { roomId, updateType, roomData }: RoomUpdate): void {
  if (updateType === 'room_closed') rooms.delete(roomId)
  else rooms.set(roomId, roomData)
}
