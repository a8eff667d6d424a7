import { type Static, Type } from 'typebox'
import { clientTimestamp } from '../messages/define-message.ts'

const id = Type.String({ minLength: 1, maxLength: 500 })
const name = Type.String({ maxLength: 500 })

/** Fields of a phone notification, on the socket and over REST. */
export const notificationFields = {
  notificationId: id,
  app: Type.String({ minLength: 1, maxLength: 500, description: 'Name of the app on the phone' }),
  title: Type.String({ maxLength: 1_000 }),
  content: Type.String({ maxLength: 10_000 }),
  priority: Type.Optional(Type.Unknown({ description: 'low, normal or high; anything else means normal' })),
  timestamp: Type.Optional(Type.Union([Type.Null(), clientTimestamp], { description: 'Default: now' })),
  packageName: Type.Optional(
    Type.Union([Type.Null(), name], { description: 'Package name of the app on the phone' }),
  ),
}

/** Schema of the body of `POST /api/client/notifications`. */
export const notificationReport = Type.Object(notificationFields, { title: 'PhoneNotification' })

/** A phone notification. Personal data: never log it. */
export type PhoneNotification = Static<typeof notificationReport>

/** Schema of the body of `POST /api/client/notifications/dismissed`. */
export const dismissalReport = Type.Object(
  { notificationId: id, notificationKey: id, packageName: Type.String({ minLength: 1, maxLength: 500 }) },
  { title: 'PhoneNotificationDismissed' },
)

/** Fields of a dismissed notification on the socket; older phones send fewer than over REST. */
export const dismissalFields = {
  notificationId: id,
  notificationKey: Type.Optional(Type.Union([Type.Null(), name])),
  packageName: Type.Optional(Type.Union([Type.Null(), name])),
}

/** Schema of a dismissed phone notification. */
export const notificationDismissal = Type.Object(dismissalFields)

/** A dismissed phone notification. */
export type NotificationDismissal = Static<typeof notificationDismissal>
