import type { CloudToApp } from '@glasses-cloud/contract'

/** What one app session says to others. */
export type AppMessage = Extract<CloudToApp, { type: 'app_message_received' }>

/** The running app of one wearer, as the same app at other wearers sees it. */
export interface AppMember {
  readonly packageName: string
  /** The wearer's e-mail. */
  readonly userEmail: string
  /** The app session. */
  readonly sessionId: string
  /** Since when it can be reached, ISO 8601. */
  readonly joinedAt: string
  /** @returns whether it has a socket that takes the message */
  deliver(message: CloudToApp): boolean
}

/** How a room is to be, as far as somebody has a wish; counts for whoever makes it, or has been in it longest. */
export interface RoomOptions {
  readonly maxUsers?: number
  readonly isPrivate?: boolean
  readonly metadata?: unknown
}

/** Why something was not done. */
export interface MessagingRejection {
  readonly code: 'USER_NOT_REACHABLE' | 'ROOM_FULL' | 'TOO_MANY_ROOMS' | 'NOT_IN_ROOM'
  readonly message: string
}

/** Told how something went; without a refusal it was done. */
export type MessagingDone = (refusal?: MessagingRejection) => void

/**
 * The way from an app at one wearer to the same app at others. Only members of the same package ever meet. Outcomes
 * may come at once or later.
 */
export interface AppMessaging {
  /** From now on the member can be reached. */
  enter(member: AppMember): void
  /** It cannot any more, and leaves its rooms. */
  leave(member: AppMember): void
  /** To every other member. */
  broadcast(from: AppMember, message: AppMessage): void
  /** To the others in a room. */
  toRoom(from: AppMember, roomId: string, message: AppMessage, done: MessagingDone): void
  /** To the member of one wearer. */
  direct(from: AppMember, userId: string, message: AppMessage, done: MessagingDone): void
  joinRoom(from: AppMember, roomId: string, wish: RoomOptions, done: MessagingDone): void
  leaveRoom(from: AppMember, roomId: string): void
}
