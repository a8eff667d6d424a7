import { type Static, Type } from 'typebox'
import { clientTimestamp } from '../messages/define-message.ts'
import { anyPart, shortened } from '../tolerant-reader.ts'

const id = Type.String({ minLength: 1, maxLength: 500 })
const packageName = Type.Optional(
  Type.String({ maxLength: 500, description: 'Package name of the app on the phone' }),
)

/** Fields of a phone notification, on the socket and over REST. Phones know little of some notifications. */
export const notificationFields = {
  notificationId: id,
  app: shortened(500, { default: '', description: 'Name of the app on the phone' }),
  title: shortened(1_000, { default: '' }),
  content: shortened(10_000, { default: '' }),
  priority: Type.Optional(
    Type.Union([Type.Number(), Type.String({ maxLength: 50 })], {
      description: 'low, normal or high, or a priority of Android; anything else means normal',
    }),
  ),
  timestamp: Type.Optional({ ...clientTimestamp, description: 'Default: now' }),
  packageName,
}

/** Schema of the body of `POST /api/client/notifications`. */
export const notificationReport = Type.Object(notificationFields, { title: 'PhoneNotification', ...anyPart })

/** A phone notification. Personal data: never log it. */
export type PhoneNotification = Static<typeof notificationReport>

/** Fields of a dismissed notification, on the socket and over REST. */
export const dismissalFields = {
  notificationId: id,
  notificationKey: Type.Optional(Type.String({ maxLength: 500 })),
  packageName,
}

/** Schema of the body of `POST /api/client/notifications/dismissed`. */
export const dismissalReport = Type.Object(dismissalFields, {
  title: 'PhoneNotificationDismissed',
  ...anyPart,
})

/** A dismissed phone notification. */
export type NotificationDismissal = Static<typeof dismissalReport>
