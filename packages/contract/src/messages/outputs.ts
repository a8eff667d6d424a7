import { Type } from 'typebox'
import { shortened } from '../tolerant-reader.ts'
import { defineAppMessage, defineCloudMessage, defineGlassesMessage, packageName } from './define-message.ts'

const requestId = Type.String({ minLength: 1, maxLength: 200 })

const trackId = Type.Integer({ minimum: 0, maximum: 255, description: '0 speaker, 1 app audio, 2 speech' })
const milliseconds = Type.Number({ minimum: 0, maximum: 24 * 60 * 60 * 1000, description: 'Milliseconds' })

/** Audio, light and Wi-Fi messages from apps (app-socket.md §2.1.3 and app-socket.md §2.1.5). */
export const outputsFromApps = {
  audio_play_request: defineAppMessage(
    'audio_play_request',
    'Plays audio; audio_play_response reports the result.',
    {
      packageName,
      requestId,
      audioUrl: Type.String({ maxLength: 16_384, description: 'URL from which the phone loads the audio' }),
      volume: Type.Optional(Type.Number({ description: '0 to 1 (default)' })),
      stopOtherAudio: Type.Optional(Type.Boolean({ description: 'Default true' })),
      trackId: Type.Optional(trackId),
    },
  ),
  audio_stop_request: defineAppMessage('audio_stop_request', 'Stops the audio of the app.', {
    packageName,
    trackId: Type.Optional(trackId),
  }),
  rgb_led_control: defineAppMessage('rgb_led_control', 'Switches the light of the glasses on or off.', {
    packageName,
    requestId,
    action: Type.Union([Type.Literal('on'), Type.Literal('off')]),
    color: Type.Optional(
      Type.String({ maxLength: 20, description: 'red (default), green, blue, orange or white' }),
    ),
    ontime: Type.Optional(milliseconds),
    offtime: Type.Optional(milliseconds),
    count: Type.Optional(Type.Integer({ minimum: 0, maximum: 100_000, description: 'Default 1' })),
  }),
  request_wifi_setup: defineAppMessage('request_wifi_setup', 'Asks the user to set up Wi-Fi.', {
    packageName,
    reason: Type.Optional(Type.String({ maxLength: 1_000, description: 'Shown to the user' })),
  }),
} as const

/** Results of audio and light requests from glasses (glasses-socket.md §2.1). */
export const outputsFromGlasses = {
  audio_play_response: defineGlassesMessage('audio_play_response', 'The result of playing audio.', {
    requestId,
    success: Type.Boolean(),
    error: Type.Optional(shortened(1_000)),
    duration: Type.Optional(Type.Number({ description: 'Seconds' })),
  }),
  rgb_led_control_response: defineGlassesMessage(
    'rgb_led_control_response',
    'The result of a light command.',
    {
      requestId,
      success: Type.Boolean(),
      error: Type.Optional(shortened(1_000)),
    },
  ),
} as const

const toGlasses = {
  sessionId: Type.String({ description: 'The user session id' }),
  appId: Type.String({ description: 'Package name; phones read either field' }),
  packageName: Type.String(),
}

/** Audio, light and Wi-Fi messages to glasses (glasses-socket.md §2.2). */
export const outputsToGlasses = {
  audio_play_request: defineCloudMessage('audio_play_request', 'Plays audio.', {
    ...toGlasses,
    requestId: Type.String({ description: 'Return it in audio_play_response' }),
    audioUrl: Type.String(),
    volume: Type.Number(),
    stopOtherAudio: Type.Boolean(),
    trackId: Type.Integer(),
  }),
  audio_stop_request: defineCloudMessage('audio_stop_request', 'Stops the audio of an app.', {
    ...toGlasses,
    trackId: Type.Optional(Type.Integer({ description: 'Only this track; all tracks if absent' })),
  }),
  rgb_led_control: defineCloudMessage('rgb_led_control', 'Switches the light on or off.', {
    ...toGlasses,
    requestId: Type.String({ description: 'Return it in rgb_led_control_response' }),
    action: Type.String({ description: 'on or off' }),
    color: Type.String(),
    ontime: Type.Number({ description: 'Milliseconds' }),
    offtime: Type.Number({ description: 'Milliseconds' }),
    count: Type.Integer(),
  }),
  show_wifi_setup: defineCloudMessage('show_wifi_setup', 'Asks the user to set up Wi-Fi.', {
    reason: Type.Optional(Type.String()),
    appPackageName: Type.String(),
  }),
} as const

const outcome = {
  requestId: Type.String(),
  success: Type.Boolean(),
  error: Type.Optional(Type.String({ description: 'Reason of a failure' })),
  sessionId: Type.String({ description: 'The app session' }),
}

/** Results of audio and light requests to apps (app-socket.md §2.2). */
export const outputsToApps = {
  audio_play_response: defineCloudMessage('audio_play_response', 'The result of playing audio.', {
    ...outcome,
    duration: Type.Optional(Type.Number({ description: 'Seconds' })),
  }),
  rgb_led_control_response: defineCloudMessage(
    'rgb_led_control_response',
    'The result of a light command.',
    outcome,
  ),
} as const
