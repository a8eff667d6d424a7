import { Type } from 'typebox'
import { layout, view } from '../layouts.ts'
import { captureFields, photoRequestId } from '../photos.ts'
import { exactForm } from '../tolerant-reader.ts'
import { appMessagesFromApps } from './app-messages.ts'
import { dashboardFromApps } from './dashboard.ts'
import { createMessageChecker, defineAppMessage, type MessageOf, packageName } from './define-message.ts'
import { outputsFromApps } from './outputs.ts'
import { phoneEventsFromApps } from './phone-events.ts'
import { streamsFromApps } from './streams.ts'

const sdkVersion = Type.Optional(
  Type.String({ maxLength: 100, description: 'Version of the app SDK, which newer ones announce' }),
)

/** Messages from apps on `/app-ws` (app-socket.md §2.1). */
export const appToCloud = {
  tpa_connection_init: defineAppMessage(
    'tpa_connection_init',
    'Authenticates the app for an app session.',
    {
      sessionId: Type.Optional(
        Type.String({ maxLength: 600, description: 'Required unless the header x-session-id names it' }),
      ),
      packageName: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 200,
          description: 'Required without a token in the handshake',
        }),
      ),
      apiKey: Type.Optional(
        Type.String({ maxLength: 500, description: 'Required without a token in the handshake' }),
      ),
      sdkVersion,
    },
    exactForm,
  ),
  reconnect: defineAppMessage(
    'reconnect',
    'Authenticates a socket that replaces a lost one, by the headers x-session-id, x-package-name and x-api-key.',
    {
      sessionId: Type.Optional(
        Type.String({ maxLength: 600, description: 'Takes precedence over the header' }),
      ),
      sdkVersion,
    },
    exactForm,
  ),
  ping: defineAppMessage('ping', 'Keeps proxies from closing the socket; answered with pong.', {}),
  subscription_update: defineAppMessage(
    'subscription_update',
    'Replaces the subscriptions of the app with the given list.',
    {
      packageName,
      subscriptions: Type.Array(
        Type.Union([
          Type.String({ maxLength: 500 }),
          Type.Object({
            stream: Type.String({ maxLength: 500 }),
            rate: Type.Optional(Type.String({ maxLength: 100 })),
          }),
        ]),
        { maxItems: 500 },
      ),
    },
  ),
  display_event: defineAppMessage(
    'display_event',
    'Shows a layout on the lens, subject to display arbitration.',
    {
      packageName,
      view: Type.Optional(view),
      layout,
      durationMs: Type.Optional(Type.Number({ minimum: 0 })),
      forceDisplay: Type.Optional(Type.Boolean({ description: 'Accepted, without effect' })),
    },
  ),
  photo_request: defineAppMessage(
    'photo_request',
    'Requests a photo, which is sent to /photo-upload of the app.',
    {
      packageName,
      requestId: Type.Optional({
        ...photoRequestId,
        description: 'Generated if absent, for SDKs up to 2.0.2',
      }),
      saveToGallery: Type.Optional(Type.Boolean({ description: "Also store it in the user's gallery" })),
      customWebhookUrl: Type.Optional(
        Type.String({ maxLength: 2_048, description: 'URL to which the glasses upload the photo instead' }),
      ),
      authToken: Type.Optional(
        Type.String({ maxLength: 2_048, description: 'Sent with the photo as bearer token' }),
      ),
      size: Type.Optional(
        Type.String({
          maxLength: 20,
          description: 'small, medium (default), large or full; newer phones support more',
        }),
      ),
      compress: Type.Optional(Type.String({ maxLength: 20, description: 'none (default), medium or heavy' })),
      flash: Type.Optional(captureFields.flash),
      sound: Type.Optional(captureFields.sound),
      exposureTimeNs: Type.Optional(captureFields.exposureTimeNs),
      mode: Type.Optional(captureFields.mode),
    },
  ),
  ...streamsFromApps,
  ...outputsFromApps,
  ...dashboardFromApps,
  ...appMessagesFromApps,
  ...phoneEventsFromApps,
  ownership_release: defineAppMessage(
    'ownership_release',
    'The app closes this socket and does not reconnect; the cloud does not restart it.',
    {
      packageName,
      reason: Type.Optional(
        Type.String({ maxLength: 200, description: 'switching_clouds, clean_shutdown or user_logout' }),
      ),
    },
  ),
} as const

/** A valid message from an app. */
export type AppToCloud = MessageOf<typeof appToCloud>

/** Validates a message from an app. */
export const checkAppMessage = createMessageChecker(appToCloud)
