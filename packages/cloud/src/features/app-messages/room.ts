import type { CloudToApp } from '@glasses-cloud/contract'
import { type RoomOptions, SharedMessage } from '../../session/index.ts'
import type { ChannelMember } from './fan-out.ts'

/** The default of `maxUsers`, which is also its maximum. */
const MAX_USERS = 100

type RoomUpdate = Extract<CloudToApp, { type: 'app_room_updated' }>

export interface RoomDeps {
  /** The current time, ISO 8601. */
  timestamp(): string
  /** Sends a message to the recipients and charges it to the payer. */
  send(payer: ChannelMember, recipients: readonly ChannelMember[], message: SharedMessage<CloudToApp>): void
}

/** A room of an app: its members, its options, and the messages about both. */
export class Room {
  readonly #roomId: string
  readonly #deps: RoomDeps
  /** Ordered by when they joined; the options of the first one apply (A2A-12, A2A-15). */
  readonly #members = new Set<ChannelMember>()
  #options: RoomOptions & Pick<Required<RoomOptions>, 'maxUsers' | 'isPrivate'> = {
    maxUsers: MAX_USERS,
    isPrivate: false,
  }

  constructor(roomId: string, deps: RoomDeps) {
    this.#roomId = roomId
    this.#deps = deps
  }

  get isFull(): boolean {
    return this.#members.size >= this.#options.maxUsers
  }

  get isEmpty(): boolean {
    return this.#members.size === 0
  }

  has(member: ChannelMember): boolean {
    return this.#members.has(member)
  }

  /** Adds a member and notifies all. A member that joins again may change the options, or receives the state. */
  join(member: ChannelMember, options: RoomOptions): void {
    if (this.#members.has(member)) return this.#joinAgain(member, options)
    if (this.isEmpty) this.#options = { ...this.#options, ...options }
    const { userEmail: userId, sessionId } = member
    const joinedAt = this.#deps.timestamp()
    const joined = { type: 'app_user_joined', userId, sessionId, joinedAt, roomId: this.#roomId } as const
    this.sendToOthers(member, { ...joined, timestamp: joinedAt })
    this.#members.add(member)
    this.#sendUpdate('user_joined', member)
  }

  /** Removes a member and notifies the others. */
  leave(member: ChannelMember): void {
    if (!this.#members.delete(member)) return
    const { userEmail: userId, sessionId } = member
    const leftAt = this.#deps.timestamp()
    const left = { type: 'app_user_left', userId, sessionId, leftAt, roomId: this.#roomId } as const
    this.sendToOthers(member, { ...left, timestamp: leftAt })
    this.#sendUpdate('user_left', member)
  }

  /** Removes all members and notifies them. */
  close(): void {
    const members = [...this.#members]
    this.#members.clear()
    const [first] = members
    if (first) this.#deps.send(first, members, this.#update('room_closed'))
  }

  /** Sends a message to all members except the sender, which is charged for it. */
  sendToOthers(sender: ChannelMember, message: CloudToApp): void {
    const others = [...this.#members].filter((member) => member !== sender)
    this.#deps.send(sender, others, new SharedMessage(message))
  }

  #joinAgain(member: ChannelMember, options: RoomOptions): void {
    const [first] = this.#members
    const changed = { ...this.#options, ...options }
    if (member !== first || JSON.stringify(changed) === JSON.stringify(this.#options))
      return this.#deps.send(member, [member], this.#update('user_joined'))
    this.#options = changed
    this.#sendUpdate('config_changed', member)
  }

  #sendUpdate(updateType: RoomUpdate['updateType'], payer: ChannelMember): void {
    this.#deps.send(payer, [...this.#members], this.#update(updateType))
  }

  #update(updateType: RoomUpdate['updateType']): SharedMessage<RoomUpdate> {
    return new SharedMessage({
      type: 'app_room_updated',
      roomId: this.#roomId,
      updateType,
      roomData: { memberCount: this.#members.size, ...this.#options },
      timestamp: this.#deps.timestamp(),
    })
  }
}
