import { Type } from 'typebox'
import { layout, view } from '../layouts.ts'
import { appState } from '../live-session.ts'
import { captureFields } from '../photos.ts'
import { speechToGlasses } from './data-streams.ts'
import { defineCloudMessage, type MessageOf } from './define-message.ts'
import { outputsToGlasses } from './outputs.ts'
import { phoneAppsToGlasses } from './phone-apps.ts'
import { phoneEventsToGlasses } from './phone-events.ts'
import { settingsToGlasses } from './settings.ts'
import { defineErrorCode, glassesSocketErrors } from './socket-errors.ts'
import { streamsToGlasses } from './streams.ts'

const packageName = Type.String()
const isoTime = Type.String({ description: 'ISO 8601' })

/** Schema of the session snapshot for older clients (glasses-socket.md §1.5). */
export const userSessionSnapshot = Type.Object({
  userId: Type.String({ description: 'E-mail address' }),
  startTime: isoTime,
  activeAppSessions: Type.Array(packageName),
  loadingApps: Type.Array(packageName),
  appSubscriptions: Type.Record(Type.String(), Type.Array(Type.String())),
  requiresAudio: Type.Boolean(),
  minimumTranscriptionLanguages: Type.Array(Type.String()),
  isTranscribing: Type.Boolean(),
})

/** Messages to glasses on `/glasses-ws` (glasses-socket.md §2.2). */
export const cloudToGlasses = {
  connection_ack: defineCloudMessage(
    'connection_ack',
    'The glasses are connected to the user session. May be repeated.',
    {
      sessionId: Type.String({ description: 'The user session id' }),
      userId: Type.String({ description: 'E-mail address' }),
      userSession: userSessionSnapshot,
    },
  ),
  connection_error: defineCloudMessage(
    'connection_error',
    'A message was rejected, or the connection is about to close.',
    {
      code: defineErrorCode(glassesSocketErrors),
      message: Type.String(),
    },
  ),
  ping: Type.Object(
    { type: Type.Literal('ping') },
    {
      description:
        'Liveness check for phones that close idle sockets: sent after 2 s without another message if the handshake had `udpEncryption=true`, until the phone sends a ping itself. It may be answered with pong.',
    },
  ),
  pong: Type.Object({ type: Type.Literal('pong') }, { description: 'Response to ping.' }),
  app_state_change: defineCloudMessage('app_state_change', 'The running or installed apps changed.', {
    ...appState.properties,
    userSession: userSessionSnapshot,
  }),
  app_started: defineCloudMessage('app_started', 'An app is running.', { packageName }),
  app_stopped: defineCloudMessage('app_stopped', 'An app is no longer running.', {
    packageName,
    reason: Type.String({ description: 'user_disabled, system_stop or error' }),
  }),
  display_event: defineCloudMessage('display_event', 'Shows a layout in a view of the lens.', {
    packageName,
    view,
    layout,
  }),
  photo_request: defineCloudMessage('photo_request', 'Requests a photo, to be uploaded to webhookUrl.', {
    sessionId: Type.String({ description: 'The user session id' }),
    requestId: Type.String(),
    appId: Type.String({ description: 'Package name' }),
    packageName,
    webhookUrl: Type.String(),
    authToken: Type.Optional(Type.String({ description: 'Send it with the photo as bearer token' })),
    saveToGallery: Type.Boolean(),
    size: Type.String(),
    compress: Type.String(),
    flash: Type.Optional(captureFields.flash),
    sound: Type.Optional(captureFields.sound),
    exposureTimeNs: Type.Optional(captureFields.exposureTimeNs),
    mode: Type.Optional(captureFields.mode),
  }),
  microphone_state_change: defineCloudMessage(
    'microphone_state_change',
    'Switches the microphone on or off.',
    {
      sessionId: Type.String({ description: 'The user session id' }),
      isMicrophoneEnabled: Type.Boolean(),
      requiredData: Type.Array(Type.Union([Type.Literal('pcm'), Type.Literal('transcription')]), {
        description: 'Empty: microphone off. The phone recognizes speech only if `transcription` is included',
      }),
      bypassVad: Type.Boolean({ description: 'Send all audio, without voice activity detection' }),
    },
  ),
  ...streamsToGlasses,
  ...outputsToGlasses,
  ...settingsToGlasses,
  ...phoneAppsToGlasses,
  ...phoneEventsToGlasses,
  ...speechToGlasses,
} as const

/** A message from the cloud to glasses. */
export type CloudToGlasses = MessageOf<typeof cloudToGlasses>
