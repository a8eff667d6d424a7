import { Type } from 'typebox'
import { calendarEntry } from '../phone-events/calendar.ts'
import { locationReport } from '../phone-events/location.ts'
import { dismissalFields, notificationFields } from '../phone-events/notifications.ts'
import { defineClientMessage, defineCloudMessage, packageName } from './define-message.ts'

const correlationId = Type.String({ minLength: 1, maxLength: 200 })

/** What phones say of the world around the wearer (glasses socket protocol, 2.1). */
export const phoneEventsFromGlasses = {
  location_update: Type.Intersect([
    defineClientMessage('location_update', 'Where the wearer is.', {
      correlationId: Type.Optional(
        Type.Union([Type.Null(), Type.String({ maxLength: 200 })], {
          description: 'The request_single_location it answers',
        }),
      ),
    }),
    locationReport,
  ]),
  calendar_event: defineClientMessage(
    'calendar_event',
    "An event of the wearer's calendar, as older phones send it.",
    calendarEntry.properties,
  ),
  phone_notification: defineClientMessage(
    'phone_notification',
    'A notification of the phone.',
    notificationFields,
  ),
  phone_notification_dismissed: defineClientMessage(
    'phone_notification_dismissed',
    'A notification is gone from the phone.',
    dismissalFields,
  ),
} as const

/** What the cloud wants of the phone (glasses socket protocol, 2.2 and 2.7). */
export const phoneEventsToGlasses = {
  set_location_tier: defineCloudMessage(
    'set_location_tier',
    'How closely to follow the wearer from now on.',
    {
      tier: Type.String({ description: 'A location tier' }),
    },
  ),
  request_single_location: defineCloudMessage('request_single_location', 'One position is wanted now.', {
    accuracy: Type.String({ description: 'A location tier' }),
    correlationId: Type.String({ description: 'To be named in the answer' }),
  }),
} as const

/** What apps ask of the phone (app socket protocol, 2.1.5). */
export const phoneEventsFromApps = {
  location_poll_request: defineClientMessage('location_poll_request', 'Asks where the wearer is, once.', {
    packageName,
    correlationId,
    accuracy: Type.Optional(
      Type.Union([Type.Null(), Type.String({ maxLength: 100 })], { description: 'A location tier' }),
    ),
  }),
} as const

/** What the phone's news become for apps, beside frames of streams (app socket protocol, 2.2). */
export const phoneEventsToApps = {
  custom_message: defineCloudMessage('custom_message', 'The date and time of the phone.', {
    action: Type.Literal('update_datetime'),
    payload: Type.Object({
      datetime: Type.String({ description: 'ISO 8601, as the phone wrote it' }),
      section: Type.Literal('topLeft'),
    }),
  }),
} as const
