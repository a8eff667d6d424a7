import { Type } from 'typebox'
import { photoResponseFields } from '../photos.ts'
import { createMessageChecker, type MessageOf } from './check-message.ts'
import { defineClientMessage, optionalOrNull } from './define-message.ts'
import { outputsFromGlasses } from './outputs.ts'
import { phoneAppsFromGlasses } from './phone-apps.ts'
import { phoneEventsFromGlasses } from './phone-events.ts'
import { relayedFromGlasses, transportsFromGlasses } from './relayed.ts'
import { settingsFromGlasses } from './settings.ts'
import { streamsFromGlasses } from './streams.ts'

const packageName = Type.String({ minLength: 1, maxLength: 200 })

/** Truth as phones write it: some send it as text. */
const boolish = Type.Union([Type.Boolean(), Type.Literal('true'), Type.Literal('false')])

const battery = {
  level: Type.Number({ description: 'Percent; -1 when unknown' }),
  charging: optionalOrNull(Type.Boolean()),
  timeRemaining: optionalOrNull(Type.Number({ description: 'Minutes' })),
}

/**
 * What phones and other glasses clients say on `/glasses-ws` (glasses socket protocol, 2.1). Types that are not here
 * are relayed to the apps that subscribed to a stream of their name, unchecked.
 */
export const glassesToCloud = {
  connection_init: defineClientMessage(
    'connection_init',
    'Asks for the acknowledgement once more; headless clients send it on open.',
    {
      userId: optionalOrNull(Type.String({ maxLength: 320, description: 'Ignored, as the token beside it' })),
      coreToken: optionalOrNull(Type.String({ maxLength: 8_192 })),
    },
  ),
  ping: defineClientMessage(
    'ping',
    'Liveness of newer phones; answered with pong before any other work.',
    {},
  ),
  pong: defineClientMessage('pong', 'Answer to a JSON ping.', {}),
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
  local_transcription: defineClientMessage('local_transcription', 'Speech recognised on the phone.', {
    text: Type.String({ maxLength: 10_000 }),
    isFinal: Type.Boolean(),
    startTime: Type.Optional(Type.Number()),
    endTime: Type.Optional(Type.Number()),
    speakerId: Type.Optional(Type.Union([Type.Number(), Type.String({ maxLength: 100 })])),
    transcribeLanguage: Type.Optional(Type.String({ maxLength: 100 })),
    language: Type.Optional(
      Type.String({ maxLength: 100, description: 'transcribeLanguage as Android phones call it' }),
    ),
    provider: Type.Optional(Type.String({ maxLength: 100 })),
  }),
  VAD: defineClientMessage('VAD', 'Speech starts or stops.', { status: boolish }),
  vad: defineClientMessage('vad', 'VAD as headless clients spell it.', { status: boolish }),
  button_press: defineClientMessage('button_press', 'A hardware button.', {
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
  photo_response: defineClientMessage('photo_response', 'How a photo request ended.', photoResponseFields),
  ...streamsFromGlasses,
  ...outputsFromGlasses,
  ...settingsFromGlasses,
  ...phoneAppsFromGlasses,
  ...phoneEventsFromGlasses,
  ...relayedFromGlasses,
  ...transportsFromGlasses,
  phone_battery_update: defineClientMessage('phone_battery_update', 'Battery of the phone.', battery),
} as const

/** A well-formed message from glasses. */
export type GlassesToCloud = MessageOf<typeof glassesToCloud>

/** Checks a message from glasses. */
export const checkGlassesMessage = createMessageChecker(glassesToCloud)
