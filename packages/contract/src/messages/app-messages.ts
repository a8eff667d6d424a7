import { Type } from 'typebox'
import { defineAppMessage, defineCloudMessage, packageName } from './define-message.ts'

const messageId = Type.String({ minLength: 1, maxLength: 200 })
const roomId = Type.String({ minLength: 1, maxLength: 200 })
const payload = Type.Optional(Type.Unknown({ description: 'At most 64 KiB as JSON' }))

/** Messages from an app to the same app of other users (app-socket.md §2.1.6). */
export const appMessagesFromApps = {
  app_broadcast_message: defineAppMessage(
    'app_broadcast_message',
    "Sends a message to the app's other users, or to the members of a room.",
    {
      packageName,
      messageId,
      payload,
      roomId: Type.Optional(roomId),
    },
  ),
  app_direct_message: defineAppMessage(
    'app_direct_message',
    'Sends a message to the app of one user; app_direct_message_response reports whether it was delivered.',
    {
      packageName,
      messageId,
      payload,
      targetUserId: Type.String({ minLength: 1, maxLength: 320, description: 'E-mail address' }),
    },
  ),
  app_room_join: defineAppMessage(
    'app_room_join',
    'Joins a room of the app, which is created by its first member.',
    {
      packageName,
      roomId,
      roomConfig: Type.Optional(
        Type.Object({
          maxUsers: Type.Optional(Type.Integer({ minimum: 1, description: 'At most 100 (default)' })),
          isPrivate: Type.Optional(
            Type.Boolean({ description: 'Sent to the members, otherwise without effect' }),
          ),
          metadata: Type.Optional(
            Type.Unknown({ description: 'Sent to the members; at most 4 KiB as JSON' }),
          ),
        }),
      ),
    },
  ),
  app_room_leave: defineAppMessage('app_room_leave', 'Leaves a room.', { packageName, roomId }),
  app_user_discovery: defineAppMessage(
    'app_user_discovery',
    'Asks for other users of the app. Without effect: the app SDK uses REST instead.',
    { packageName, includeUserProfiles: Type.Optional(Type.Boolean()) },
  ),
} as const

const sessionId = Type.String({ description: 'The app session of that user' })
const userId = Type.String({ description: 'E-mail address' })

/** Messages to an app from the same app of other users (app-socket.md §2.2). */
export const appMessagesToApps = {
  app_message_received: defineCloudMessage(
    'app_message_received',
    'A message from the app of another user.',
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
    'Reports whether a direct message was delivered.',
    {
      messageId: Type.String(),
      success: Type.Boolean(),
      error: Type.Optional(Type.String()),
      targetUserId: userId,
    },
  ),
  app_user_joined: defineCloudMessage('app_user_joined', 'A user joined a room.', {
    userId,
    sessionId,
    joinedAt: Type.String({ description: 'ISO 8601' }),
    roomId: Type.String(),
  }),
  app_user_left: defineCloudMessage('app_user_left', 'A user left a room.', {
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
