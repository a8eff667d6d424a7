import type { CloudToApp } from '@glasses-cloud/contract'
import type { SharedMessage } from '../../peer.ts'

/** A message from one app session to others. */
export type AppMessage = Extract<CloudToApp, { type: 'app_message_received' }>

/** An app session that can exchange messages with the same app of other users. */
export interface AppMember {
  readonly packageName: string
  readonly userEmail: string
  /** The app session id. */
  readonly sessionId: string
  /** When it became reachable, ISO 8601. */
  readonly joinedAt: string
  /** @returns false if the app has no acknowledged socket, so that the message was not sent */
  deliver(message: SharedMessage<CloudToApp>): boolean
}

/** The options of a room. Those of the member who has been in it longest apply. */
export interface RoomOptions {
  readonly maxUsers?: number
  readonly isPrivate?: boolean
  readonly metadata?: unknown
}

/** Why a request was rejected. */
export interface MessagingRejection {
  readonly code: 'RATE_LIMITED' | 'USER_NOT_REACHABLE' | 'ROOM_FULL' | 'TOO_MANY_ROOMS' | 'NOT_IN_ROOM'
  readonly message: string
}

/** Called with the result of a request: without a rejection it succeeded. */
export type MessagingDone = (rejection?: MessagingRejection) => void

/**
 * The port to the same app of other users. Members reach only members of the same package. Callbacks may be called
 * synchronously or later.
 */
export interface AppMessaging {
  /** Makes the member reachable. */
  enter(member: AppMember): void
  /** Makes the member unreachable and removes it from its rooms. */
  leave(member: AppMember): void
  /** Sends to every other member of the package. */
  broadcast(from: AppMember, message: AppMessage, done: MessagingDone): void
  /** Sends to the other members of a room. */
  toRoom(from: AppMember, roomId: string, message: AppMessage, done: MessagingDone): void
  /** Sends to the member of one user. */
  direct(from: AppMember, userEmail: string, message: AppMessage, done: MessagingDone): void
  joinRoom(from: AppMember, roomId: string, options: RoomOptions, done: MessagingDone): void
  leaveRoom(from: AppMember, roomId: string): void
}
