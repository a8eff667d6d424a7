import { Type } from 'typebox'
import { defineClientMessage, optionalOrNull } from './define-message.ts'
import { streamsFromApps, streamsToApps } from './streams.ts'

/** The one package as which all mini-apps on the phone listen and stream. No app is called so. */
export const PHONE_PACKAGE = '__phone__'

const { packageName, streamId } = streamsFromApps.rtmp_stream_stop.properties
const { video, audio, stream } = streamsFromApps.rtmp_stream_request.properties
const address = (description: string) => optionalOrNull(Type.String({ maxLength: 4_096, description }))

/** What phones say for the mini-apps that run on them (glasses socket protocol, 2.1). */
export const phoneAppsFromGlasses = {
  phone_subscription_update: defineClientMessage(
    'phone_subscription_update',
    'The whole list of streams the mini-apps on the phone want, replacing the last. Said again after each acknowledgement.',
    { subscriptions: Type.Array(Type.String({ maxLength: 500 }), { maxItems: 500 }) },
  ),
  stream_request: defineClientMessage(
    'stream_request',
    'Streams from the glasses to an address of a mini-app.',
    {
      packageName,
      streamUrl: address('rtmp://, rtmps://, srt:// with a port, or https:// for WHIP'),
      rtmpUrl: address('streamUrl by its older name'),
      video,
      audio,
      stream,
    },
  ),
  stream_stop: defineClientMessage('stream_stop', "Stops the mini-apps' stream.", { packageName, streamId }),
  managed_stream_request: streamsFromApps.managed_stream_request,
  managed_stream_stop: streamsFromApps.managed_stream_stop,
} as const

const { type: _, timestamp, ...status } = streamsToApps.rtmp_stream_status.properties

/** What phones are told for the mini-apps that run on them (glasses socket protocol, 2.2). */
export const phoneAppsToGlasses = {
  data_stream: Type.Object(
    {
      type: Type.Literal('data_stream'),
      streamType: Type.String({ description: 'The subscription, letter for letter' }),
      data: Type.Unknown(),
      sessionId: Type.String(),
      timestamp,
    },
    { description: 'One frame of a stream that the mini-apps on the phone subscribed to.' },
  ),
  rtmp_stream_status: streamsToApps.rtmp_stream_status,
  stream_status: Type.Object(
    { type: Type.Literal('stream_status'), ...status, timestamp },
    { description: 'rtmp_stream_status by its newer name.' },
  ),
  managed_stream_status: streamsToApps.managed_stream_status,
} as const
