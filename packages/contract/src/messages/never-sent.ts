import { type TProperties, Type } from 'typebox'
import { announce } from './define.ts'

/**
 * Message types that the ecosystem knows and this cloud never sends, each with the reason. They are declared so that
 * the catalogue is whole: an author of a client finds them, and finds out that there is nothing to wait for.
 */

/** Declares such a type; the reason becomes part of its description. */
function unsent<const Name extends string, Fields extends TProperties>(
  type: Name,
  reason: string,
  fields: Fields,
) {
  return announce(type, `Never sent: ${reason}`, fields)
}

const url = Type.String()
const recording = { requestId: Type.Optional(Type.String()) }
const noRecording = 'apps have no way to ask for a video; they ask for a stream.'

/** Of the glasses socket (glasses socket protocol, 1.6 and 2.2). */
export const neverToGlasses = {
  auth_error: unsent('auth_error', 'a bad token is refused with 401 before there is a socket.', {
    message: Type.String(),
  }),
  ping: unsent('ping', 'the cloud uses the pings of the WebSocket protocol; phones pass this one over.', {}),
  livekit_info: unsent('livekit_info', 'sound comes by the socket.', {
    url,
    roomName: Type.String(),
    token: Type.String(),
  }),
  udp_ping_ack: unsent('udp_ping_ack', 'sound comes by the socket.', {}),
  camera_fov_set: unsent('camera_fov_set', 'apps have no message for it.', {
    sessionId: Type.String(),
    requestId: Type.String(),
    appId: Type.String(),
    fov: Type.Number({ minimum: 62, maximum: 118 }),
    roiPosition: Type.Enum(['center', 'top', 'bottom']),
  }),
  start_buffer_recording: unsent('start_buffer_recording', noRecording, {}),
  stop_buffer_recording: unsent('stop_buffer_recording', noRecording, {}),
  save_buffer_video: unsent('save_buffer_video', noRecording, {
    ...recording,
    durationSeconds: Type.Optional(Type.Number({ default: 30 })),
  }),
  start_video_recording: unsent('start_video_recording', noRecording, {
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
  stop_video_recording: unsent('stop_video_recording', noRecording, {
    ...recording,
    webhookUrl: Type.Optional(url),
    authToken: Type.Optional(Type.String()),
  }),
  dashboard_mode_change: unsent('dashboard_mode_change', 'no phone reads it; display_event draws.', {}),
  dashboard_always_on_change: unsent('dashboard_always_on_change', 'no phone reads it.', {}),
  websocket_error: unsent('websocket_error', 'connection_error says what is wrong.', {}),
} as const

/** Of the app socket (app socket protocol, 2.2). */
export const neverToApps = {
  connection_error: unsent('connection_error', 'it is the older name of tpa_connection_error.', {
    code: Type.Optional(Type.String()),
    message: Type.String(),
  }),
  photo_response: unsent('photo_response', 'the app SDK passes it over; see /photo-upload of the app.', {
    requestId: Type.String(),
    success: Type.Boolean(),
  }),
  dashboard_always_on_changed: unsent('dashboard_always_on_changed', 'it breaks the app SDK.', {
    enabled: Type.Boolean(),
  }),
  audio_chunk: unsent('audio_chunk', 'sound comes in binary frames.', {}),
  websocket_error: unsent('websocket_error', 'the app SDK takes it for an error of its own.', {}),
} as const
