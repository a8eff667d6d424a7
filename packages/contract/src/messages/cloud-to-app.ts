import { Type } from 'typebox'
import { capabilities as deviceCapabilities } from '../capabilities.ts'
import { appMessagesToApps } from './app-messages.ts'
import type { MessageOf } from './check-message.ts'
import { dashboardToApps } from './dashboard.ts'
import { defineCloudMessage } from './define-message.ts'
import { outputsToApps } from './outputs.ts'
import { phoneEventsToApps } from './phone-events.ts'
import { appSettingValues, settingsToApps } from './settings.ts'
import { appSocketErrors, defineErrorCode } from './socket-errors.ts'
import { streamsToApps } from './streams.ts'

const sessionId = Type.String({ description: 'The app session' })
const osSettings = Type.Record(Type.String(), Type.Unknown(), {
  description: 'Every OS setting, always whole',
})
const capabilities = Type.Union([Type.Null(), deviceCapabilities])

/** What the cloud says on `/app-ws` (app socket protocol, 2.2 and 2.3). */
export const cloudToApp = {
  tpa_connection_ack: defineCloudMessage('tpa_connection_ack', 'The app is connected to the user session.', {
    sessionId,
    settings: appSettingValues,
    mentraosSettings: osSettings,
    augmentosSettings: osSettings,
    capabilities,
  }),
  tpa_connection_error: defineCloudMessage('tpa_connection_error', 'A message was refused.', {
    code: defineErrorCode(appSocketErrors),
    message: Type.String(),
    correlationId: Type.Optional(Type.String({ description: 'Of the request refused, if it had one' })),
  }),
  app_stopped: defineCloudMessage('app_stopped', 'The app session is over; the socket closes next.', {
    reason: Type.String(),
    sessionId,
  }),
  data_stream: defineCloudMessage(
    'data_stream',
    "One frame of a stream, under the app's own subscription string.",
    {
      streamType: Type.String(),
      data: Type.Unknown(),
      sessionId,
    },
  ),
  capabilities_update: defineCloudMessage('capabilities_update', 'Other glasses, or none.', {
    capabilities,
    modelName: Type.Union([Type.String(), Type.Null()]),
  }),
  device_state_update: defineCloudMessage(
    'device_state_update',
    'State of the glasses: whole, or what changed.',
    {
      state: Type.Record(Type.String(), Type.Unknown()),
      fullSnapshot: Type.Boolean(),
      sessionId,
    },
  ),
  permission_error: defineCloudMessage(
    'permission_error',
    'Subscriptions left out for want of a declared permission.',
    {
      message: Type.String(),
      details: Type.Array(
        Type.Object({ stream: Type.String(), requiredPermission: Type.String(), message: Type.String() }),
      ),
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
