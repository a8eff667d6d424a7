import {
  type GlassesBatteryUpdate,
  type LocationUpdate,
  type PhoneBatteryUpdate,
  type PhoneNotification,
  type PhoneNotificationDismissed,
  type PhotoTaken,
  StreamType,
  type VpsCoordinates,
} from '@mentra/sdk'
import { expect, promptUser, type Step } from '../step.ts'

/** Events and data of the phone. */
export const phone: readonly Step[] = [
  {
    name: 'notification',
    run: async ({ session }) => {
      const { app, priority } = await promptUser<PhoneNotification>(
        session,
        'Wait for a notification',
        (resolve) => session.events.onPhoneNotifications(resolve),
      )
      return `from ${app}, ${priority}`
    },
  },
  {
    name: 'dismissed notification',
    run: async ({ session }) => {
      const { notificationId } = await promptUser<PhoneNotificationDismissed>(
        session,
        'Dismiss the notification',
        (resolve) => session.events.onPhoneNotificationDismissed(resolve),
      )
      return notificationId
    },
  },
  {
    name: 'glasses battery',
    run: async ({ session }) => {
      const { level, charging } = await promptUser<GlassesBatteryUpdate>(
        session,
        'Charge the glasses',
        (resolve) => session.events.onGlassesBattery(resolve),
      )
      return `${level} %, ${charging ? 'charging' : 'not charging'}`
    },
  },
  {
    name: 'phone battery',
    run: async ({ session }) => {
      const { level } = await promptUser<PhoneBatteryUpdate>(session, 'Charge the phone', (resolve) =>
        session.events.onPhoneBattery(resolve),
      )
      return `${level} %`
    },
  },
  {
    name: 'date and time',
    run: async ({ session }) => {
      const { datetime } = await promptUser<{ datetime: string }>(
        session,
        'Wait for the date and time',
        (resolve) => session.events.onCustomMessage('update_datetime', resolve),
      )
      return datetime
    },
  },
  {
    name: 'location, once',
    run: async ({ session }) => {
      const { lat, lng } = await session.location.getLatestLocation({ accuracy: 'realtime' })
      return `${lat}, ${lng}`
    },
  },
  {
    name: 'location stream',
    run: async ({ session }) => {
      const { lat, lng } = await promptUser<LocationUpdate>(session, 'Walk to the north pole', (resolve) =>
        // The stream starts with the last known position.
        session.location.subscribeToStream(
          { accuracy: 'high' },
          (position) => void (position.lat > 89 && resolve(position)),
        ),
      )
      session.location.unsubscribeFromStream()
      return `${lat}, ${lng}`
    },
  },
  {
    name: 'location stream in real time',
    run: async ({ session }) => {
      // `subscribe` alone subscribes to nothing; it sets the rate for the handler's stream.
      session.subscribe({ stream: StreamType.LOCATION_STREAM, rate: 'realtime' })
      const { lat, lng } = await promptUser<LocationUpdate>(session, 'Walk on to the south pole', (resolve) =>
        session.on(
          StreamType.LOCATION_STREAM,
          (position: LocationUpdate) => void (position.lat < -89 && resolve(position)),
        ),
      )
      session.unsubscribe(StreamType.LOCATION_STREAM)
      return `${lat}, ${lng}`
    },
  },
  {
    name: 'visual positioning',
    run: async ({ session }) => {
      const { x, y, z } = await promptUser<VpsCoordinates>(session, 'Look around', (resolve) =>
        session.onVpsCoordinates(resolve),
      )
      return `${x}, ${y}, ${z}`
    },
  },
  {
    name: 'photo by the user',
    run: async ({ session }) => {
      const { photoData, mimeType } = await promptUser<PhotoTaken>(session, 'Take a photo', (resolve) =>
        session.onPhotoTaken(resolve),
      )
      // Typed as an ArrayBuffer, but base64 on the wire.
      const bytes = Buffer.from(String(photoData), 'base64').length
      expect(bytes > 0, 'the photo is empty')
      return `${mimeType}, ${bytes} bytes`
    },
  },
]
