import { Type } from 'typebox'
import { layout, view } from '../layouts.ts'
import { captureFields, photoRequestId } from '../photos.ts'
import { appMessagesFromApps } from './app-messages.ts'
import { createMessageChecker, type MessageOf } from './check-message.ts'
import { dashboardFromApps } from './dashboard.ts'
import { defineClientMessage, optionalOrNull, packageName } from './define-message.ts'
import { outputsFromApps } from './outputs.ts'
import { phoneEventsFromApps } from './phone-events.ts'
import { streamsFromApps } from './streams.ts'

/** What apps say on `/app-ws` (app socket protocol, 2.1). */
export const appToCloud = {
  tpa_connection_init: defineClientMessage(
    'tpa_connection_init',
    'Authenticates the app and names the app session.',
    {
      sessionId: Type.String({ maxLength: 600 }),
      packageName: Type.String({ minLength: 1, maxLength: 200 }),
      apiKey: Type.String({ maxLength: 500 }),
    },
  ),
  subscription_update: defineClientMessage(
    'subscription_update',
    'The whole list of streams the app wants, replacing the last.',
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
  display_event: defineClientMessage(
    'display_event',
    'Puts a layout on the lens, within the display rules.',
    {
      packageName,
      view: Type.Optional(view),
      layout,
      durationMs: Type.Optional(Type.Union([Type.Null(), Type.Number({ minimum: 0 })])),
      forceDisplay: Type.Optional(Type.Boolean({ description: 'Accepted and without effect.' })),
    },
  ),
  photo_request: defineClientMessage(
    'photo_request',
    'Asks for a photo; it comes to the app at its /photo-upload.',
    {
      packageName,
      requestId: photoRequestId,
      saveToGallery: Type.Optional(Type.Boolean({ description: "Also kept in the wearer's gallery" })),
      customWebhookUrl: Type.Optional(
        Type.Union([Type.Null(), Type.String({ maxLength: 2_048 })], {
          description: 'Where the photo goes instead, straight from the glasses',
        }),
      ),
      authToken: Type.Optional(
        Type.Union([Type.Null(), Type.String({ maxLength: 2_048 })], {
          description: 'Sent along with the photo, as bearer',
        }),
      ),
      size: Type.Optional(
        Type.String({
          maxLength: 20,
          description: 'small, medium (default), large or full; newer phones know further ones',
        }),
      ),
      compress: Type.Optional(Type.String({ maxLength: 20, description: 'none (default), medium or heavy' })),
      flash: optionalOrNull(captureFields.flash),
      sound: optionalOrNull(captureFields.sound),
      exposureTimeNs: optionalOrNull(captureFields.exposureTimeNs),
      mode: optionalOrNull(captureFields.mode),
    },
  ),
  ...streamsFromApps,
  ...outputsFromApps,
  ...dashboardFromApps,
  ...appMessagesFromApps,
  ...phoneEventsFromApps,
  ownership_release: defineClientMessage(
    'ownership_release',
    'This very socket will close for good: no reconnect, no restart for it.',
    {
      packageName,
      reason: Type.Optional(
        Type.String({ maxLength: 200, description: 'switching_clouds, clean_shutdown or user_logout' }),
      ),
    },
  ),
} as const

/** A well-formed message from an app. */
export type AppToCloud = MessageOf<typeof appToCloud>

/** Checks a message from an app. */
export const checkAppMessage = createMessageChecker(appToCloud)
