import { Type } from 'typebox'
import { defineClientMessage, defineCloudMessage, optionalOrNull, packageName } from './define-message.ts'

const number = () => Type.Optional(Type.Union([Type.Null(), Type.Number({ minimum: 0 })]))
const flag = () => Type.Optional(Type.Union([Type.Null(), Type.Boolean()]))

/** How the glasses are to encode, as far as they listen to it. */
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

const passedOn = Type.Record(Type.String(), Type.Unknown())
const streamId = Type.String({ description: 'Short, because it travels over Bluetooth' })

/** What apps say about streams (app socket protocol, 2.1.4). Addresses are checked by the session, which can answer. */
export const streamsFromApps = {
  rtmp_stream_request: defineClientMessage(
    'rtmp_stream_request',
    'Streams from the glasses to an address of the app.',
    {
      packageName,
      rtmpUrl: Type.String({ maxLength: 4_096 }),
      ...encoding,
    },
  ),
  rtmp_stream_stop: defineClientMessage('rtmp_stream_stop', "Stops the app's RTMP stream.", {
    packageName,
    streamId: Type.Optional(Type.Union([Type.Null(), Type.String({ maxLength: 100 })])),
  }),
  managed_stream_request: defineClientMessage(
    'managed_stream_request',
    'Starts or joins the managed stream.',
    {
      packageName,
      quality: Type.Optional(
        Type.Union([Type.Null(), Type.String({ maxLength: 20, description: '720p or 1080p' })]),
      ),
      enableWebRTC: Type.Optional(
        Type.Unknown({ description: 'Without effect: the address is given wherever there is one' }),
      ),
      ...encoding,
      restreamDestinations: Type.Optional(
        Type.Union([
          Type.Null(),
          Type.Array(
            Type.Object({
              url: Type.String({ maxLength: 4_096 }),
              name: Type.Optional(Type.Union([Type.Null(), Type.String({ maxLength: 1_000 })])),
            }),
            { maxItems: 100 },
          ),
        ]),
      ),
    },
  ),
  managed_stream_stop: defineClientMessage(
    'managed_stream_stop',
    'Leaves the managed stream; the last one out ends it.',
    {
      packageName,
    },
  ),
  stream_status_check: defineClientMessage(
    'stream_status_check',
    'Asks whether the glasses stream already.',
    {
      packageName,
    },
  ),
} as const

const playback = {
  hlsUrl: Type.Optional(Type.String()),
  dashUrl: Type.Optional(Type.String()),
  webrtcUrl: Type.Optional(Type.String()),
  previewUrl: Type.Optional(Type.String()),
  thumbnailUrl: Type.Optional(Type.String()),
}

/** What apps are told about streams (app socket protocol, 2.2). */
export const streamsToApps = {
  rtmp_stream_status: defineCloudMessage('rtmp_stream_status', "The app's RTMP stream changed.", {
    streamId: Type.Optional(streamId),
    status: Type.Enum(['initializing', 'active', 'stopping', 'stopped', 'timeout', 'error'], {
      description: 'error: it was refused',
    }),
    code: Type.Optional(Type.String({ description: 'Why it was refused, as a stable word' })),
    errorDetails: Type.Optional(Type.String()),
    appId: Type.String(),
    stats: Type.Optional(passedOn),
  }),
  managed_stream_status: defineCloudMessage('managed_stream_status', 'The managed stream changed.', {
    streamId: Type.Optional(streamId),
    status: Type.Enum(['initializing', 'preparing', 'active', 'stopping', 'stopped', 'error']),
    ...playback,
    code: Type.Optional(Type.String({ description: 'Why it was refused, as a stable word' })),
    message: Type.Optional(Type.String()),
    outputs: Type.Optional(
      Type.Array(
        Type.Object({
          url: Type.String({ description: 'Stream keys masked' }),
          name: Type.String(),
          status: Type.Enum(['active', 'error', 'stopped'], { description: 'stopped: not active yet' }),
          error: Type.Optional(Type.String()),
        }),
      ),
    ),
  }),
  stream_status_check_response: defineCloudMessage(
    'stream_status_check_response',
    'Answers stream_status_check, one for each and in their order.',
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
          rtmpUrl: Type.Optional(Type.String({ description: 'Stream keys masked, but to the owner' })),
          requestingAppId: Type.Optional(Type.String()),
        }),
      ),
    },
  ),
} as const

const glassesStatus = {
  streamId: Type.Optional(Type.Union([Type.Null(), Type.String({ maxLength: 100 })])),
  status: Type.String({ maxLength: 50 }),
  errorDetails: Type.Optional(Type.Unknown()),
  appId: optionalOrNull(
    Type.String({ maxLength: 200, description: 'Ignored: the stream is known by its id' }),
  ),
  stats: Type.Optional(
    Type.Union([Type.Null(), passedOn], {
      description: 'bitrate, fps, droppedFrames, duration; newer phones add width, height and temperatureC',
    }),
  ),
  attempt: optionalOrNull(Type.Number({ description: 'Which attempt to reconnect this is' })),
  maxAttempts: optionalOrNull(Type.Number()),
  reason: optionalOrNull(Type.String({ maxLength: 1_000, description: 'Why the glasses reconnect' })),
}

/** What glasses say about streams (glasses socket protocol, 2.1 and 2.5). */
export const streamsFromGlasses = {
  rtmp_stream_status: defineClientMessage(
    'rtmp_stream_status',
    "The glasses' stream changed.",
    glassesStatus,
  ),
  stream_status: defineClientMessage('stream_status', 'rtmp_stream_status of newer phones.', glassesStatus),
  keep_alive_ack: defineClientMessage('keep_alive_ack', 'Answers a keep-alive of a stream.', {
    streamId: Type.String({ maxLength: 100 }),
    ackId: Type.String({ maxLength: 100 }),
  }),
} as const

const session = Type.String({ description: 'The user session id' })
const start = {
  sessionId: session,
  appId: Type.String({ description: 'MANAGED_STREAM, or the package' }),
  streamId,
  video: passedOn,
  audio: passedOn,
  stream: passedOn,
}
const stop = { sessionId: session, appId: Type.String(), streamId }
const keepAlive = { streamId, ackId: Type.String() }

/**
 * What glasses are told about streams (glasses socket protocol, 2.2). Phones know one of the two names of each and
 * only log the other, so both are sent.
 */
export const streamsToGlasses = {
  start_rtmp_stream: defineCloudMessage('start_rtmp_stream', 'Stream to rtmpUrl.', {
    ...start,
    rtmpUrl: Type.String(),
  }),
  start_stream: defineCloudMessage('start_stream', 'start_rtmp_stream of newer phones.', {
    ...start,
    streamUrl: Type.String(),
  }),
  stop_rtmp_stream: defineCloudMessage('stop_rtmp_stream', 'Stop streaming.', stop),
  stop_stream: defineCloudMessage('stop_stream', 'stop_rtmp_stream of newer phones.', stop),
  keep_rtmp_stream_alive: defineCloudMessage(
    'keep_rtmp_stream_alive',
    'Somebody still watches; answer keep_alive_ack. Glasses stop by themselves after a minute without.',
    keepAlive,
  ),
  keep_stream_alive: defineCloudMessage(
    'keep_stream_alive',
    'keep_rtmp_stream_alive of newer phones.',
    keepAlive,
  ),
} as const
