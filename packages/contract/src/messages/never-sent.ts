import { type TProperties, Type } from 'typebox'
import { defineCloudMessage } from './define-message.ts'

// Message types that other clouds send and this one never does, each with the reason. Documenting them shows the
// authors of clients that there is nothing to wait for.

/** Defines a message type that is never sent; the reason becomes part of its description. */
function defineUnsentMessage<const Name extends string, Fields extends TProperties>(
  type: Name,
  reason: string,
  fields: Fields,
) {
  return defineCloudMessage(type, `Never sent: ${reason}`, fields)
}

const url = Type.String()
const recording = { requestId: Type.Optional(Type.String()) }
const NO_VIDEO_REQUEST = 'apps cannot request a video; they request a stream.'

/** Message types of the glasses socket that are never sent (glasses-socket.md §1.6 and glasses-socket.md §2.2). */
export const neverSentToGlasses = {
  auth_error: defineUnsentMessage(
    'auth_error',
    'an invalid token is rejected with 401 during the handshake.',
    {
      message: Type.String(),
    },
  ),
  livekit_info: defineUnsentMessage('livekit_info', 'audio is sent over the socket.', {
    url,
    roomName: Type.String(),
    token: Type.String(),
  }),
  udp_ping_ack: defineUnsentMessage('udp_ping_ack', 'audio is sent over the socket.', {}),
  camera_fov_set: defineUnsentMessage('camera_fov_set', 'no message of apps requests it.', {
    sessionId: Type.String(),
    requestId: Type.String(),
    appId: Type.String(),
    fov: Type.Number({ minimum: 62, maximum: 118 }),
    roiPosition: Type.Enum(['center', 'top', 'bottom']),
  }),
  start_buffer_recording: defineUnsentMessage('start_buffer_recording', NO_VIDEO_REQUEST, {}),
  stop_buffer_recording: defineUnsentMessage('stop_buffer_recording', NO_VIDEO_REQUEST, {}),
  save_buffer_video: defineUnsentMessage('save_buffer_video', NO_VIDEO_REQUEST, {
    ...recording,
    durationSeconds: Type.Optional(Type.Number({ default: 30 })),
  }),
  start_video_recording: defineUnsentMessage('start_video_recording', NO_VIDEO_REQUEST, {
    ...recording,
    save: Type.Optional(Type.Boolean({ default: true })),
    sound: Type.Optional(Type.Boolean()),
    settings: Type.Optional(
      Type.Object({
        width: Type.Optional(Type.Number()),
        height: Type.Optional(Type.Number()),
        fps: Type.Optional(Type.Number()),
        maxRecordingTimeMinutes: Type.Optional(Type.Number()),
      }),
    ),
  }),
  stop_video_recording: defineUnsentMessage('stop_video_recording', NO_VIDEO_REQUEST, {
    ...recording,
    webhookUrl: Type.Optional(url),
    authToken: Type.Optional(Type.String()),
  }),
  dashboard_mode_change: defineUnsentMessage(
    'dashboard_mode_change',
    'no phone reads it; display_event updates the display.',
    {},
  ),
  dashboard_always_on_change: defineUnsentMessage('dashboard_always_on_change', 'no phone reads it.', {}),
  websocket_error: defineUnsentMessage('websocket_error', 'connection_error is sent instead.', {}),
} as const

/** Message types of the app socket that are never sent (app-socket.md §2.2). */
export const neverSentToApps = {
  connection_error: defineUnsentMessage('connection_error', 'it is the older name of tpa_connection_error.', {
    code: Type.Optional(Type.String()),
    message: Type.String(),
  }),
  dashboard_always_on_changed: defineUnsentMessage('dashboard_always_on_changed', 'it breaks the app SDK.', {
    enabled: Type.Boolean(),
  }),
  audio_chunk: defineUnsentMessage('audio_chunk', 'audio is sent in binary frames.', {}),
  websocket_error: defineUnsentMessage('websocket_error', 'the app SDK confuses it with its own errors.', {}),
} as const
