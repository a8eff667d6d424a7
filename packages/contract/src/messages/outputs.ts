import { Type } from 'typebox'
import { defineClientMessage, defineCloudMessage, optionalOrNull, packageName } from './define-message.ts'

const requestId = Type.String({ minLength: 1, maxLength: 200 })

const trackId = Type.Integer({ minimum: 0, maximum: 255, description: '0 speaker, 1 app audio, 2 speech' })
const milliseconds = Type.Number({ minimum: 0, maximum: 24 * 60 * 60 * 1000, description: 'Milliseconds' })

/** What apps want to be heard and seen on the glasses beside the lens (app socket protocol, 2.1.3 and 2.1.5). */
export const outputsFromApps = {
  audio_play_request: defineClientMessage(
    'audio_play_request',
    'Plays a sound; audio_play_response says how that ended.',
    {
      packageName,
      requestId,
      audioUrl: Type.String({ maxLength: 16_384, description: 'Where the phone fetches the sound' }),
      volume: optionalOrNull(Type.Number({ description: 'From 0 to 1, which is the default' })),
      stopOtherAudio: optionalOrNull(Type.Boolean({ description: 'Default true' })),
      trackId: optionalOrNull(trackId),
    },
  ),
  audio_stop_request: defineClientMessage('audio_stop_request', 'Stops the sounds of the app.', {
    packageName,
    trackId: optionalOrNull(trackId),
  }),
  rgb_led_control: defineClientMessage('rgb_led_control', 'Switches the light of the glasses.', {
    packageName,
    requestId,
    action: Type.Union([Type.Literal('on'), Type.Literal('off')]),
    color: optionalOrNull(
      Type.String({ maxLength: 20, description: 'red (default), green, blue, orange or white' }),
    ),
    ontime: optionalOrNull(milliseconds),
    offtime: optionalOrNull(milliseconds),
    count: optionalOrNull(Type.Integer({ minimum: 0, maximum: 100_000, description: 'Default 1' })),
  }),
  request_wifi_setup: defineClientMessage('request_wifi_setup', 'Asks the wearer to set up Wi-Fi.', {
    packageName,
    reason: optionalOrNull(Type.String({ maxLength: 1_000, description: 'Shown to the wearer' })),
  }),
} as const

/** How what apps wanted went (glasses socket protocol, 2.1). */
export const outputsFromGlasses = {
  audio_play_response: defineClientMessage(
    'audio_play_response',
    'A sound is over, or could not be played.',
    {
      requestId,
      success: Type.Boolean(),
      error: optionalOrNull(Type.String({ maxLength: 1_000 })),
      duration: optionalOrNull(Type.Number({ description: 'Seconds' })),
    },
  ),
  rgb_led_control_response: defineClientMessage('rgb_led_control_response', 'How a light command went.', {
    requestId,
    success: Type.Boolean(),
    error: optionalOrNull(Type.String({ maxLength: 1_000 })),
  }),
} as const

const toGlasses = {
  sessionId: Type.String({ description: 'The user session id' }),
  appId: Type.String({ description: 'The package; phones look for it under either name' }),
  packageName: Type.String(),
}

/** What apps want to be heard and seen, as the glasses are told (glasses socket protocol, 2.2). */
export const outputsToGlasses = {
  audio_play_request: defineCloudMessage('audio_play_request', 'A sound is to be played.', {
    ...toGlasses,
    requestId: Type.String({ description: 'To be named in audio_play_response' }),
    audioUrl: Type.String(),
    volume: Type.Number(),
    stopOtherAudio: Type.Boolean(),
    trackId: Type.Integer(),
  }),
  audio_stop_request: defineCloudMessage('audio_stop_request', 'The sounds of an app are to stop.', {
    ...toGlasses,
    trackId: Type.Optional(Type.Integer({ description: 'That track alone; all of them if absent' })),
  }),
  rgb_led_control: defineCloudMessage('rgb_led_control', 'The light is to be switched.', {
    ...toGlasses,
    requestId: Type.String({ description: 'To be named in rgb_led_control_response' }),
    action: Type.String({ description: 'on or off' }),
    color: Type.String(),
    ontime: Type.Number({ description: 'Milliseconds' }),
    offtime: Type.Number({ description: 'Milliseconds' }),
    count: Type.Integer(),
  }),
  show_wifi_setup: defineCloudMessage('show_wifi_setup', 'The wearer is to be asked to set up Wi-Fi.', {
    reason: Type.Optional(Type.String()),
    appPackageName: Type.String(),
  }),
} as const

const outcome = {
  requestId: Type.String(),
  success: Type.Boolean(),
  error: Type.Optional(Type.String({ description: 'Why not' })),
  sessionId: Type.String({ description: 'The app session' }),
}

/** How what an app wanted went, as the app is told (app socket protocol, 2.2). */
export const outputsToApps = {
  audio_play_response: defineCloudMessage('audio_play_response', 'A sound is over, or could not be played.', {
    ...outcome,
    duration: Type.Optional(Type.Number({ description: 'Seconds' })),
  }),
  rgb_led_control_response: defineCloudMessage(
    'rgb_led_control_response',
    'How a light command went.',
    outcome,
  ),
} as const
