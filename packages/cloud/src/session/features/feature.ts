import type {
  AppToCloud,
  AudioFormat,
  CloudToApp,
  CloudToGlasses,
  GlassesToCloud,
  OsSettings,
  StreamFacets,
} from '@glasses-cloud/contract'
import type { AppSession } from '../apps/app-session.ts'
import type { AppSessions } from '../apps/app-sessions.ts'
import type { Clock } from '../clock.ts'
import type { Device, DeviceChange } from '../device.ts'
import type { Peer } from '../peer.ts'
import type { Random, SessionLog, SessionPorts } from '../ports.ts'
import type { Subscriptions } from '../subscriptions.ts'
import type { SessionTiming } from '../timing.ts'

/** What the parts of a session share. Everything in it lives and ends with the session. */
export interface SessionContext {
  readonly userSessionId: string
  /** The wearer's e-mail, which is what apps call a user. */
  readonly userEmail: string
  /** The package in whose name the cloud itself draws. */
  readonly systemPackage: string
  readonly clock: Clock
  readonly timing: SessionTiming
  readonly random: Random
  readonly log: SessionLog
  readonly ports: SessionPorts
  readonly apps: AppSessions
  readonly subscriptions: Subscriptions
  readonly device: Device
  /** Whether a glasses socket is open. */
  isGlassesSocketOpen(): boolean
  /** Sends to the glasses; without a socket the message is gone. */
  sendToGlasses(message: CloudToGlasses): void
  /** Says what the binary frames of the open glasses socket hold; false without one. */
  setAudioFormat(format: AudioFormat): boolean
  /** Sends to every connected app what `messageFor` makes for it. */
  sendToApps(messageFor: (session: AppSession) => CloudToApp): void
  /** Sends a frame of a stream to every app that listens to it, each under its own subscription string. */
  publish(stream: string, facets: StreamFacets, data: object): void
  /** The time as the wire wants it. */
  timestamp(): string
  /** A random id, letters and digits only. */
  createId(): string
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
export interface SessionFeature {
  /** Glasses connected and have their acknowledgement: tell them what they must know. */
  onGlassesConnected?(): void
  /** An app connected and has its acknowledgement: tell it what it must know. */
  onAppConnected?(session: AppSession, peer: Peer): void
  /** An app began to run. */
  onAppStarted?(session: AppSession): void
  /** An app runs no more, or begins anew: forget what belongs to it. */
  onAppReset?(packageName: string): void
  /** What some app listens to changed; `session` is the app if it just gave a new list. */
  onSubscriptionsChanged?(session?: AppSession): void
  /** The OS settings changed. */
  onOsSettingsChanged?(settings: OsSettings): void
  /** The state of the glasses changed. */
  onDeviceChanged?(change: DeviceChange): void
  /** The session is over. Timers are gone already, sockets close next. */
  onSessionEnded?(): void
}
