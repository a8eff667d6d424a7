import type { CloudToApp } from '@glasses-cloud/contract'
import type { AppMessage, RoomOptions } from '../../../session/index.ts'
import type { ReachableUser } from '../hub.ts'

/** Method of requests to the owner of a channel. */
export const CHANNEL_METHOD = 'app-channel'

/** Method of requests to deliver a message to one member and to report whether it was sent. */
export const DELIVER_METHOD = 'app-channel-deliver'

/** Time within which the owner must respond. */
export const CHANNEL_TIMEOUT_MS = 3_000

/** What a node requests of the owner of a channel. Members are identified by an id of their node. */
export type ChannelOperation =
  /** Removes all members of the node; the first request to an owner. */
  | { readonly kind: 'reset' }
  | {
      readonly kind: 'enter'
      readonly member: string
      readonly userEmail: string
      readonly sessionId: string
      readonly joinedAt: string
    }
  | { readonly kind: 'leave'; readonly member: string }
  | { readonly kind: 'broadcast'; readonly member: string; readonly message: AppMessage }
  | { readonly kind: 'room'; readonly member: string; readonly roomId: string; readonly message: AppMessage }
  | {
      readonly kind: 'direct'
      readonly member: string
      readonly userEmail: string
      readonly message: AppMessage
    }
  | { readonly kind: 'join'; readonly member: string; readonly roomId: string; readonly options: RoomOptions }
  | { readonly kind: 'leave-room'; readonly member: string; readonly roomId: string }
  | { readonly kind: 'users' }

export interface ChannelRequest {
  readonly packageName: string
  readonly operation: ChannelOperation
}

/** The result of `users`. */
export type ChannelUsers = ReachableUser[]

/** A message to members on one node. */
export interface Delivery {
  readonly packageName: string
  readonly members: readonly string[]
  readonly message: CloudToApp
}
