import { Type } from 'typebox'
import { calendarEntry } from '../phone-events/calendar.ts'
import { locationReport } from '../phone-events/location.ts'
import { dismissalFields, notificationFields } from '../phone-events/notifications.ts'
import { anyPart } from '../tolerant-reader.ts'
import { defineAppMessage, defineCloudMessage, defineGlassesMessage, packageName } from './define-message.ts'

const correlationId = Type.String({ minLength: 1, maxLength: 200 })

/** Location, calendar and notification messages from phones (glasses-socket.md §2.1). */
export const phoneEventsFromGlasses = {
  location_update: Type.Intersect(
    [
      defineGlassesMessage('location_update', 'The location of the user.', {
        correlationId: Type.Optional(
          Type.String({ maxLength: 200, description: 'Of the request_single_location that it answers' }),
        ),
      }),
      locationReport,
    ],
    anyPart,
  ),
  calendar_event: defineGlassesMessage(
    'calendar_event',
    'A calendar event, sent by older phones.',
    calendarEntry.properties,
  ),
  phone_notification: defineGlassesMessage('phone_notification', 'A phone notification.', notificationFields),
  phone_notification_dismissed: defineGlassesMessage(
    'phone_notification_dismissed',
    'A phone notification was dismissed.',
    dismissalFields,
  ),
} as const

/** Location messages to phones (glasses-socket.md §2.2 and glasses-socket.md §2.7). */
export const phoneEventsToGlasses = {
  set_location_tier: defineCloudMessage('set_location_tier', 'Sets the accuracy of location updates.', {
    tier: Type.String({ description: 'A location tier' }),
  }),
  request_single_location: defineCloudMessage(
    'request_single_location',
    'Requests the current location once.',
    {
      accuracy: Type.String({ description: 'A location tier' }),
      correlationId: Type.String({ description: 'Return it in location_update' }),
    },
  ),
} as const

/** Location messages from apps (app-socket.md §2.1.5). */
export const phoneEventsFromApps = {
  location_poll_request: defineAppMessage('location_poll_request', 'Requests the current location once.', {
    packageName,
    correlationId,
    accuracy: Type.Optional(Type.String({ maxLength: 100, description: 'A location tier' })),
  }),
} as const

/** Messages about phone events to apps, besides streams (app-socket.md §2.2). */
export const phoneEventsToApps = {
  custom_message: defineCloudMessage('custom_message', 'The date and time of the phone.', {
    action: Type.Literal('update_datetime'),
    payload: Type.Object({
      datetime: Type.String({ description: 'ISO 8601, as sent by the phone' }),
      section: Type.Literal('topLeft'),
    }),
  }),
} as const
