import type { CloudToApp } from '@glasses-cloud/contract'
import type { AppMember, RoomOptions } from '../../session/index.ts'

/** Users in a room where nobody wished for fewer. */
const MAX_USERS = 100

type RoomUpdate = Extract<CloudToApp, { type: 'app_room_updated' }>

/** A room of an app: who is in it, and how they hear of each other. */
export class Room {
  readonly #roomId: string
  readonly #now: () => string
  /** In the order they came; the first of them says how the room is. */
  readonly #members = new Set<AppMember>()
  #config: RoomOptions & Pick<Required<RoomOptions>, 'maxUsers' | 'isPrivate'> = {
    maxUsers: MAX_USERS,
    isPrivate: false,
  }

  /** @param now the time as the wire wants it */
  constructor(roomId: string, now: () => string) {
    this.#roomId = roomId
    this.#now = now
  }

  get isFull(): boolean {
    return this.#members.size >= this.#config.maxUsers
  }

  get isEmpty(): boolean {
    return this.#members.size === 0
  }

  has(member: AppMember): boolean {
    return this.#members.has(member)
  }

  /** Lets a member in, and tells everybody; who is in already may change the room, or is told how it stands. */
  join(member: AppMember, wish: RoomOptions): void {
    if (this.#members.has(member)) return this.#joinAgain(member, wish)
    if (this.isEmpty) this.#config = { ...this.#config, ...wish }
    const { userEmail: userId, sessionId } = member
    const joinedAt = this.#now()
    const joined = { type: 'app_user_joined', userId, sessionId, joinedAt, roomId: this.#roomId } as const
    this.say(member, { ...joined, timestamp: joinedAt })
    this.#members.add(member)
    this.#tellAll('user_joined')
  }

  /** A member goes, and those who stay are told. */
  leave(member: AppMember): void {
    if (!this.#members.delete(member)) return
    const { userEmail: userId, sessionId } = member
    const leftAt = this.#now()
    const left = { type: 'app_user_left', userId, sessionId, leftAt, roomId: this.#roomId } as const
    this.say(member, { ...left, timestamp: leftAt })
    this.#tellAll('user_left')
  }

  /** Ends the room for all who are in it. */
  close(): void {
    const members = [...this.#members]
    this.#members.clear()
    for (const member of members) member.deliver(this.#updated('room_closed'))
  }

  /** To all but one. */
  say(from: AppMember, message: CloudToApp): void {
    for (const member of this.#members) if (member !== from) member.deliver(message)
  }

  #joinAgain(member: AppMember, wish: RoomOptions): void {
    const [first] = this.#members
    const changed = { ...this.#config, ...wish }
    if (member !== first || JSON.stringify(changed) === JSON.stringify(this.#config))
      return void member.deliver(this.#updated('user_joined'))
    this.#config = changed
    this.#tellAll('config_changed')
  }

  #tellAll(updateType: RoomUpdate['updateType']): void {
    for (const member of this.#members) member.deliver(this.#updated(updateType))
  }

  #updated(updateType: RoomUpdate['updateType']): RoomUpdate {
    return {
      type: 'app_room_updated',
      roomId: this.#roomId,
      updateType,
      roomData: { memberCount: this.#members.size, ...this.#config },
      timestamp: this.#now(),
    }
  }
}
