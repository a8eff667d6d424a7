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
import { expect, type Step, wearerDoes } from '../step.ts'

/** What the phone knows and tells. */
export const phone: readonly Step[] = [
  {
    name: 'notification',
    run: async ({ session }) => {
      const { app, priority } = await wearerDoes<PhoneNotification>(session, 'Let somebody write', (hear) =>
        session.events.onPhoneNotifications(hear),
      )
      return `from ${app}, ${priority}`
    },
  },
  {
    name: 'notification wiped away',
    run: async ({ session }) => {
      const { notificationId } = await wearerDoes<PhoneNotificationDismissed>(
        session,
        'Wipe it away',
        (hear) => session.events.onPhoneNotificationDismissed(hear),
      )
      return notificationId
    },
  },
  {
    name: 'battery of the glasses',
    run: async ({ session }) => {
      const { level, charging } = await wearerDoes<GlassesBatteryUpdate>(
        session,
        'Charge the glasses',
        (hear) => session.events.onGlassesBattery(hear),
      )
      return `${level} %, ${charging ? 'charging' : 'not charging'}`
    },
  },
  {
    name: 'battery of the phone',
    run: async ({ session }) => {
      const { level } = await wearerDoes<PhoneBatteryUpdate>(session, 'Charge the phone', (hear) =>
        session.events.onPhoneBattery(hear),
      )
      return `${level} %`
    },
  },
  {
    name: 'date and time',
    run: async ({ session }) => {
      const { datetime } = await wearerDoes<{ datetime: string }>(session, 'Look at the clock', (hear) =>
        session.events.onCustomMessage('update_datetime', hear),
      )
      return datetime
    },
  },
  {
    name: 'place, asked once',
    run: async ({ session }) => {
      const { lat, lng } = await session.location.getLatestLocation({ accuracy: 'realtime' })
      return `${lat}, ${lng}`
    },
  },
  {
    name: 'place, followed',
    run: async ({ session }) => {
      const { lat, lng } = await wearerDoes<LocationUpdate>(session, 'Walk to the north pole', (hear) =>
        // What was known before comes first; further on is news.
        session.location.subscribeToStream(
          { accuracy: 'high' },
          (here) => void (here.lat > 89 && hear(here)),
        ),
      )
      session.location.unsubscribeFromStream()
      return `${lat}, ${lng}`
    },
  },
  {
    name: 'place, followed closely',
    run: async ({ session }) => {
      // `subscribe` alone asks for nothing; it sets how closely the stream of the handler is followed.
      session.subscribe({ stream: StreamType.LOCATION_STREAM, rate: 'realtime' })
      const { lat, lng } = await wearerDoes<LocationUpdate>(session, 'Walk on to the south pole', (hear) =>
        session.on(StreamType.LOCATION_STREAM, (here: LocationUpdate) => void (here.lat < -89 && hear(here))),
      )
      session.unsubscribe(StreamType.LOCATION_STREAM)
      return `${lat}, ${lng}`
    },
  },
  {
    name: 'place, by sight',
    run: async ({ session }) => {
      const { x, y, z } = await wearerDoes<VpsCoordinates>(session, 'Look around', (hear) =>
        session.onVpsCoordinates(hear),
      )
      return `${x}, ${y}, ${z}`
    },
  },
  {
    name: 'photo of the wearer',
    run: async ({ session }) => {
      const { photoData, mimeType } = await wearerDoes<PhotoTaken>(session, 'Take a photo', (hear) =>
        session.onPhotoTaken(hear),
      )
      // Declared as an ArrayBuffer; on the wire it is base64.
      const bytes = Buffer.from(String(photoData), 'base64').length
      expect(bytes > 0, 'the photo is empty')
      return `${mimeType}, ${bytes} bytes`
    },
  },
]
