import type {
  AppSettingValue,
  AppType,
  HardwareRequirement,
  OsSettingChanges,
  Permission,
  PermissionType,
  PhoneSettings,
  PhotoError,
  SettingDeclaration,
  WakeWord,
} from '@glasses-cloud/contract'
import { Type } from 'typebox'
import type { AppMessaging } from './parts/app-messages/port.ts'
import type { SessionSpeech } from './parts/speech/port.ts'
import type { SessionStreaming } from './parts/video/port.ts'

/** Times from which permissions apply, in epoch milliseconds; a permission that is absent applies to all data. */
export type PermittedSince = Readonly<Partial<Record<PermissionType, number>>>

/** An app as a session runs it: what it declares, and where its server is. */
export interface AppDefinition {
  readonly id: string
  readonly packageName: string
  readonly name: string
  readonly appType: AppType
  readonly publicUrl: string
  /** The permissions that the app has for the user, among those that it declares. */
  readonly permissions: readonly Permission[]
  /** From when on the app receives data, in epoch milliseconds, for permissions that it got later than itself. */
  readonly permittedSince: PermittedSince
  /** Setting declarations in the form of the app SDK. */
  readonly settings: readonly SettingDeclaration[]
  readonly hardwareRequirements: readonly HardwareRequirement[]
  /** Oldest firmware of the glasses; null or undefined if any will do. */
  readonly minHardwareVersion?: string | null
  /** Phrases for which it listens; none if undefined. */
  readonly wakeWords?: readonly WakeWord[]
  /** Time since which the app server is known to be down, in epoch milliseconds; null while it is up. */
  readonly unreachableSince: number | null
}

/** Schema of {@link AppDefinition}. Nodes of the previous version ignore values that they do not know. */
export const appDefinition = Type.Unsafe<AppDefinition>(
  Type.Object({
    id: Type.String(),
    packageName: Type.String(),
    name: Type.String(),
    appType: Type.String(),
    publicUrl: Type.String(),
    permissions: Type.Array(Type.Object({ type: Type.String() })),
    permittedSince: Type.Optional(Type.Record(Type.String(), Type.Number())),
    settings: Type.Array(Type.Record(Type.String(), Type.Unknown())),
    hardwareRequirements: Type.Array(Type.Object({ type: Type.String(), level: Type.String() })),
    minHardwareVersion: Type.Optional(Type.Union([Type.Null(), Type.String()])),
    wakeWords: Type.Optional(
      Type.Array(Type.Object({ phrase: Type.String(), language: Type.Optional(Type.String()) })),
    ),
    unreachableSince: Type.Union([Type.Null(), Type.Number()]),
  }),
)

/** Copies from an app what a session needs of it. */
export function toAppDefinition(app: AppDefinition): AppDefinition {
  const { id, packageName, name, appType, publicUrl, permissions, permittedSince, settings } = app
  const { hardwareRequirements, minHardwareVersion = null, wakeWords = [], unreachableSince } = app
  return {
    id,
    packageName,
    name,
    appType,
    publicUrl,
    permissions,
    permittedSince,
    settings,
    hardwareRequirements,
    minHardwareVersion,
    wakeWords,
    unreachableSince,
  }
}

/** Why an app is stopped; part of the stop webhook. */
export type StopReason = 'user_disabled' | 'system_stop' | 'error'

/** A call to an app's webhook. */
export type WebhookCall =
  | { readonly type: 'session_request'; readonly sessionId: string }
  | { readonly type: 'stop_request'; readonly sessionId: string; readonly reason: StopReason }

/** The result of a webhook call; `code` is a stable identifier for logs and responses. */
export type WebhookOutcome =
  | { readonly ok: true }
  | { readonly ok: false; readonly code: string; readonly message: string; readonly retryable: boolean }

/** The result of reading or writing rows. */
export type StoreResult<Value = undefined> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false }

/** The settings that an app receives with its acknowledgement: the entries of its schema with `value` filled in. */
export type AppSettings = AppSettingValue[]

export const appSettings = Type.Unsafe<AppSettings>(
  Type.Array(Type.Object({ key: Type.String(), value: Type.Optional(Type.Unknown()) })),
)

/** Where the glasses upload a photo, and the token that authorizes the upload. */
export interface PhotoTarget {
  readonly webhookUrl: string
  /** Valid for this photo, until the request times out. */
  readonly authToken: string
}

/**
 * The effects of a session. No method blocks. Results are passed to `done`, never synchronously; the session ignores
 * results that arrive after its end. Callbacks run under the guard of the session (`guardCallbacks`).
 */
export interface SessionPorts {
  /**
   * Loads an app because its start begins; undefined if it does not exist or the user may not see it.
   * @param known the app, if it was read for the request, which the user may see then
   */
  loadApp(
    packageName: string,
    known: AppDefinition | undefined,
    done: (app: StoreResult<AppDefinition | undefined>) => void,
  ): void
  /** Accepts the permissions of an app that the user starts for the first time (PRM-23); later loads wait for it. */
  acceptFirstUse(packageName: string): void
  callWebhook(
    app: AppDefinition,
    call: WebhookCall,
    timeoutMs: number,
    done: (outcome: WebhookOutcome) => void,
  ): void
  /** Stores the app as running. @param since epoch milliseconds */
  saveRunningApp(app: AppDefinition, since: number, done: (stored: StoreResult) => void): void
  /** Deletes the row that stores the app as running. */
  deleteRunningApp(packageName: string, done: (stored: StoreResult) => void): void
  /**
   * Records that an app that was stored as running does not start in this session.
   * @param done receives whether that happened in so many sessions that it no longer counts as running
   */
  restoreFailed(packageName: string, done: (isLast: StoreResult<boolean>) => void): void
  /** Records that an app that was stored as running has connected in this session. */
  restoreSucceeded(packageName: string): void
  loadAppSettings(packageName: string, done: (settings: StoreResult<AppSettings>) => void): void
  loadPhoneSettings(done: (settings: StoreResult<PhoneSettings>) => void): void
  /** Stores OS settings and leaves the others unchanged. */
  saveOsSettings(changes: OsSettingChanges, done: (stored: StoreResult) => void): void
  /** Creates the upload target for a photo request. Synchronous: nothing is stored or called. */
  createPhotoTarget(packageName: string, requestId: string): PhotoTarget
  /** Converts a URL for use by the phone: a URL of this cloud gets the scheme that the cloud serves. Synchronous. */
  toPhoneUrl(url: string): string
  /** Notifies an app that its photo request failed. */
  reportPhotoError(packageName: string, error: PhotoError): void
  /** Messages between the sessions of one app with different users. */
  readonly appMessages: AppMessaging
  /** The streaming provider; undefined if none is configured. */
  readonly streaming?: SessionStreaming
  /** The speech-to-text providers; undefined if only the phone recognizes speech. */
  readonly speech?: SessionSpeech
  /** Why a configured streaming provider is not available. */
  readonly streamingProblem?: string
  /** Reports an exception in the session, which ends the session. Never throws. */
  sessionFailed(error: unknown): void
  /** Reports that the command `overview` may have changed. Never throws. */
  overviewChanged(): void
  /** Reports that other glasses are connected. Never throws. @param model null if there are none, or it is unknown */
  glassesChanged(model: string | null): void
  /** Called once, after everything else, when the session has ended. Never throws. */
  sessionEnded(): void
}

/** Returns a random number from 0 (inclusive) to 1 (exclusive). */
export type Random = () => number

/** Counts and logs an event of the session. Event names have a low cardinality; fields contain no personal data. */
export type SessionLog = (event: string, fields?: Readonly<Record<string, string | number | boolean>>) => void
