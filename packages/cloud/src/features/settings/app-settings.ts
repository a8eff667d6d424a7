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

/** How long an app server may take to be told of settings, in ms. */
const TELL_MS = 10_000

/** What the settings of apps work with. */
export interface AppSettingsParts {
  readonly store: SettingsStore
  readonly apiKeys: ApiKeyStore
  readonly catalogue: Catalogue
  readonly sessions: SessionDirectory
  readonly webhooks: WebhookClient
  readonly calls: KeyedQueue
  readonly log: Logger
  /** Ends the calls under way when the process goes down. */
  readonly signal: AbortSignal
  /** Epoch ms. */
  readonly now: () => number
}

/** One setting a user makes. */
export interface SettingChange {
  readonly key: string
  readonly value: unknown
}

/** What users set in apps: each app's own declarations, merged with the user's values and checked by their types. */
export class AppSettings {
  readonly #parts: AppSettingsParts
  /** Apps, as they were last seen, whose call waits for one under way. */
  readonly #waiting = new Map<string, App>()

  constructor(parts: AppSettingsParts) {
    this.#parts = parts
  }

  /** The settings page of an app for a user. */
  async page(user: User, app: App): Promise<SettingDeclaration[]> {
    return addSelectedValues(app.settings, await this.#parts.store.appSettings(user.id, app.id))
  }

  /**
   * Saves settings of a user in an app, all or none. Stored when it resolves, and sent to the app if it is connected.
   * @throws Fault with a sentence for a key the app does not declare, or a value of another type
   */
  async save(user: User, app: App, changes: readonly SettingChange[]): Promise<void> {
    const { store, now } = this.#parts
    for (const { key, value } of changes) {
      const problem = validateSetting(app.settings, key, value)
      if (problem !== undefined) throw fault('BAD_REQUEST', { message: problem })
    }
    if (changes.length === 0) return
    const settings = Object.fromEntries(changes.map(({ key, value }) => [key, value]))
    await store.putAppSettings(user.id, app.id, settings, now())
    await this.#announce(user, app)
  }

  /**
   * One way alone: the app SDK raises the same event for the message and for the call (app-socket.md §3.2).
   * What is stored is true whether the app hears of it or not.
   */
  async #announce(user: User, app: App): Promise<void> {
    const { sessions, calls, log } = this.#parts
    const { packageName } = app
    try {
      if (await (await sessions.find(user.id))?.appSettingsChanged(packageName)) return
    } catch (error) {
      log.error({ err: error, packageName }, 'a session was not told of changed settings')
    }
    // One call after another, each with what is stored by then: an app is left with the latest. A call that has not
    // begun says that for whoever comes meanwhile; so a server that hangs holds up one, not as many as there are saves.
    const key = `${user.id} ${app.id}`
    const isWaiting = this.#waiting.has(key)
    this.#waiting.set(key, app)
    if (isWaiting) return
    const call = () => {
      const latest = this.#waiting.get(key) ?? app
      this.#waiting.delete(key)
      return this.#call(user, latest)
    }
    calls
      .run(key, call)
      .catch((error: unknown) =>
        log.error({ err: error, packageName }, 'an app was not told of its settings'),
      )
  }

  /** An app that does not know the wearer has no business knowing of the wearer's choices. */
  async #call(user: User, app: App): Promise<void> {
    const { catalogue, apiKeys, webhooks, store, log, signal } = this.#parts
    const { id, packageName } = app
    if (!catalogue.isSystemApp(packageName) && !(await catalogue.hasInstalled(user, app))) return
    const settings: AppSettingValue[] = addSettingValues(app.settings, await store.appSettings(user.id, id))
    const answer = await webhooks.post(
      await webhookTarget(apiKeys, app),
      '/settings',
      { userIdForSettings: user.email, settings },
      { timeoutMs: TELL_MS, signal },
    )
    if (!answer.ok) log.warn({ packageName, code: answer.code }, 'an app was not told of its settings')
  }
}
