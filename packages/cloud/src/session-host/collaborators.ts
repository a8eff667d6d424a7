import type { AppLogEntry, PhotoError } from '@glasses-cloud/contract'
import type { Database } from '../db/index.ts'
import type { AppDefinition, PhotoTarget, SessionSpeech, SessionStreaming } from '../session/index.ts'
import type { WebhookResponse, WebhookTarget } from '../webhooks/index.ts'

/** An entry for the log of an app, as its developers see it; nothing that users say, see or send. */
export type AppLogFields = Omit<AppLogEntry, 'id' | 'at'>

/** Records what happens to apps, for their developers. Every method returns immediately and never throws. */
export interface AppRecorder {
  record(packageName: string, entry: AppLogFields): void
  /** Records that an app started for a user. */
  started(packageName: string, userId: string, entry: AppLogFields): void
}

/** The user of a session, as the catalogue knows users. */
interface UserRef {
  readonly id: string
  readonly email: string
}

/** Reads the apps that sessions run. */
export interface AppDirectory {
  /** Finds an app by its name, without what it may receive of a user. */
  findByPackage(
    packageName: string,
  ): Promise<Omit<AppDefinition, 'permissions' | 'permittedSince'> | undefined>
  /** Returns apps as they are for a user: with the permissions that are approved, and that the user accepted. */
  findFor(user: UserRef, packageNames: readonly string[]): Promise<readonly AppDefinition[]>
  /** Returns the package names of apps. */
  namesOf(ids: readonly string[]): Promise<readonly string[]>
  /** Whether the user may see an app. */
  isVisible(packageName: string, user: UserRef): Promise<boolean>
  /** Accepts the permissions of an app that the user may see and uses for the first time (PRM-23). */
  acceptFirstUse(packageName: string, user: UserRef): Promise<void>
  markReachable(packageName: string): Promise<void>
}

/** Locates app servers and records whether they respond. */
export interface AppServers {
  webhookTarget(app: Pick<AppDefinition, 'id' | 'publicUrl'>): Promise<WebhookTarget>
  recordServerHealth(
    app: Pick<AppDefinition, 'packageName' | 'unreachableSince'>,
    response: WebhookResponse,
  ): Promise<unknown>
}

/** Records when an app last started or stopped for a user. */
export interface AppActivity {
  /** @param db the transaction to write in, if any */
  touchLastActive(userId: string, appId: string, at: number, db?: Database): Promise<unknown>
}

type StoredSettings = Readonly<Record<string, unknown>>

/** Reads and writes the stored settings of users and of their apps. */
export interface SessionSettings {
  userSettings(userId: string): Promise<StoredSettings>
  /** @param db the transaction to write in, if any */
  mergeUserSettings(
    userId: string,
    settings: StoredSettings,
    now: number,
    limit?: number,
    db?: Database,
  ): Promise<void>
  appSettings(userId: string, appId: string): Promise<StoredSettings>
}

/** Issues upload targets for photo requests and reports failed photos to apps. Both return immediately. */
export interface PhotoTargets {
  target(userId: string, packageName: string, requestId: string): PhotoTarget
  fail(userId: string, packageName: string, error: PhotoError): void
}

/** Connects the sessions of a user to the streaming provider. */
export interface StreamingGateway {
  /** Why the configured streaming provider is not available, as a sentence; undefined otherwise. */
  readonly problem: string | undefined
  /** @returns undefined if no streaming provider is configured or available */
  forUser(userId: string): SessionStreaming | undefined
}

/** Connects sessions to the speech providers. */
export interface SessionSpeechGateway {
  /** @returns undefined if no provider is configured */
  forSession(): SessionSpeech | undefined
}
