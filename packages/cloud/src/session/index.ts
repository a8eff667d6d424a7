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
export type { PhotoClaim, PhotoClaimOutcome } from './features/photos.ts'
export { maskStreamKeys, parseOutputUrl } from './features/streams/output-url.ts'
export type { AddOutputOutcome, RemoveOutputOutcome } from './features/streams/outputs.ts'
export type { LiveInput, OutputReport, SessionStreaming, StreamingResult } from './features/streams/port.ts'
export type { OutputsOutcome } from './features/streams/streams.ts'
export type { GlassesPeer, Peer } from './peer.ts'
export type {
  AppDefinition,
  AppSettings,
  PhotoTarget,
  SessionLog,
  SessionPorts,
  StoreResult,
  WebhookCall,
  WebhookOutcome,
} from './ports.ts'
export { SharedMessage } from './shared-message.ts'
export { DEFAULT_TIMING, type SessionTiming } from './timing.ts'
export type { TranscriptAccess, TranscriptRange } from './transcripts.ts'
export { UserSession } from './user-session.ts'
