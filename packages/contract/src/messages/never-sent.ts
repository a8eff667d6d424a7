import { type TProperties, Type } from 'typebox'
import { defineCloudMessage } from './define-message.ts'

/**
 * Message types that the ecosystem knows and this cloud never sends, each with the reason. They are declared so that
 * the catalogue is whole: an author of a client finds them, and finds out that there is nothing to wait for.
 */

/** Declares such a type; the reason becomes part of its description. */
function defineUnsentMessage<const Name extends string, Fields extends TProperties>(
  type: Name,
  reason: string,
  fields: Fields,
) {
  return defineCloudMessage(type, `Never sent: ${reason}`, fields)
}

const url = Type.String()
const recording = { requestId: Type.Optional(Type.String()) }
const NO_VIDEO_REQUEST = 'apps have no way to ask for a video; they ask for a stream.'

/** Of the glasses socket (glasses socket protocol, 1.6 and 2.2). */
export const neverSentToGlasses = {
  auth_error: defineUnsentMessage('auth_error', 'a bad token is refused with 401 before there is a socket.', {
    message: Type.String(),
  }),
  ping: defineUnsentMessage(
    'ping',
    'the cloud uses the pings of the WebSocket protocol; phones pass this one over.',
    {},
  ),
  livekit_info: defineUnsentMessage('livekit_info', 'sound comes by the socket.', {
    url,
    roomName: Type.String(),
    token: Type.String(),
  }),
  udp_ping_ack: defineUnsentMessage('udp_ping_ack', 'sound comes by the socket.', {}),
  camera_fov_set: defineUnsentMessage('camera_fov_set', 'apps have no message for it.', {
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
    'no phone reads it; display_event draws.',
    {},
  ),
  dashboard_always_on_change: defineUnsentMessage('dashboard_always_on_change', 'no phone reads it.', {}),
  websocket_error: defineUnsentMessage('websocket_error', 'connection_error says what is wrong.', {}),
} as const

/** Of the app socket (app socket protocol, 2.2). */
export const neverSentToApps = {
  connection_error: defineUnsentMessage('connection_error', 'it is the older name of tpa_connection_error.', {
    code: Type.Optional(Type.String()),
    message: Type.String(),
  }),
  photo_response: defineUnsentMessage(
    'photo_response',
    'the app SDK passes it over; see /photo-upload of the app.',
    {
      requestId: Type.String(),
      success: Type.Boolean(),
    },
  ),
  dashboard_always_on_changed: defineUnsentMessage('dashboard_always_on_changed', 'it breaks the app SDK.', {
    enabled: Type.Boolean(),
  }),
  audio_chunk: defineUnsentMessage('audio_chunk', 'sound comes in binary frames.', {}),
  websocket_error: defineUnsentMessage(
    'websocket_error',
    'the app SDK takes it for an error of its own.',
    {},
  ),
} as const
