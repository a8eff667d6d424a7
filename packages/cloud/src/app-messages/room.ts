import type { CloudToApp } from '@glasses-cloud/contract'
import type { AppMember, RoomWish } from '../session/index.ts'

type RoomUpdate = Extract<CloudToApp, { type: 'app_room_updated' }>

/** A room of an app: who is in it, and how they hear of each other. */
export class Room {
  readonly #roomId: string
  readonly #wish: RoomWish
  readonly #now: () => string
  readonly #members = new Set<AppMember>()

  /** @param now the time as the wire wants it */
  constructor(roomId: string, wish: RoomWish, now: () => string) {
    this.#roomId = roomId
    this.#wish = wish
    this.#now = now
  }

  get isFull(): boolean {
    return this.#members.size >= this.#wish.maxUsers
  }

  get isEmpty(): boolean {
    return this.#members.size === 0
  }

  has(member: AppMember): boolean {
    return this.#members.has(member)
  }

  /** Lets a member in, and tells everybody; who is in already is told how the room stands. */
  join(member: AppMember): void {
    if (this.#members.has(member)) return void member.deliver(this.#updated('user_joined'))
    const { userId, sessionId } = member
    const joinedAt = this.#now()
    const joined = { type: 'app_user_joined', userId, sessionId, joinedAt, roomId: this.#roomId } as const
    this.say(member, { ...joined, timestamp: joinedAt })
    this.#members.add(member)
    this.#tellAll('user_joined')
  }

  /** A member goes, and those who stay are told. */
  leave(member: AppMember): void {
    if (!this.#members.delete(member)) return
    const { userId, sessionId } = member
    const leftAt = this.#now()
    const left = { type: 'app_user_left', userId, sessionId, leftAt, roomId: this.#roomId } as const
    this.say(member, { ...left, timestamp: leftAt })
    this.#tellAll('user_left')
  }

  /** To all but one. */
  say(from: AppMember, message: CloudToApp): void {
    for (const member of this.#members) if (member !== from) member.deliver(message)
  }

  #tellAll(updateType: RoomUpdate['updateType']): void {
    for (const member of this.#members) member.deliver(this.#updated(updateType))
  }

  #updated(updateType: RoomUpdate['updateType']): RoomUpdate {
    return {
      type: 'app_room_updated',
      roomId: this.#roomId,
      updateType,
      roomData: { memberCount: this.#members.size, ...this.#wish },
      timestamp: this.#now(),
    }
  }
}
