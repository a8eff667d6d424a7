import { Type } from 'typebox'
import { photoResponseFields } from '../photos.ts'
import {
  createMessageChecker,
  defineClientMessage,
  type MessageOf,
  optionalOrNull,
} from './define-message.ts'
import { outputsFromGlasses } from './outputs.ts'
import { phoneAppsFromGlasses } from './phone-apps.ts'
import { phoneEventsFromGlasses } from './phone-events.ts'
import { relayedFromGlasses, transportsFromGlasses } from './relayed.ts'
import { settingsFromGlasses } from './settings.ts'
import { streamsFromGlasses } from './streams.ts'

const packageName = Type.String({ minLength: 1, maxLength: 200 })

/** Some phones send booleans as strings. */
const booleanOrString = Type.Union([Type.Boolean(), Type.Literal('true'), Type.Literal('false')])

const battery = {
  level: Type.Number({ description: 'Percent; -1 if unknown' }),
  charging: optionalOrNull(Type.Boolean()),
  timeRemaining: optionalOrNull(Type.Number({ description: 'Minutes' })),
}

/**
 * Messages from glasses clients on `/glasses-ws` (glasses-socket.md §2.1). Messages of other types are relayed without
 * validation to the apps that are subscribed to a stream of that name.
 */
export const glassesToCloud = {
  connection_init: defineClientMessage(
    'connection_init',
    'Requests another connection_ack; headless clients send it when the socket opens.',
    {
      userId: optionalOrNull(Type.String({ maxLength: 320, description: 'Ignored, like the token' })),
      coreToken: optionalOrNull(Type.String({ maxLength: 8_192 })),
    },
  ),
  ping: defineClientMessage(
    'ping',
    'Liveness check of newer phones; answered with pong before any other work.',
    {},
  ),
  pong: defineClientMessage('pong', 'Response to a JSON ping.', {}),
  start_app: defineClientMessage('start_app', 'Starts an app.', { packageName }),
  stop_app: defineClientMessage('stop_app', 'Stops an app.', { packageName }),
  glasses_connection_state: defineClientMessage(
    'glasses_connection_state',
    'The link between phone and glasses changed.',
    {
      modelName: Type.Optional(Type.Union([Type.String({ maxLength: 200 }), Type.Null()])),
      deviceModel: optionalOrNull(Type.String({ maxLength: 200 })),
      status: Type.String({ maxLength: 50, description: 'CONNECTED, RECONNECTED or DISCONNECTED' }),
      wifi: Type.Optional(
        Type.Union([
          Type.Null(),
          Type.Object({
            connected: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
            ssid: Type.Optional(Type.Union([Type.String({ maxLength: 200 }), Type.Null()])),
          }),
        ]),
      ),
    },
  ),
  local_transcription: defineClientMessage('local_transcription', 'Speech recognized on the phone.', {
    text: Type.String({ maxLength: 10_000 }),
    isFinal: Type.Boolean(),
    startTime: Type.Optional(Type.Number()),
    endTime: Type.Optional(Type.Number()),
    speakerId: Type.Optional(Type.Union([Type.Number(), Type.String({ maxLength: 100 })])),
    transcribeLanguage: Type.Optional(Type.String({ maxLength: 100 })),
    language: Type.Optional(
      Type.String({ maxLength: 100, description: 'Name of transcribeLanguage on Android phones' }),
    ),
    provider: Type.Optional(Type.String({ maxLength: 100 })),
  }),
  VAD: defineClientMessage('VAD', 'Voice activity started or stopped.', { status: booleanOrString }),
  vad: defineClientMessage('vad', 'VAD in the spelling of headless clients.', { status: booleanOrString }),
  button_press: defineClientMessage('button_press', 'A hardware button was pressed.', {
    buttonId: Type.String({ maxLength: 200 }),
    pressType: Type.String({ maxLength: 50, description: 'short or long' }),
  }),
  head_position: defineClientMessage('head_position', 'A head gesture.', {
    position: Type.Union([Type.Literal('up'), Type.Literal('down')]),
  }),
  touch_event: defineClientMessage('touch_event', 'A touchpad gesture.', {
    gesture_name: Type.String({ maxLength: 100 }),
    device_model: optionalOrNull(Type.String({ maxLength: 200 })),
  }),
  glasses_battery_update: defineClientMessage('glasses_battery_update', 'Battery of the glasses.', battery),
  photo_response: defineClientMessage(
    'photo_response',
    'The result of a photo request.',
    photoResponseFields,
  ),
  ...streamsFromGlasses,
  ...outputsFromGlasses,
  ...settingsFromGlasses,
  ...phoneAppsFromGlasses,
  ...phoneEventsFromGlasses,
  ...relayedFromGlasses,
  ...transportsFromGlasses,
  phone_battery_update: defineClientMessage('phone_battery_update', 'Battery of the phone.', battery),
} as const

/** A valid message from glasses. */
export type GlassesToCloud = MessageOf<typeof glassesToCloud>

/** Validates a message from glasses. */
export const checkGlassesMessage = createMessageChecker(glassesToCloud)
