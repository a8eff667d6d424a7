import { Type } from 'typebox'
import { photoOutcome } from '../photos.ts'
import { define, orNull } from './define.ts'
import { outputsFromGlasses } from './outputs.ts'
import { phoneAppsFromGlasses } from './phone-apps.ts'
import { phoneEventsFromGlasses } from './phone-events.ts'
import { relayedFromGlasses, transportsFromGlasses } from './relayed.ts'
import { settingsFromGlasses } from './settings.ts'
import { streamsFromGlasses } from './streams.ts'
import { checker, type MessageOf } from './validate.ts'

const packageName = Type.String({ minLength: 1, maxLength: 200 })

/** Truth as phones write it: some send it as text. */
const boolish = Type.Union([Type.Boolean(), Type.Literal('true'), Type.Literal('false')])

const battery = {
  level: Type.Number({ description: 'Percent; -1 when unknown' }),
  charging: orNull(Type.Boolean()),
  timeRemaining: orNull(Type.Number({ description: 'Minutes' })),
}

/**
 * What phones and other glasses clients say on `/glasses-ws` (glasses socket protocol, 2.1). Types that are not here
 * are relayed to the apps that subscribed to a stream of their name, unchecked.
 */
export const glassesToCloud = {
  connection_init: define(
    'connection_init',
    'Asks for the acknowledgement once more; headless clients send it on open.',
    {
      userId: orNull(Type.String({ maxLength: 320, description: 'Ignored, as the token beside it' })),
      coreToken: orNull(Type.String({ maxLength: 8_192 })),
    },
  ),
  ping: define('ping', 'Liveness of newer phones; answered with pong before any other work.', {}),
  pong: define('pong', 'Answer to a JSON ping.', {}),
  start_app: define('start_app', 'Starts an app.', { packageName }),
  stop_app: define('stop_app', 'Stops an app.', { packageName }),
  glasses_connection_state: define(
    'glasses_connection_state',
    'The link between phone and glasses changed.',
    {
      modelName: Type.Optional(Type.Union([Type.String({ maxLength: 200 }), Type.Null()])),
      deviceModel: orNull(Type.String({ maxLength: 200 })),
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
  local_transcription: define('local_transcription', 'Speech recognised on the phone.', {
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
  VAD: define('VAD', 'Speech starts or stops.', { status: boolish }),
  vad: define('vad', 'VAD as headless clients spell it.', { status: boolish }),
  button_press: define('button_press', 'A hardware button.', {
    buttonId: Type.String({ maxLength: 200 }),
    pressType: Type.String({ maxLength: 50, description: 'short or long' }),
  }),
  head_position: define('head_position', 'A head gesture.', {
    position: Type.Union([Type.Literal('up'), Type.Literal('down')]),
  }),
  touch_event: define('touch_event', 'A touchpad gesture.', {
    gesture_name: Type.String({ maxLength: 100 }),
    device_model: orNull(Type.String({ maxLength: 200 })),
  }),
  glasses_battery_update: define('glasses_battery_update', 'Battery of the glasses.', battery),
  photo_response: define('photo_response', 'How a photo request ended.', photoOutcome),
  ...streamsFromGlasses,
  ...outputsFromGlasses,
  ...settingsFromGlasses,
  ...phoneAppsFromGlasses,
  ...phoneEventsFromGlasses,
  ...relayedFromGlasses,
  ...transportsFromGlasses,
  phone_battery_update: define('phone_battery_update', 'Battery of the phone.', battery),
} as const

/** A well-formed message from glasses. */
export type GlassesToCloud = MessageOf<typeof glassesToCloud>

/** Checks a message from glasses. */
export const checkFromGlasses = checker(glassesToCloud)
