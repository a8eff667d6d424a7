import { Type } from 'typebox'
import { photoResponseFields } from '../photos.ts'
import { shortened } from '../tolerant-reader.ts'
import { createMessageChecker, defineGlassesMessage, type MessageOf } from './define-message.ts'
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
  level: Type.Number({ default: -1, description: 'Percent; -1 if unknown' }),
  charging: Type.Optional(Type.Boolean()),
  timeRemaining: Type.Optional(Type.Number({ description: 'Minutes' })),
}

/**
 * Messages from glasses clients on `/glasses-ws` (glasses-socket.md §2.1). Messages of other types are relayed without
 * validation to the apps that are subscribed to a stream of that name.
 */
export const glassesToCloud = {
  connection_init: defineGlassesMessage(
    'connection_init',
    'Requests another connection_ack; headless clients send it when the socket opens.',
    {
      userId: Type.Optional(Type.String({ maxLength: 320, description: 'Ignored, like the token' })),
      coreToken: Type.Optional(Type.String({ maxLength: 8_192 })),
    },
  ),
  ping: defineGlassesMessage(
    'ping',
    'Liveness check of newer phones; answered with pong before any other work.',
    {},
  ),
  pong: defineGlassesMessage('pong', 'Response to a JSON ping.', {}),
  start_app: defineGlassesMessage('start_app', 'Starts an app.', { packageName }),
  stop_app: defineGlassesMessage('stop_app', 'Stops an app.', { packageName }),
  glasses_connection_state: defineGlassesMessage(
    'glasses_connection_state',
    'The link between phone and glasses changed.',
    {
      modelName: Type.Optional(Type.Union([shortened(200), Type.Null()])),
      deviceModel: Type.Optional(shortened(200)),
      status: Type.String({ maxLength: 50, description: 'CONNECTED, RECONNECTED or DISCONNECTED' }),
      wifi: Type.Optional(
        Type.Object({ connected: Type.Optional(Type.Boolean()), ssid: Type.Optional(shortened(200)) }),
      ),
    },
  ),
  local_transcription: defineGlassesMessage('local_transcription', 'Speech recognized on the phone.', {
    text: shortened(10_000),
    isFinal: Type.Boolean({ default: false }),
    startTime: Type.Optional(Type.Number()),
    endTime: Type.Optional(Type.Number()),
    speakerId: Type.Optional(Type.Union([Type.Number(), shortened(100)])),
    transcribeLanguage: Type.Optional(Type.String({ maxLength: 100 })),
    language: Type.Optional(
      Type.String({ maxLength: 100, description: 'Name of transcribeLanguage on Android phones' }),
    ),
    provider: Type.Optional(shortened(100)),
  }),
  VAD: defineGlassesMessage('VAD', 'Voice activity started or stopped.', { status: booleanOrString }),
  vad: defineGlassesMessage('vad', 'VAD in the spelling of headless clients.', { status: booleanOrString }),
  button_press: defineGlassesMessage('button_press', 'A hardware button was pressed.', {
    buttonId: Type.String({ maxLength: 200 }),
    pressType: Type.String({ maxLength: 50, description: 'short or long' }),
  }),
  head_position: defineGlassesMessage('head_position', 'A head gesture.', {
    position: Type.Union([Type.Literal('up'), Type.Literal('down')]),
  }),
  touch_event: defineGlassesMessage('touch_event', 'A touchpad gesture.', {
    gesture_name: Type.String({ maxLength: 100 }),
    device_model: Type.Optional(shortened(200)),
  }),
  glasses_battery_update: defineGlassesMessage('glasses_battery_update', 'Battery of the glasses.', battery),
  photo_response: defineGlassesMessage(
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
  phone_battery_update: defineGlassesMessage('phone_battery_update', 'Battery of the phone.', battery),
} as const

/** A valid message from glasses. */
export type GlassesToCloud = MessageOf<typeof glassesToCloud>

/** Validates a message from glasses. */
export const checkGlassesMessage = createMessageChecker(glassesToCloud)
