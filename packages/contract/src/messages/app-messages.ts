import { Type } from 'typebox'
import { announce, define, orNull, packageName } from './define.ts'

const messageId = Type.String({ minLength: 1, maxLength: 200 })
const roomId = Type.String({ minLength: 1, maxLength: 200 })
const payload = Type.Optional(Type.Unknown({ description: 'At most 64 KiB as JSON' }))

/** What an app says to itself at other wearers (app socket protocol, 2.1.6). */
export const appMessagesFromApps = {
  app_broadcast_message: define('app_broadcast_message', "To the app's other wearers, or those in a room.", {
    packageName,
    messageId,
    payload,
    roomId: orNull(roomId),
  }),
  app_direct_message: define(
    'app_direct_message',
    'To the app at one wearer; app_direct_message_response says whether it arrived.',
    {
      packageName,
      messageId,
      payload,
      targetUserId: Type.String({ minLength: 1, maxLength: 320, description: 'E-mail' }),
    },
  ),
  app_room_join: define('app_room_join', 'Enters a room of the app; the first one in makes it.', {
    packageName,
    roomId,
    roomConfig: orNull(
      Type.Object({
        maxUsers: orNull(Type.Integer({ minimum: 1, description: 'At most 100, which is the default' })),
        isPrivate: orNull(Type.Boolean({ description: 'Told to the members, without effect here' })),
        metadata: Type.Optional(Type.Unknown({ description: 'Told to the members; at most 4 KiB as JSON' })),
      }),
    ),
  }),
  app_room_leave: define('app_room_leave', 'Leaves a room.', { packageName, roomId }),
  app_user_discovery: define(
    'app_user_discovery',
    'Asks who else wears the app. Without effect: nobody sends it; REST answers the question.',
    { packageName, includeUserProfiles: orNull(Type.Boolean()) },
  ),
} as const

const sessionId = Type.String({ description: 'The app session of the user it is about' })
const userId = Type.String({ description: 'E-mail' })

/** What an app hears from itself at other wearers (app socket protocol, 2.2). */
export const appMessagesToApps = {
  app_message_received: announce('app_message_received', 'The app at another wearer says something.', {
    messageId: Type.String(),
    payload: Type.Unknown(),
    senderUserId: userId,
    senderSessionId: Type.String(),
    roomId: Type.Optional(Type.String()),
  }),
  app_direct_message_response: announce('app_direct_message_response', 'Whether a message arrived.', {
    messageId: Type.String(),
    success: Type.Boolean(),
    error: Type.Optional(Type.String()),
    targetUserId: userId,
  }),
  app_user_joined: announce('app_user_joined', 'Somebody entered a room.', {
    userId,
    sessionId,
    joinedAt: Type.String({ description: 'ISO 8601' }),
    roomId: Type.String(),
  }),
  app_user_left: announce('app_user_left', 'Somebody left a room.', {
    userId,
    sessionId,
    leftAt: Type.String({ description: 'ISO 8601' }),
    roomId: Type.String(),
  }),
  app_room_updated: announce('app_room_updated', 'A room changed.', {
    roomId: Type.String(),
    updateType: Type.Enum(['user_joined', 'user_left', 'config_changed', 'room_closed']),
    roomData: Type.Object({
      memberCount: Type.Integer(),
      maxUsers: Type.Integer(),
      isPrivate: Type.Boolean(),
      metadata: Type.Optional(Type.Unknown()),
    }),
  }),
} as const
