export type { StartOutcome } from './apps/app-launch.ts'
export { PCM_BYTES_PER_SECOND } from './audio-ring.ts'
export type { Command } from './command.ts'
export { LazyMap } from './lazy-collections.ts'
export type {
  AppMember,
  AppMessage,
  AppMessaging,
  MessagingDone,
  MessagingRejection,
  RoomOptions,
} from './parts/app-messages/port.ts'
export { SESSION_COMMANDS, type SessionCommands } from './parts/index.ts'
export type { PhotoClaim, PhotoClaimOutcome } from './parts/photos.ts'
export type {
  SessionSpeech,
  SpeechFailure,
  SpeechFailureKind,
  SpeechListener,
  SpeechOptions,
  SpeechProvider,
  SpeechSegment,
  SpeechStream,
  TranslationRequest,
  TranslationResult,
  WakeWordListener,
  WakeWordSpotter,
  WakeWordStream,
} from './parts/speech/port.ts'
export { maskStreamKeys, parseOutputUrl } from './parts/video/output-url.ts'
export type {
  LiveInput,
  OutputReport,
  OutputReservation,
  SessionStreaming,
  StreamingResult,
} from './parts/video/port.ts'
export { type GlassesPeer, type Peer, SharedMessage } from './peer.ts'
export {
  type AppDefinition,
  type PhotoTarget,
  type Random,
  type SessionLog,
  type SessionPorts,
  type StoreResult,
  toAppDefinition,
  type WebhookCall,
  type WebhookOutcome,
} from './ports.ts'
export { DEFAULT_TIMING, type SessionTiming } from './timing.ts'
export type { TranscriptRange } from './transcripts.ts'
export { UserSession } from './user-session.ts'
