export type { StartOutcome } from './apps/start-outcome.ts'
export type { RecentAudio } from './audio-ring.ts'
export { type Clock, systemClock, type Timer, toIsoString } from './clock.ts'
export type {
  AppMember,
  AppMessage,
  AppMessaging,
  MessagingDone,
  MessagingRejection,
  RoomOptions,
} from './features/app-messages/port.ts'
export type { PhotoAnswer, PhotoClaim, PhotoClaimOutcome } from './features/photos.ts'
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
} from './features/speech/port.ts'
export { maskStreamKeys, parseOutputUrl } from './features/streams/output-url.ts'
export type { AddOutputOutcome, RemoveOutputOutcome } from './features/streams/outputs.ts'
export type {
  LiveInput,
  OutputReport,
  OutputReservation,
  SessionStreaming,
  StreamingResult,
} from './features/streams/port.ts'
export type { OutputsOutcome } from './features/streams/streams.ts'
export { LazyMap } from './lazy-collections.ts'
export type { GlassesPeer, Peer } from './peer.ts'
export type {
  AppDefinition,
  AppSettings,
  PhotoTarget,
  Random,
  SessionLog,
  SessionPorts,
  StoreResult,
  WebhookCall,
  WebhookOutcome,
} from './ports.ts'
export { SharedMessage } from './shared-message.ts'
export { DEFAULT_TIMING, type SessionTiming } from './timing.ts'
export type { TranscriptAccess, TranscriptRange } from './transcripts.ts'
export { type SessionActivity, UserSession } from './user-session.ts'
