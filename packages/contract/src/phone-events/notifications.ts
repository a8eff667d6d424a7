import { type Static, Type } from 'typebox'
import { clientTimestamp } from '../messages/define-message.ts'

const id = Type.String({ minLength: 1, maxLength: 500 })
const name = Type.String({ maxLength: 500 })

/** What a phone says of a notification, on its socket and by REST. */
export const notificationFields = {
  notificationId: id,
  app: Type.String({ minLength: 1, maxLength: 500, description: 'Name of the app on the phone' }),
  title: Type.String({ maxLength: 1_000 }),
  content: Type.String({ maxLength: 10_000 }),
  priority: Type.Optional(Type.Unknown({ description: 'low, normal (also for anything else) or high' })),
  timestamp: Type.Optional(Type.Union([Type.Null(), clientTimestamp], { description: 'Now if absent' })),
  packageName: Type.Optional(Type.Union([Type.Null(), name], { description: 'Of the app on the phone' })),
}

/** Schema of the body of `POST /api/client/notifications`. */
export const notificationReport = Type.Object(notificationFields, { title: 'PhoneNotification' })

/** A notification of the phone. Personal content: never logged. */
export type PhoneNotification = Static<typeof notificationReport>

/** Schema of the body of `POST /api/client/notifications/dismissed`. */
export const dismissalReport = Type.Object(
  { notificationId: id, notificationKey: id, packageName: Type.String({ minLength: 1, maxLength: 500 }) },
  { title: 'PhoneNotificationDismissed' },
)

/** What a phone says on its socket of a notification that is gone; older phones say less than by REST. */
export const dismissalFields = {
  notificationId: id,
  notificationKey: Type.Optional(Type.Union([Type.Null(), name])),
  packageName: Type.Optional(Type.Union([Type.Null(), name])),
}

/** Schema of a notification that is gone from the phone. */
export const notificationDismissal = Type.Object(dismissalFields)

/** A notification that is gone from the phone. */
export type NotificationDismissal = Static<typeof notificationDismissal>
