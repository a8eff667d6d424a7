import { Type } from 'typebox'
import { capabilities as deviceCapabilities } from '../capabilities.ts'
import { appMessagesToApps } from './app-messages.ts'
import { dashboardToApps } from './dashboard.ts'
import { defineCloudMessage, type MessageOf } from './define-message.ts'
import { outputsToApps } from './outputs.ts'
import { phoneEventsToApps } from './phone-events.ts'
import { appSettingValues, settingsToApps } from './settings.ts'
import { appSocketErrors, defineErrorCode } from './socket-errors.ts'
import { streamsToApps } from './streams.ts'

const sessionId = Type.String({ description: 'The app session' })
const osSettings = Type.Record(Type.String(), Type.Unknown(), {
  description: 'All OS settings',
})
const capabilities = Type.Union([Type.Null(), deviceCapabilities])

/** Messages to apps on `/app-ws` (app-socket.md §2.2 and app-socket.md §2.3). */
export const cloudToApp = {
  tpa_connection_ack: defineCloudMessage('tpa_connection_ack', 'The app is connected to the user session.', {
    sessionId,
    settings: appSettingValues,
    mentraosSettings: osSettings,
    augmentosSettings: osSettings,
    capabilities,
  }),
  tpa_connection_error: defineCloudMessage('tpa_connection_error', 'A message was rejected.', {
    code: defineErrorCode(appSocketErrors),
    message: Type.String(),
    correlationId: Type.Optional(
      Type.String({ description: 'Correlation id of the rejected request, if any' }),
    ),
  }),
  reconnect_rejected: defineCloudMessage(
    'reconnect_rejected',
    'The app is no longer running; the socket is closed.',
    {
      code: Type.Literal('NOT_RUNNING'),
      message: Type.String(),
    },
  ),
  pong: Type.Object({ type: Type.Literal('pong') }, { description: 'Response to ping.' }),
  app_stopped: defineCloudMessage('app_stopped', 'The app session ended; the socket is closed next.', {
    reason: Type.String(),
    sessionId,
  }),
  data_stream: defineCloudMessage(
    'data_stream',
    'A frame of a stream, under the subscription string of the app.',
    {
      streamType: Type.String(),
      data: Type.Unknown(),
      sessionId,
    },
  ),
  capabilities_update: defineCloudMessage('capabilities_update', 'The connected glasses changed.', {
    capabilities,
    modelName: Type.Union([Type.String(), Type.Null()]),
  }),
  device_state_update: defineCloudMessage(
    'device_state_update',
    'The device state: complete, or changes to it.',
    {
      state: Type.Record(Type.String(), Type.Unknown()),
      fullSnapshot: Type.Boolean(),
      sessionId,
    },
  ),
  permission_error: defineCloudMessage(
    'permission_error',
    'Subscriptions rejected for lack of a declared permission.',
    {
      message: Type.String(),
      details: Type.Array(
        Type.Object({ stream: Type.String(), requiredPermission: Type.String(), message: Type.String() }),
      ),
      sessionId,
    },
  ),
  photo_response: defineCloudMessage(
    'photo_response',
    'The result of a photo request, for apps that announce SDK 3 or newer; others receive it at /photo-upload.',
    {
      requestId: Type.String(),
      success: Type.Boolean(),
      photoUrl: Type.Optional(
        Type.String({ description: 'URL of the photo, valid for five minutes without credentials' }),
      ),
      savedToGallery: Type.Optional(Type.Boolean()),
      error: Type.Optional(Type.Object({ code: Type.String(), message: Type.String() })),
      sessionId,
    },
  ),
  ...streamsToApps,
  ...outputsToApps,
  ...dashboardToApps,
  ...appMessagesToApps,
  ...settingsToApps,
  ...phoneEventsToApps,
} as const

/** A message from the cloud to an app. */
export type CloudToApp = MessageOf<typeof cloudToApp>
