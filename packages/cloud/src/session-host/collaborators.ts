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

/** Reads the apps that sessions run. */
export interface AppDirectory {
  findByPackage(packageName: string): Promise<AppDefinition | undefined>
  findByPackages(packageNames: readonly string[]): Promise<readonly AppDefinition[]>
  findByIds(ids: readonly string[]): Promise<readonly AppDefinition[]>
  /** Finds an app if the user may see it. */
  findVisible(
    packageName: string,
    user: { readonly id: string; readonly email: string },
  ): Promise<AppDefinition | undefined>
  markReachable(packageName: string): Promise<void>
}

/** Locates app servers and records whether they respond. */
export interface AppServers {
  webhookTarget(app: AppDefinition): Promise<WebhookTarget>
  recordServerHealth(app: AppDefinition, response: WebhookResponse): Promise<unknown>
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
  fail(packageName: string, error: PhotoError): void
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
