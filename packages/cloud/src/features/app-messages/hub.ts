import {
  type AppMember,
  type AppMessage,
  type AppMessaging,
  type MessagingDone,
  type RoomOptions,
  toIsoString,
} from '../../session/index.ts'
import { Room } from './room.ts'

/** A running app of a wearer, for whoever may know. */
export interface ReachableUser {
  /** E-mail. */
  readonly userId: string
  readonly sessionId: string
  /** ISO 8601. */
  readonly joinedAt: string
}

/** Rooms of one app. */
const MAX_ROOMS = 1_000

/** Rooms one app session may be in. */
const MAX_ROOMS_EACH = 20

/** All that one app is at the wearers of this process. */
class Community {
  /** By e-mail. */
  readonly members = new Map<string, AppMember>()
  readonly rooms = new Map<string, Room>()
}

/** The way between the sessions of this process for what apps say to themselves at other wearers. */
export class AppMessageHub implements AppMessaging {
  readonly #communities = new Map<string, Community>()
  readonly #now: () => string

  /** @param now epoch ms */
  constructor(now: () => number) {
    this.#now = () => toIsoString(now())
  }

  /** The wearers at whom an app runs, the longest there first. */
  usersOf(packageName: string): ReachableUser[] {
    const members = this.#communities.get(packageName)?.members.values() ?? []
    return [...members].map(({ userEmail: userId, sessionId, joinedAt }) => ({ userId, sessionId, joinedAt }))
  }

  enter(member: AppMember): void {
    const { packageName, userEmail } = member
    let community = this.#communities.get(packageName)
    if (!community) {
      community = new Community()
      this.#communities.set(packageName, community)
    }
    community.members.set(userEmail, member)
  }

  leave(member: AppMember): void {
    const { packageName, userEmail } = member
    const community = this.#communities.get(packageName)
    if (!community) return
    for (const roomId of [...community.rooms.keys()]) this.leaveRoom(member, roomId)
    // A newer session of the wearer may stand in its place already.
    if (community.members.get(userEmail) === member) community.members.delete(userEmail)
    if (community.members.size === 0) this.#communities.delete(packageName)
  }

  broadcast(from: AppMember, message: AppMessage): void {
    const members = this.#communities.get(from.packageName)?.members.values() ?? []
    for (const member of members) if (member !== from) member.deliver(message)
  }

  toRoom(from: AppMember, roomId: string, message: AppMessage, done: MessagingDone): void {
    const room = this.#communities.get(from.packageName)?.rooms.get(roomId)
    if (!room?.has(from)) return done({ code: 'NOT_IN_ROOM', message: 'The app is not in that room' })
    room.say(from, message)
    done()
  }

  direct(from: AppMember, userId: string, message: AppMessage, done: MessagingDone): void {
    const target = this.#communities.get(from.packageName)?.members.get(userId.trim().toLowerCase())
    if (target?.deliver(message)) return done()
    done({ code: 'USER_NOT_REACHABLE', message: 'The app does not run at that user' })
  }

  joinRoom(from: AppMember, roomId: string, wish: RoomOptions, done: MessagingDone): void {
    const rooms = this.#communities.get(from.packageName)?.rooms
    if (!rooms) return
    const room = rooms.get(roomId) ?? new Room(roomId, this.#now)
    if (!room.has(from)) {
      const own = [...rooms.values()].filter((other) => other.has(from)).length
      if (own >= MAX_ROOMS_EACH)
        return done({ code: 'TOO_MANY_ROOMS', message: `An app may be in ${MAX_ROOMS_EACH} rooms at a time` })
      if (!rooms.has(roomId) && rooms.size >= MAX_ROOMS)
        return done({ code: 'TOO_MANY_ROOMS', message: `An app may have ${MAX_ROOMS} rooms` })
      if (room.isFull) return done({ code: 'ROOM_FULL', message: 'The room is full' })
    }
    rooms.set(roomId, room)
    room.join(from, wish)
    done()
  }

  /** The process goes down: rooms do not outlive it, though the apps in them may come back. */
  close(): void {
    for (const { rooms } of this.#communities.values()) {
      for (const room of rooms.values()) room.close()
      rooms.clear()
    }
  }

  leaveRoom(from: AppMember, roomId: string): void {
    const rooms = this.#communities.get(from.packageName)?.rooms
    const room = rooms?.get(roomId)
    room?.leave(from)
    if (room?.isEmpty) rooms?.delete(roomId)
  }
}
