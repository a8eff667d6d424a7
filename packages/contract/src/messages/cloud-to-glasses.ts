import { Type } from 'typebox'
import { appState } from '../app-state.ts'
import { layout, view } from '../layouts.ts'
import { captureFields } from '../photos.ts'
import type { MessageOf } from './check-message.ts'
import { defineCloudMessage } from './define-message.ts'
import { outputsToGlasses } from './outputs.ts'
import { phoneAppsToGlasses } from './phone-apps.ts'
import { phoneEventsToGlasses } from './phone-events.ts'
import { settingsToGlasses } from './settings.ts'
import { defineErrorCode, glassesSocketErrors } from './socket-errors.ts'
import { streamsToGlasses } from './streams.ts'

const packageName = Type.String()
const isoTime = Type.String({ description: 'ISO 8601' })

/** The snapshot older clients read (glasses socket protocol, 1.5). */
export const userSessionSnapshot = Type.Object({
  userId: Type.String({ description: 'E-mail' }),
  startTime: isoTime,
  activeAppSessions: Type.Array(packageName),
  loadingApps: Type.Array(packageName),
  appSubscriptions: Type.Record(Type.String(), Type.Array(Type.String())),
  requiresAudio: Type.Boolean(),
  minimumTranscriptionLanguages: Type.Array(Type.String()),
  isTranscribing: Type.Boolean(),
})

/** What the cloud says on `/glasses-ws` (glasses socket protocol, 2.2). */
export const cloudToGlasses = {
  connection_ack: defineCloudMessage('connection_ack', 'The session is there. May be repeated.', {
    sessionId: Type.String({ description: 'The user session id' }),
    userId: Type.String({ description: 'E-mail' }),
    userSession: userSessionSnapshot,
  }),
  connection_error: defineCloudMessage(
    'connection_error',
    'A message was refused, or the connection is about to close.',
    {
      code: defineErrorCode(glassesSocketErrors),
      message: Type.String(),
    },
  ),
  pong: Type.Object({ type: Type.Literal('pong') }, { description: 'Answer to ping.' }),
  app_state_change: defineCloudMessage(
    'app_state_change',
    'Which apps run changed, or the list of installed apps.',
    {
      ...appState.properties,
      userSession: userSessionSnapshot,
    },
  ),
  app_started: defineCloudMessage('app_started', 'An app runs now.', { packageName }),
  app_stopped: defineCloudMessage('app_stopped', 'An app does not run any more.', {
    packageName,
    reason: Type.String({ description: 'user_disabled, system_stop or error' }),
  }),
  display_event: defineCloudMessage('display_event', 'What the lens shows from now on in the view.', {
    packageName,
    view,
    layout,
  }),
  photo_request: defineCloudMessage('photo_request', 'A photo is wanted, to be uploaded to webhookUrl.', {
    sessionId: Type.String({ description: 'The user session id' }),
    requestId: Type.String(),
    appId: Type.String({ description: 'The package, as phones call it here' }),
    packageName,
    webhookUrl: Type.String(),
    authToken: Type.Optional(Type.String({ description: 'To be sent along as bearer' })),
    saveToGallery: Type.Boolean(),
    size: Type.String(),
    compress: Type.String(),
    flash: Type.Optional(captureFields.flash),
    sound: Type.Optional(captureFields.sound),
    exposureTimeNs: Type.Optional(captureFields.exposureTimeNs),
    mode: Type.Optional(captureFields.mode),
  }),
  microphone_state_change: defineCloudMessage('microphone_state_change', 'Whether sound is wanted.', {
    sessionId: Type.String({ description: 'The user session id' }),
    isMicrophoneEnabled: Type.Boolean(),
    requiredData: Type.Array(Type.Union([Type.Literal('pcm')]), { description: 'Empty: microphone off' }),
    bypassVad: Type.Boolean({ description: 'Send silence too: do not judge what is speech' }),
  }),
  ...streamsToGlasses,
  ...outputsToGlasses,
  ...settingsToGlasses,
  ...phoneAppsToGlasses,
  ...phoneEventsToGlasses,
} as const

/** A message from the cloud to glasses. */
export type CloudToGlasses = MessageOf<typeof cloudToGlasses>
