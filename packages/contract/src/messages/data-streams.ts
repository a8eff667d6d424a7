import { type Static, type TProperties, Type } from 'typebox'
import { defineCloudMessage } from './define-message.ts'
import { glassesToCloud } from './glasses-to-cloud.ts'
import { relayedFromGlasses } from './relayed.ts'
import { streamsToApps } from './streams.ts'

/** Fields of `transcription_status`, to apps and to phones. */
export const transcriptionStatusFields = {
  status: Type.Enum(['available', 'unavailable']),
  stream: Type.String({ description: 'The affected stream, such as transcription:en-US' }),
  language: Type.String({ description: 'A language tag, or auto' }),
  reason: Type.Optional(
    Type.Enum([
      'provider_unavailable',
      'key_rejected',
      'quota_exceeded',
      'unsupported_language',
      'too_many_streams',
      'no_translation_provider',
      'phone_not_transcribing',
    ]),
  ),
  message: Type.Optional(Type.String({ description: 'A sentence for developers' })),
}

/** Why audio of the glasses is missing. */
const audioDropReason = Type.Enum(['rate_limited', 'slow_reader'])
export type AudioDropReason = Static<typeof audioDropReason>

/** Messages about speech recognition to phones. */
export const speechToGlasses = {
  transcription_status: defineCloudMessage(
    'transcription_status',
    'Whether the speech of the user is recognized or translated.',
    transcriptionStatusFields,
  ),
} as const

const isoTime = Type.String({ description: 'ISO 8601' })
const epochMs = Type.Number({ description: 'Epoch milliseconds' })
/** Phones count from the start of the recording or from the epoch; without a value from the phone it is the epoch. */
const recognizerTime = Type.Number({
  description: 'Milliseconds, relative to a start that the recognizer chooses',
})
const measure = Type.Optional(Type.Number())

/** Defines the frames of a stream that the cloud produces. */
function defineFrame<const Name extends string, Fields extends TProperties>(
  type: Name,
  description: string,
  fields: Fields,
) {
  return Type.Object({ type: Type.Literal(type), ...fields }, { description })
}

const location = defineFrame('location_update', 'The location of the user.', {
  lat: Type.Number({ description: 'Degrees' }),
  lng: Type.Number({ description: 'Degrees' }),
  accuracy: measure,
  altitude: measure,
  altitudeAccuracy: measure,
  heading: measure,
  speed: measure,
  correlationId: Type.Optional(Type.String({ description: 'Of the location_poll_request that it answers' })),
  timestamp: isoTime,
})

/** Common fields of a notification and its dismissal. */
const notification = {
  notificationId: Type.String(),
  app: Type.String({ description: 'Name of the app on the phone' }),
  title: Type.String(),
  content: Type.String(),
  timestamp: epochMs,
  packageName: Type.Optional(Type.String({ description: 'Package name of the app on the phone' })),
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
 * Schemas of `data` of `data_stream` messages by stream, the subscription without its parameters (app-socket.md §2.3).
 * Any other stream carries glasses messages of an unknown type of that name, unchanged.
 */
export const dataStreams = {
  transcription: defineFrame('transcription', 'Speech to text: the complete utterance so far.', {
    text: Type.String(),
    isFinal: Type.Boolean(),
    utteranceId: Type.String(),
    transcribeLanguage: Type.Optional(
      Type.String({
        description:
          'Absent only for SDKs up to 2.0.2 that subscribed without a language (app-socket.md §1.9)',
      }),
    ),
    detectedLanguage: Type.String(),
    startTime: recognizerTime,
    endTime: recognizerTime,
    speakerId: Type.Optional(Type.String()),
    duration: Type.Number({ description: 'Milliseconds' }),
    provider: Type.String({ description: 'Name of the speech-to-text provider' }),
    confidence: Type.Optional(Type.Number({ description: '0 to 1' })),
  }),
  translation: defineFrame('translation', 'The translation of the complete utterance so far.', {
    text: Type.String(),
    originalText: Type.String(),
    isFinal: Type.Boolean(),
    utteranceId: Type.String({ description: 'Of the transcription' }),
    startTime: recognizerTime,
    endTime: recognizerTime,
    speakerId: Type.Optional(Type.String()),
    duration: Type.Number({ description: 'Milliseconds' }),
    transcribeLanguage: Type.String(),
    translateLanguage: Type.String(),
    didTranslate: Type.Boolean(),
    provider: Type.String({ description: 'Name of the speech-to-text provider' }),
  }),
  transcription_status: defineFrame(
    'transcription_status',
    'Whether speech can be recognized or translated; sent without a subscription.',
    transcriptionStatusFields,
  ),
  audio_dropped: defineFrame(
    'audio_dropped',
    'Audio of the glasses is missing at this point; sent without a subscription of its own to apps that listen to audio or speech.',
    {
      reason: audioDropReason,
      durationMs: Type.Number({ description: 'Length of the missing audio' }),
      timestamp: isoTime,
    },
  ),
  wake_word: defineFrame('wake_word', 'The user said a phrase that the app declares as a wake word.', {
    phrase: Type.String({ description: 'As in the manifest' }),
    language: Type.String({ description: 'Language tag of the phrase' }),
    timestamp: isoTime,
  }),
  location_update: location,
  location_stream: location,
  calendar_event: defineFrame('calendar_event', 'A calendar event.', {
    eventId: Type.String(),
    title: Type.String(),
    dtStart: isoTime,
    dtEnd: isoTime,
    timezone: Type.String(),
    timeStamp: isoTime,
  }),
  phone_notification: defineFrame('phone_notification', 'A phone notification.', {
    ...notification,
    priority: Type.Enum(['low', 'normal', 'high']),
  }),
  phone_notification_dismissed: defineFrame(
    'phone_notification_dismissed',
    'A phone notification was dismissed.',
    {
      ...notification,
      notificationKey: Type.String(),
    },
  ),
  rtmp_stream_status: streamsToApps.rtmp_stream_status,
  stream_status: streamsToApps.stream_status,
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
