import { type TProperties, Type } from 'typebox'
import { glassesToCloud } from './glasses-to-cloud.ts'
import { relayedFromGlasses } from './relayed.ts'
import { streamsToApps } from './streams.ts'

const isoTime = Type.String({ description: 'ISO 8601' })
const epochMs = Type.Number({ description: 'Epoch milliseconds' })
/** Phones count from the start of the recording or from the epoch; where they say nothing it is the epoch. */
const spoken = Type.Number({ description: 'Milliseconds, as the recogniser counts them' })
const measure = Type.Optional(Type.Number())

/** Declares what the frames of a stream hold that the cloud makes itself. */
function defineFrame<const Name extends string, Fields extends TProperties>(
  type: Name,
  description: string,
  fields: Fields,
) {
  return Type.Object({ type: Type.Literal(type), ...fields }, { description })
}

const location = defineFrame('location_update', 'Where the wearer is.', {
  lat: Type.Number({ description: 'Degrees' }),
  lng: Type.Number({ description: 'Degrees' }),
  accuracy: measure,
  altitude: measure,
  altitudeAccuracy: measure,
  heading: measure,
  speed: measure,
  correlationId: Type.Optional(Type.String({ description: 'Of the location_poll_request it answers' })),
  timestamp: isoTime,
})

/** What a notification and its end have in common. */
const notification = {
  notificationId: Type.String(),
  app: Type.String({ description: 'Name of the app on the phone' }),
  title: Type.String(),
  content: Type.String(),
  timestamp: epochMs,
  packageName: Type.Optional(Type.String({ description: 'Of the app on the phone' })),
}

const {
  glasses_connection_state,
  glasses_battery_update,
  phone_battery_update,
  VAD,
  button_press,
  head_position,
  touch_event,
  rgb_led_control_response,
} = glassesToCloud

/**
 * What `data` of a `data_stream` message holds, by the stream's name, which is a subscription without its parameters
 * (app socket protocol, 2.3). Any other name is that of a message of the glasses which the cloud does not know; its
 * frames hold that message.
 */
export const dataStreams = {
  transcription: defineFrame('transcription', 'What was said; the whole utterance up to here.', {
    text: Type.String(),
    isFinal: Type.Boolean(),
    utteranceId: Type.String(),
    transcribeLanguage: Type.String(),
    detectedLanguage: Type.String(),
    startTime: spoken,
    endTime: spoken,
    speakerId: Type.Optional(Type.String()),
    duration: Type.Number({ description: 'Milliseconds' }),
    provider: Type.String({ description: 'Who recognised it' }),
  }),
  location_update: location,
  location_stream: location,
  calendar_event: defineFrame('calendar_event', "An event of the wearer's calendar.", {
    eventId: Type.String(),
    title: Type.String(),
    dtStart: isoTime,
    dtEnd: isoTime,
    timezone: Type.String(),
    timeStamp: isoTime,
  }),
  phone_notification: defineFrame('phone_notification', 'A notification of the phone.', {
    ...notification,
    priority: Type.Enum(['low', 'normal', 'high']),
  }),
  phone_notification_dismissed: defineFrame('phone_notification_dismissed', 'A notification is gone.', {
    ...notification,
    notificationKey: Type.String(),
  }),
  rtmp_stream_status: streamsToApps.rtmp_stream_status,
  glasses_connection_state,
  glasses_battery_update,
  phone_battery_update,
  VAD,
  button_press,
  head_position,
  touch_event,
  rgb_led_control_response,
  ...relayedFromGlasses,
} as const
