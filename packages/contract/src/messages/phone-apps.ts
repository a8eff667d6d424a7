import { Type } from 'typebox'
import { defineAppMessage, defineGlassesMessage } from './define-message.ts'
import { streamsFromApps, streamsToApps } from './streams.ts'

/** Reserved package name under which all mini-apps on the phone subscribe and stream. */
export const PHONE_PACKAGE = '__phone__'

const { packageName, streamId } = streamsFromApps.rtmp_stream_stop.properties
const { video, audio, stream } = streamsFromApps.rtmp_stream_request.properties
const url = (description: string) => Type.Optional(Type.String({ maxLength: 4_096, description }))

/** Messages from phones on behalf of their mini-apps (glasses-socket.md §2.1). */
export const phoneAppsFromGlasses = {
  phone_subscription_update: defineAppMessage(
    'phone_subscription_update',
    'Replaces the subscriptions of the mini-apps with the given list. Phones repeat it after each connection_ack.',
    { subscriptions: Type.Array(Type.String({ maxLength: 500 }), { maxItems: 500 }) },
  ),
  stream_request: defineGlassesMessage('stream_request', 'Streams from the glasses to a URL of a mini-app.', {
    packageName,
    streamUrl: url('rtmp://, rtmps://, srt:// with a port, or https:// for WHIP'),
    rtmpUrl: url('Older name of streamUrl'),
    video,
    audio,
    stream,
  }),
  stream_stop: defineGlassesMessage('stream_stop', 'Stops the stream of the mini-apps.', {
    packageName,
    streamId,
  }),
  managed_stream_request: streamsFromApps.managed_stream_request,
  managed_stream_stop: streamsFromApps.managed_stream_stop,
} as const

/** Messages to phones for their mini-apps (glasses-socket.md §2.2). */
export const phoneAppsToGlasses = {
  data_stream: Type.Object(
    {
      type: Type.Literal('data_stream'),
      streamType: Type.String({ description: 'The subscription, verbatim' }),
      data: Type.Unknown(),
      sessionId: Type.String(),
      timestamp: streamsToApps.stream_status.properties.timestamp,
    },
    { description: 'A frame of a stream that the mini-apps are subscribed to.' },
  ),
  rtmp_stream_status: streamsToApps.rtmp_stream_status,
  stream_status: streamsToApps.stream_status,
  managed_stream_status: streamsToApps.managed_stream_status,
} as const
