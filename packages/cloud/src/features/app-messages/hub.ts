import {
  type AppMessage,
  type AppMessaging,
  type MessagingDone,
  type MessagingRejection,
  type RoomOptions,
  SharedMessage,
} from '../../session/index.ts'
import { type Clock, toIsoString } from '../../time/index.ts'
import { AppChannel } from './app-channel.ts'
import { type ChannelMember, FanOut, type Schedule } from './fan-out.ts'
import { Room } from './room.ts'

/** A user who is running an app. */
export interface ReachableUser {
  /** E-mail address. */
  readonly userId: string
  readonly sessionId: string
  /** ISO 8601. */
  readonly joinedAt: string
}

const MAX_ROOMS_PER_APP = 1_000
const MAX_ROOMS_PER_MEMBER = 20

const overBudget: MessagingRejection = {
  code: 'RATE_LIMITED',
  message: 'The messages of this session reach too many bytes times recipients per second',
}

/** Forwards app-to-app messages between the members of channels; see `ClusterMessages` for several nodes. */
export class AppMessageHub implements AppMessaging {
  /** By package name. */
  readonly #channels = new Map<string, AppChannel>()
  readonly #clock: Pick<Clock, 'now' | 'monotonicNow'>
  readonly #fanOut: FanOut

  /** @param schedule runs the next slice of deliveries */
  constructor(clock: Pick<Clock, 'now' | 'monotonicNow'>, schedule: Schedule = setImmediate) {
    this.#clock = clock
    this.#fanOut = new FanOut(schedule)
  }

  /** Returns the users who are running an app, longest-running first. */
  usersOf(packageName: string): ReachableUser[] {
    const members = this.#channels.get(packageName)?.members ?? []
    return [...members].map(({ userEmail, sessionId, joinedAt }) => ({
      userId: userEmail,
      sessionId,
      joinedAt,
    }))
  }

  enter(member: ChannelMember): void {
    const { packageName } = member
    let channel = this.#channels.get(packageName)
    if (!channel) {
      channel = new AppChannel(packageName, this.#fanOut, () => this.#clock.monotonicNow())
      this.#channels.set(packageName, channel)
    }
    channel.add(member)
  }

  leave(member: ChannelMember): void {
    const channel = this.#channels.get(member.packageName)
    if (!channel) return
    for (const roomId of [...channel.rooms.keys()]) this.leaveRoom(member, roomId)
    channel.remove(member)
    if (channel.isEmpty) this.#channels.delete(member.packageName)
  }

  broadcast(from: ChannelMember, message: AppMessage, done: MessagingDone): void {
    const channel = this.#channels.get(from.packageName)
    if (!channel) return done()
    if (channel.isOverBudget(from)) return done(overBudget)
    const others = [...channel.members].filter((member) => member !== from)
    channel.send(from, others, new SharedMessage(message))
    done()
  }

  toRoom(from: ChannelMember, roomId: string, message: AppMessage, done: MessagingDone): void {
    const channel = this.#channels.get(from.packageName)
    const room = channel?.rooms.get(roomId)
    if (!room?.has(from)) return done({ code: 'NOT_IN_ROOM', message: 'The app is not a member of the room' })
    if (channel?.isOverBudget(from)) return done(overBudget)
    room.sendToOthers(from, message)
    done()
  }

  direct(from: ChannelMember, userEmail: string, message: AppMessage, done: MessagingDone): void {
    const channel = this.#channels.get(from.packageName)
    const target = channel?.member(userEmail.trim().toLowerCase())
    const notReachable: MessagingRejection = {
      code: 'USER_NOT_REACHABLE',
      message: 'The app does not run at that user',
    }
    if (!channel || !target) return done(notReachable)
    if (channel.isOverBudget(from)) return done(overBudget)
    channel.send(from, [target], new SharedMessage(message), (wasSent) =>
      wasSent ? done() : done(notReachable),
    )
  }

  joinRoom(from: ChannelMember, roomId: string, options: RoomOptions, done: MessagingDone): void {
    const channel = this.#channels.get(from.packageName)
    if (!channel) return
    const { rooms } = channel
    const room = rooms.get(roomId) ?? this.#createRoom(roomId, channel)
    if (!room.has(from)) {
      const joined = [...rooms.values()].filter((other) => other.has(from)).length
      if (joined >= MAX_ROOMS_PER_MEMBER)
        return done({
          code: 'TOO_MANY_ROOMS',
          message: `An app session can be in at most ${MAX_ROOMS_PER_MEMBER} rooms`,
        })
      if (!rooms.has(roomId) && rooms.size >= MAX_ROOMS_PER_APP)
        return done({ code: 'TOO_MANY_ROOMS', message: `An app can have at most ${MAX_ROOMS_PER_APP} rooms` })
      if (room.isFull) return done({ code: 'ROOM_FULL', message: 'The room is full' })
    }
    if (channel.isOverBudget(from)) return done(overBudget)
    rooms.set(roomId, room)
    room.join(from, options)
    done()
  }

  leaveRoom(from: ChannelMember, roomId: string): void {
    const rooms = this.#channels.get(from.packageName)?.rooms
    const room = rooms?.get(roomId)
    room?.leave(from)
    if (room?.isEmpty) rooms?.delete(roomId)
  }

  /** Closes all rooms, because they do not survive the process, and sends queued deliveries (A2A-16). */
  close(): void {
    for (const channel of this.#channels.values()) channel.closeRooms()
    this.#fanOut.flush()
  }

  /** Closes the rooms of an app and removes its members. */
  closeChannel(packageName: string): void {
    this.#channels.get(packageName)?.closeRooms()
    this.#channels.delete(packageName)
  }

  #createRoom(roomId: string, channel: AppChannel): Room {
    return new Room(roomId, {
      timestamp: () => toIsoString(this.#clock.now()),
      send: (payer, recipients, message) => channel.send(payer, recipients, message),
    })
  }
}
