import type {
  AppToCloud,
  AudioFormat,
  CloudToApp,
  CloudToGlasses,
  GlassesToCloud,
  PhoneSettings,
  StreamFacets,
} from '@glasses-cloud/contract'
import type { Clock } from '../../time/index.ts'
import type { AppSession } from '../apps/app-session.ts'
import type { AppSessions } from '../apps/app-sessions.ts'
import type { Device, DeviceChange } from '../device.ts'
import type { Peer } from '../peer.ts'
import type { Random, SessionLog, SessionPorts } from '../ports.ts'
import type { Subscriptions } from '../subscriptions.ts'
import type { SessionTiming } from '../timing.ts'

/** The parts of a user session that its features share. */
export interface SessionContext {
  readonly userSessionId: string
  /** The `userId` of messages on the app socket (docs/glossary.md). */
  readonly userEmail: string
  /** The package name of the system dashboard, under which the cloud itself draws. */
  readonly systemPackage: string
  readonly clock: Clock
  readonly timing: SessionTiming
  readonly random: Random
  readonly log: SessionLog
  readonly ports: SessionPorts
  readonly apps: AppSessions
  readonly subscriptions: Subscriptions
  readonly device: Device
  isGlassesSocketOpen(): boolean
  /** Sends to the glasses; drops the message if no socket is open. */
  sendToGlasses(message: CloudToGlasses): void
  /** Sets the format of binary frames on the open glasses socket; returns false if none is open. */
  setAudioFormat(format: AudioFormat): boolean
  /** Sends the result of `messageFor` to every connected app. */
  sendToApps(messageFor: (session: AppSession) => CloudToApp): void
  /** Publishes a frame of a stream to every subscriber, under the subscriber's own subscription string. */
  publish(stream: string, facets: StreamFacets, data: object, replacementKey?: string): void
  /** The current time, ISO 8601. */
  timestamp(): string
  /** Returns a random id of letters and digits. */
  createId(): string
  /** Runs a task that is called from outside the session. An exception ends the session and is not thrown. */
  guard(task: () => void): void
}

/** The handlers of a feature for messages from the glasses, by message type. */
export type GlassesHandlers<Feature> = {
  readonly [Type in GlassesToCloud['type']]?: (
    feature: Feature,
    message: Extract<GlassesToCloud, { type: Type }>,
  ) => void
}

/** The handlers of a feature for messages from apps, by message type. `app` is the session that owns the socket. */
export type AppHandlers<Feature> = {
  readonly [Type in AppToCloud['type']]?: (
    feature: Feature,
    message: Extract<AppToCloud, { type: Type }>,
    app: AppSession,
  ) => void
}

/**
 * A part of a user session. It owns its state, handles its message types and reacts to events of the session.
 * `user-session.ts` lists the features. A feature class names the messages it handles in the static tables
 * `glassesHandlers` and `appHandlers`; a message type belongs to one feature at most.
 */
export interface SessionPart {
  /** Called after glasses connected and were acknowledged. */
  onGlassesConnected?(): void
  /** Called after an app connected and was acknowledged. */
  onAppConnected?(session: AppSession, peer: Peer): void
  /** Called after an app entered the phase `running`. */
  onAppStarted?(session: AppSession): void
  /** Called when an app stopped or is restarted: drops the state of its app session. */
  onAppReset?(packageName: string): void
  /** Called after subscriptions changed; `session` is the app if it sent a new list. */
  onSubscriptionsChanged?(session?: AppSession): void
  onPhoneSettingsChanged?(settings: PhoneSettings): void
  onDeviceChanged?(change: DeviceChange): void
  /** Called when the session ended: its timers are canceled, its sockets close next. */
  onSessionEnded?(): void
}
