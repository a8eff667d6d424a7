import { Type } from 'typebox'
import { shortened } from '../tolerant-reader.ts'
import { defineAppMessage, defineCloudMessage, defineGlassesMessage, packageName } from './define-message.ts'

const number = () => Type.Optional(Type.Number({ minimum: 0 }))
const flag = () => Type.Optional(Type.Boolean())

/** Encoding hints for the glasses, which may ignore them. */
const encoding = {
  video: Type.Optional(
    Type.Object({ width: number(), height: number(), bitrate: number(), frameRate: number() }),
  ),
  audio: Type.Optional(
    Type.Object({
      bitrate: number(),
      sampleRate: number(),
      echoCancellation: flag(),
      noiseSuppression: flag(),
    }),
  ),
  stream: Type.Optional(Type.Object({ durationLimit: number() }, { description: 'Seconds' })),
}

const anyFields = Type.Record(Type.String(), Type.Unknown())
const streamId = Type.String({ description: 'Short, because it is sent over Bluetooth' })

/** Stream messages from apps (app-socket.md §2.1.4). The session validates the URLs, because it can report errors. */
export const streamsFromApps = {
  rtmp_stream_request: defineAppMessage(
    'rtmp_stream_request',
    'Streams from the glasses to a URL of the app.',
    {
      packageName,
      rtmpUrl: Type.String({ maxLength: 4_096 }),
      ...encoding,
    },
  ),
  rtmp_stream_stop: defineAppMessage('rtmp_stream_stop', "Stops the app's RTMP stream.", {
    packageName,
    streamId: Type.Optional(Type.String({ maxLength: 100 })),
  }),
  stream_request: defineAppMessage(
    'stream_request',
    'rtmp_stream_request of SDK 3, for more protocols; its statuses are sent as stream_status.',
    {
      packageName,
      streamUrl: Type.String({
        maxLength: 4_096,
        description: 'rtmp://, rtmps://, srt:// with a port, or https:// for WHIP',
      }),
      ...encoding,
    },
  ),
  stream_stop: defineAppMessage('stream_stop', 'rtmp_stream_stop of SDK 3.', {
    packageName,
    streamId: Type.Optional(Type.String({ maxLength: 100 })),
  }),
  managed_stream_request: defineAppMessage('managed_stream_request', 'Starts or joins the managed stream.', {
    packageName,
    quality: Type.Optional(Type.String({ maxLength: 20, description: '720p or 1080p' })),
    enableWebRTC: Type.Optional(
      Type.Unknown({ description: 'Without effect: the WebRTC URL is always sent if available' }),
    ),
    ...encoding,
    restreamDestinations: Type.Optional(
      Type.Array(
        Type.Object({
          url: Type.String({ maxLength: 4_096 }),
          name: Type.Optional(Type.String({ maxLength: 1_000 })),
        }),
        { maxItems: 100 },
      ),
    ),
  }),
  managed_stream_stop: defineAppMessage(
    'managed_stream_stop',
    'Leaves the managed stream, which ends with its last viewer.',
    {
      packageName,
    },
  ),
  stream_status_check: defineAppMessage('stream_status_check', 'Asks whether the glasses are streaming.', {
    packageName,
  }),
} as const

const playback = {
  hlsUrl: Type.Optional(Type.String()),
  dashUrl: Type.Optional(Type.String()),
  webrtcUrl: Type.Optional(Type.String()),
  previewUrl: Type.Optional(Type.String()),
  thumbnailUrl: Type.Optional(Type.String()),
}

const directStatus = {
  streamId: Type.Optional(streamId),
  status: Type.Enum(['initializing', 'active', 'stopping', 'stopped', 'timeout', 'error'], {
    description: 'error: the request was rejected',
  }),
  code: Type.Optional(Type.String({ description: 'Code of the rejection' })),
  errorDetails: Type.Optional(Type.String()),
  appId: Type.String(),
  stats: Type.Optional(anyFields),
}

/** Stream messages to apps (app-socket.md §2.2). */
export const streamsToApps = {
  rtmp_stream_status: defineCloudMessage(
    'rtmp_stream_status',
    "The status of the app's RTMP stream.",
    directStatus,
  ),
  stream_status: defineCloudMessage(
    'stream_status',
    'rtmp_stream_status for apps that sent stream_request.',
    directStatus,
  ),
  managed_stream_status: defineCloudMessage('managed_stream_status', 'The status of the managed stream.', {
    streamId: Type.Optional(streamId),
    status: Type.Enum(['initializing', 'preparing', 'active', 'stopping', 'stopped', 'error']),
    ...playback,
    code: Type.Optional(Type.String({ description: 'Code of the rejection' })),
    message: Type.Optional(Type.String()),
    outputs: Type.Optional(
      Type.Array(
        Type.Object({
          url: Type.String({ description: 'Stream keys are masked' }),
          name: Type.String(),
          status: Type.Enum(['active', 'error', 'stopped'], { description: 'stopped: not active yet' }),
          error: Type.Optional(Type.String()),
        }),
      ),
    ),
  }),
  stream_status_check_response: defineCloudMessage(
    'stream_status_check_response',
    'Response to stream_status_check, in the order of the requests.',
    {
      hasActiveStream: Type.Boolean(),
      streamInfo: Type.Optional(
        Type.Object({
          type: Type.Enum(['managed', 'unmanaged']),
          streamId,
          status: Type.String(),
          createdAt: Type.String({ description: 'ISO 8601' }),
          ...playback,
          activeViewers: Type.Optional(Type.Integer()),
          rtmpUrl: Type.Optional(
            Type.String({ description: 'Stream keys are masked, except for the owner' }),
          ),
          requestingAppId: Type.Optional(Type.String()),
        }),
      ),
    },
  ),
} as const

const glassesStatus = {
  streamId: Type.Optional(Type.String({ maxLength: 100 })),
  status: Type.String({ maxLength: 50 }),
  errorDetails: Type.Optional(Type.Unknown()),
  appId: Type.Optional(
    Type.String({ maxLength: 200, description: 'Ignored: streamId identifies the stream' }),
  ),
  stats: Type.Optional({
    ...anyFields,
    description: 'bitrate, fps, droppedFrames, duration; newer phones add width, height and temperatureC',
  }),
  attempt: Type.Optional(Type.Number({ description: 'Number of the reconnect attempt' })),
  maxAttempts: Type.Optional(Type.Number()),
  reason: Type.Optional(shortened(1_000, { description: 'Reason of the reconnect' })),
}

/** Stream messages from glasses (glasses-socket.md §2.1 and glasses-socket.md §2.5). */
export const streamsFromGlasses = {
  rtmp_stream_status: defineGlassesMessage(
    'rtmp_stream_status',
    'The status of the stream of the glasses.',
    glassesStatus,
  ),
  stream_status: defineGlassesMessage('stream_status', 'rtmp_stream_status on newer phones.', glassesStatus),
  keep_alive_ack: defineGlassesMessage('keep_alive_ack', 'Acknowledges a keep-alive of a stream.', {
    streamId: Type.String({ maxLength: 100 }),
    ackId: Type.String({ maxLength: 100 }),
  }),
} as const

const session = Type.String({ description: 'The user session id' })
const start = {
  sessionId: session,
  appId: Type.String({ description: 'MANAGED_STREAM, or the package name' }),
  streamId,
  video: anyFields,
  audio: anyFields,
  stream: anyFields,
}
const stop = { sessionId: session, appId: Type.String(), streamId }
const keepAlive = { streamId, ackId: Type.String() }

/**
 * Stream messages to glasses (glasses-socket.md §2.2). Each is sent under both its names, because a phone knows only one
 * of them and ignores the other.
 */
export const streamsToGlasses = {
  start_rtmp_stream: defineCloudMessage('start_rtmp_stream', 'Starts streaming to rtmpUrl.', {
    ...start,
    rtmpUrl: Type.String(),
  }),
  start_stream: defineCloudMessage('start_stream', 'start_rtmp_stream for newer phones.', {
    ...start,
    streamUrl: Type.String(),
  }),
  stop_rtmp_stream: defineCloudMessage('stop_rtmp_stream', 'Stops streaming.', stop),
  stop_stream: defineCloudMessage('stop_stream', 'stop_rtmp_stream for newer phones.', stop),
  keep_rtmp_stream_alive: defineCloudMessage(
    'keep_rtmp_stream_alive',
    'Keeps the stream alive; answered with keep_alive_ack. Glasses stop streaming after one minute without it.',
    keepAlive,
  ),
  keep_stream_alive: defineCloudMessage(
    'keep_stream_alive',
    'keep_rtmp_stream_alive for newer phones.',
    keepAlive,
  ),
} as const
