import {
  type AppSettingValue,
  addSelectedValues,
  addSettingValues,
  type SettingDeclaration,
  validateSetting,
} from '@glasses-cloud/contract'
import type { Logger } from 'pino'
import { fault } from '../../http/fault.ts'
import type { ApiKeyStore, User } from '../../identity/index.ts'
import type { KeyedQueue, SessionDirectory } from '../../session-host/index.ts'
import type { WebhookClient } from '../../webhooks/index.ts'
import { type App, type Catalogue, webhookTarget } from '../catalogue/index.ts'
import type { SettingsStore } from './settings-store.ts'

const WEBHOOK_TIMEOUT_MS = 10_000

export interface AppSettingsDeps {
  readonly store: SettingsStore
  readonly apiKeys: ApiKeyStore
  readonly catalogue: Catalogue
  readonly sessions: SessionDirectory
  readonly webhooks: WebhookClient
  /** Orders the webhook calls by user and app. */
  readonly calls: KeyedQueue
  readonly log: Logger
  /** Aborts pending webhook calls at shutdown. */
  readonly signal: AbortSignal
  /** Epoch ms. */
  readonly now: () => number
}

export interface SettingChange {
  readonly key: string
  readonly value: unknown
}

/** Users' settings in apps: validated by the declarations of the app and merged with them. */
export class AppSettings {
  readonly #deps: AppSettingsDeps
  /** Apps whose next webhook call is queued, as last read, by user and app. */
  readonly #waiting = new Map<string, App>()

  constructor(deps: AppSettingsDeps) {
    this.#deps = deps
  }

  /** Returns the declarations of an app with the user's values. */
  async page(user: User, app: App): Promise<SettingDeclaration[]> {
    return addSelectedValues(app.settings, await this.#deps.store.appSettings(user.id, app.id))
  }

  /**
   * Saves settings of a user in an app, all or none, and notifies the app.
   * @throws Fault for an undeclared key or a value of the wrong type
   */
  async save(user: User, app: App, changes: readonly SettingChange[]): Promise<void> {
    const { store, now } = this.#deps
    for (const { key, value } of changes) {
      const problem = validateSetting(app.settings, key, value)
      if (problem !== undefined) throw fault('BAD_REQUEST', { message: problem })
    }
    if (changes.length === 0) return
    const settings = Object.fromEntries(changes.map(({ key, value }) => [key, value]))
    await store.putAppSettings(user.id, app.id, settings, now())
    await this.#notifyApp(user, app)
  }

  /**
   * Notifies the app by its socket or by webhook, but not by both: the app SDK raises the same event for each
   * (app-socket.md §3.2). A failure is only logged, because the settings are stored.
   */
  async #notifyApp(user: User, app: App): Promise<void> {
    const { sessions, calls, log } = this.#deps
    const { packageName } = app
    try {
      if (await (await sessions.find(user.id))?.appSettingsChanged(packageName)) return
    } catch (error) {
      log.error(
        { err: error, packageName },
        'settings: session could not be notified of changed app settings',
      )
    }
    // Calls are sequential and read the settings when they start, so the last one sends the latest settings. A queued
    // call covers later changes as well: a server that hangs delays one call, not one for each change.
    const key = `${user.id} ${app.id}`
    const isWaiting = this.#waiting.has(key)
    this.#waiting.set(key, app)
    if (isWaiting) return
    const call = () => {
      const latest = this.#waiting.get(key) ?? app
      this.#waiting.delete(key)
      return this.#callServer(user, latest)
    }
    calls
      .run(key, call)
      .catch((error: unknown) =>
        log.error({ err: error, packageName }, 'settings: app server could not be notified'),
      )
  }

  /** Calls the app server, if the user has the app: other apps must not learn about the user. */
  async #callServer(user: User, app: App): Promise<void> {
    const { catalogue, apiKeys, webhooks, store, log, signal } = this.#deps
    const { id, packageName } = app
    if (!catalogue.isSystemApp(packageName) && !(await catalogue.hasInstalled(user, app))) return
    const settings: AppSettingValue[] = addSettingValues(app.settings, await store.appSettings(user.id, id))
    const response = await webhooks.post(
      await webhookTarget(apiKeys, app),
      '/settings',
      { userIdForSettings: user.email, settings },
      { timeoutMs: WEBHOOK_TIMEOUT_MS, signal, kind: 'settings' },
    )
    if (!response.ok)
      log.warn({ packageName, code: response.code }, 'settings: app server could not be notified')
  }
}
