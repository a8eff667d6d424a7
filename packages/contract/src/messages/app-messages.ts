import { Type } from 'typebox'
import { defineClientMessage, defineCloudMessage, optionalOrNull, packageName } from './define-message.ts'

const messageId = Type.String({ minLength: 1, maxLength: 200 })
const roomId = Type.String({ minLength: 1, maxLength: 200 })
const payload = Type.Optional(Type.Unknown({ description: 'At most 64 KiB as JSON' }))

/** What an app says to itself at other wearers (app socket protocol, 2.1.6). */
export const appMessagesFromApps = {
  app_broadcast_message: defineClientMessage(
    'app_broadcast_message',
    "To the app's other wearers, or those in a room.",
    {
      packageName,
      messageId,
      payload,
      roomId: optionalOrNull(roomId),
    },
  ),
  app_direct_message: defineClientMessage(
    'app_direct_message',
    'To the app at one wearer; app_direct_message_response says whether it arrived.',
    {
      packageName,
      messageId,
      payload,
      targetUserId: Type.String({ minLength: 1, maxLength: 320, description: 'E-mail' }),
    },
  ),
  app_room_join: defineClientMessage(
    'app_room_join',
    'Enters a room of the app; the first one in makes it.',
    {
      packageName,
      roomId,
      roomConfig: optionalOrNull(
        Type.Object({
          maxUsers: optionalOrNull(
            Type.Integer({ minimum: 1, description: 'At most 100, which is the default' }),
          ),
          isPrivate: optionalOrNull(
            Type.Boolean({ description: 'Told to the members, without effect here' }),
          ),
          metadata: Type.Optional(
            Type.Unknown({ description: 'Told to the members; at most 4 KiB as JSON' }),
          ),
        }),
      ),
    },
  ),
  app_room_leave: defineClientMessage('app_room_leave', 'Leaves a room.', { packageName, roomId }),
  app_user_discovery: defineClientMessage(
    'app_user_discovery',
    'Asks who else wears the app. Without effect: nobody sends it; REST answers the question.',
    { packageName, includeUserProfiles: optionalOrNull(Type.Boolean()) },
  ),
} as const

const sessionId = Type.String({ description: 'The app session of the user it is about' })
const userId = Type.String({ description: 'E-mail' })

/** What an app hears from itself at other wearers (app socket protocol, 2.2). */
export const appMessagesToApps = {
  app_message_received: defineCloudMessage(
    'app_message_received',
    'The app at another wearer says something.',
    {
      messageId: Type.String(),
      payload: Type.Unknown(),
      senderUserId: userId,
      senderSessionId: Type.String(),
      roomId: Type.Optional(Type.String()),
    },
  ),
  app_direct_message_response: defineCloudMessage(
    'app_direct_message_response',
    'Whether a message arrived.',
    {
      messageId: Type.String(),
      success: Type.Boolean(),
      error: Type.Optional(Type.String()),
      targetUserId: userId,
    },
  ),
  app_user_joined: defineCloudMessage('app_user_joined', 'Somebody entered a room.', {
    userId,
    sessionId,
    joinedAt: Type.String({ description: 'ISO 8601' }),
    roomId: Type.String(),
  }),
  app_user_left: defineCloudMessage('app_user_left', 'Somebody left a room.', {
    userId,
    sessionId,
    leftAt: Type.String({ description: 'ISO 8601' }),
    roomId: Type.String(),
  }),
  app_room_updated: defineCloudMessage('app_room_updated', 'A room changed.', {
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
