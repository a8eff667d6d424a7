import { type CloudToApp, cloudToApp, createValidator } from '@glasses-cloud/contract'
import { type Static, Type } from 'typebox'
import { nodeCall } from '../../../bus/index.ts'

/** Time within which the other node must respond. */
const TIMEOUT_MS = 3_000

const { app_message_received, app_user_joined, app_user_left, app_room_updated } = cloudToApp
const member = Type.String({ description: 'Id of a member, given by its node' })
const roomId = Type.String()

/** An operation of a member that has entered. */
const memberOperation = Type.Union([
  Type.Object({ kind: Type.Literal('broadcast'), member, message: app_message_received }),
  Type.Object({ kind: Type.Literal('room'), member, roomId, message: app_message_received }),
  Type.Object({
    kind: Type.Literal('direct'),
    member,
    userEmail: Type.String(),
    message: app_message_received,
  }),
  Type.Object({
    kind: Type.Literal('join'),
    member,
    roomId,
    options: Type.Object({
      maxUsers: Type.Optional(Type.Number()),
      isPrivate: Type.Optional(Type.Boolean()),
      metadata: Type.Optional(Type.Unknown()),
    }),
  }),
  Type.Object({ kind: Type.Literal('leave-room'), member, roomId }),
])

export type MemberOperation = Static<typeof memberOperation>

const channelOperation = Type.Union([
  Type.Object({
    kind: Type.Literal('reset', {
      description: 'Removes all members of the node; the first request to an owner',
    }),
  }),
  Type.Object({
    kind: Type.Literal('enter'),
    member,
    userEmail: Type.String(),
    sessionId: Type.String(),
    joinedAt: Type.String(),
  }),
  Type.Object({ kind: Type.Literal('leave'), member }),
  memberOperation,
  Type.Object({ kind: Type.Literal('users') }),
])

export type ChannelOperation = Static<typeof channelOperation>

const channelRequest = Type.Object({ packageName: Type.String(), operation: channelOperation })

export type ChannelRequest = Static<typeof channelRequest>

const rejection = Type.Object({
  code: Type.Enum(['RATE_LIMITED', 'USER_NOT_REACHABLE', 'ROOM_FULL', 'TOO_MANY_ROOMS', 'NOT_IN_ROOM']),
  message: Type.String(),
})

const channelUsers = Type.Array(
  Type.Object({ userId: Type.String(), sessionId: Type.String(), joinedAt: Type.String() }),
)

/** What a node requests of the owner of a channel. The result of `users` is a list, of the others why they were rejected. */
export const channelCall = nodeCall({
  name: 'app-channel',
  argument: channelRequest,
  result: Type.Union([Type.Undefined(), rejection, channelUsers]),
  timeoutMs: TIMEOUT_MS,
})

const delivery = Type.Object({
  packageName: Type.String(),
  members: Type.Array(Type.String()),
  message: Type.Unsafe<CloudToApp>(
    Type.Union([app_message_received, app_user_joined, app_user_left, app_room_updated]),
  ),
})

/** A message to members on one node. */
export type Delivery = Static<typeof delivery>

export const deliveries = createValidator(delivery)

/** Delivers a message to one member and returns whether it was sent. */
export const deliverCall = nodeCall({
  name: 'app-channel-deliver',
  argument: delivery,
  result: Type.Boolean(),
  timeoutMs: TIMEOUT_MS,
})
