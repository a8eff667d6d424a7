import type {
  AppSettingValue,
  HardwareRequirement,
  OsSettingChanges,
  OsSettings,
  Permission,
  PhotoError,
} from '@glasses-cloud/contract'
import type { AppMessaging } from './features/app-messages/port.ts'
import type { SessionStreaming } from './features/streams/port.ts'

/** What the session must know of an app to run it. */
export interface AppDefinition {
  readonly packageName: string
  readonly name: string
  readonly appType: 'STANDARD' | 'BACKGROUND' | 'SYSTEM_DASHBOARD'
  readonly permissions: readonly Permission[]
  readonly hardwareRequirements: readonly HardwareRequirement[]
}

/** Why an app is being stopped, as its stop webhook says it. */
export type StopReason = 'user_disabled' | 'system_stop' | 'error'

/** A call to an app's webhook. */
export type WebhookCall =
  | { readonly type: 'session_request'; readonly packageName: string; readonly sessionId: string }
  | {
      readonly type: 'stop_request'
      readonly packageName: string
      readonly sessionId: string
      readonly reason: StopReason
    }

/** What came of a webhook call; `code` is a stable word for logs and answers. */
export type WebhookOutcome =
  | { readonly ok: true }
  | { readonly ok: false; readonly code: string; readonly message: string; readonly retryable: boolean }

/** What came of reading or writing rows. */
export type StoreResult<Value = undefined> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false }

/** The settings an app is given with its acknowledgement: the schema's entries with `value` filled in. */
export type AppSettings = AppSettingValue[]

/** Where glasses upload a photo to, and what proves that they were asked for it. */
export interface PhotoTarget {
  readonly webhookUrl: string
  /** Good for this one photo, for as long as the session waits for it. */
  readonly authToken: string
}

/**
 * The effects of a session. All return at once; outcomes come back through `done`, never synchronously. The
 * session ignores outcomes that come after its end.
 */
export interface SessionPorts {
  /** The app, if the wearer may see it. */
  loadApp(packageName: string, done: (app: StoreResult<AppDefinition | undefined>) => void): void
  callWebhook(call: WebhookCall, timeoutMs: number, done: (outcome: WebhookOutcome) => void): void
  /** Stores that the wearer wants the app running. */
  saveRunningApp(packageName: string, since: number, done: (stored: StoreResult) => void): void
  /** Stores that the wearer does not want the app running any more. */
  deleteRunningApp(packageName: string, done: (stored: StoreResult) => void): void
  loadAppSettings(packageName: string, done: (settings: StoreResult<AppSettings>) => void): void
  loadOsSettings(done: (settings: StoreResult<OsSettings>) => void): void
  /** Stores OS settings; the others stay. */
  saveOsSettings(changes: OsSettingChanges, done: (stored: StoreResult) => void): void
  /** Makes an upload target for the photo an app asked for. Answers at once: nothing is stored or called. */
  createPhotoTarget(packageName: string, requestId: string): PhotoTarget
  /** A web address as phones can reach it: one of this cloud is given the scheme that the cloud has. Answers at once. */
  toPhoneUrl(address: string): string
  /** Tells an app that a photo will not come. */
  reportPhotoError(packageName: string, error: PhotoError): void
  /** The way to the same apps at other wearers. */
  readonly appMessages: AppMessaging
  /** Where managed streams go; absent where no streaming provider is configured. */
  readonly streaming?: SessionStreaming
  /** The session is over; called once, last. */
  sessionEnded(): void
}

/** Randomness: a number from 0 (included) to 1 (excluded). */
export type Random = () => number

/** One place for what happens in a session: counted and logged by low-cardinality names, without personal content. */
export type SessionLog = (event: string, fields?: Readonly<Record<string, string | number | boolean>>) => void
