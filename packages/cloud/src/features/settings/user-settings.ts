import { toStoredValue, USER_SETTING_LIMITS } from '@glasses-cloud/contract'
import type { Logger } from 'pino'
import { fault } from '../../http/fault.ts'
import { isRemoteFailure, type SessionDirectory } from '../../session-host/index.ts'
import { type Settings, type SettingsStore, TooManySettingsError } from './settings-store.ts'

export interface UserSettingsDeps {
  readonly store: SettingsStore
  readonly sessions: SessionDirectory
  readonly log: Logger
  /** Epoch ms. */
  readonly now: () => number
}

/** A setting that is not stored. */
export interface IgnoredSetting {
  /** Its key in the request. */
  readonly name: string
  /** A sentence. */
  readonly problem: string
}

/** Keys of phones by the key that other servers use for the same setting (glasses-socket.md §7). */
const ALIASES: Readonly<Record<string, string>> = { metric_system_enabled: 'metric_system' }

/**
 * Settings that phones store under their own keys; unknown keys are stored as well, because newer phones have more. OS
 * settings among them are applied to the live session.
 */
export class UserSettings {
  readonly #deps: UserSettingsDeps

  constructor(deps: UserSettingsDeps) {
    this.#deps = deps
  }

  /** Returns all settings of a user; one with an alias appears under both keys. */
  async all(userId: string): Promise<Settings> {
    const stored = await this.#deps.store.userSettings(userId)
    const more = Object.entries(ALIASES).flatMap(([alias, key]) =>
      Object.hasOwn(stored, key) ? [[alias, stored[key]] as const] : [],
    )
    return Object.fromEntries([...Object.entries(stored), ...more])
  }

  /**
   * Merges settings into those of a user; null deletes one.
   * @returns the settings that cannot be stored, which are left out
   * @throws Fault for too many settings; then nothing changes
   */
  async merge(userId: string, settings: Settings): Promise<readonly IgnoredSetting[]> {
    const { store, now } = this.#deps
    const entries: [key: string, value: unknown][] = []
    const ignored: IgnoredSetting[] = []
    for (const [name, value] of Object.entries(settings)) {
      if (isToken(name)) continue
      const key = (Object.hasOwn(ALIASES, name) ? ALIASES[name] : undefined) ?? name
      const stored = value === null ? null : toStoredValue(key, value)
      const problem = settingProblem(key, stored)
      if (problem === undefined) entries.push([key, stored])
      else ignored.push({ name, problem })
    }
    if (entries.length === 0) return ignored
    try {
      await store.mergeUserSettings(userId, Object.fromEntries(entries), now(), USER_SETTING_LIMITS.settings)
    } catch (error) {
      throw error instanceof TooManySettingsError ? fault('TOO_MANY_SETTINGS') : error
    }
    await this.#notifySession(userId)
    return ignored
  }

  /**
   * Applies the stored settings to the live session. If its node cannot be reached, it learns of them from the database. Another
   * failure is only logged.
   */
  async #notifySession(userId: string): Promise<void> {
    const { store, sessions, log } = this.#deps
    try {
      await (await sessions.find(userId))?.osSettingsChanged().catch(async (error: unknown) => {
        if (!isRemoteFailure(error)) throw error
        await store.announceUserSettings(userId)
      })
    } catch (error) {
      log.error({ err: error }, 'settings: session could not be notified of changed user settings')
    }
  }
}

/** Phones store even their core token (glasses-socket.md §7); it is dropped, because nothing reads it. */
function isToken(key: string): boolean {
  return key.toLowerCase() === 'core_token'
}

function settingProblem(key: string, value: unknown): string | undefined {
  const { key: maxKey, value: maxValue } = USER_SETTING_LIMITS
  if (!isValidKey(key))
    return `The key of a setting must have 1 to ${maxKey} characters, none of them a control character`
  if (value === undefined) return `${key} cannot be read`
  if (JSON.stringify(value).length > maxValue) return `${key} must have at most ${maxValue} characters`
  return undefined
}

/** Excludes control characters and lone surrogates, which PostgreSQL rejects. */
function isValidKey(key: string): boolean {
  return key !== '' && key.length <= USER_SETTING_LIMITS.key && !/\p{Cc}/u.test(key) && key.isWellFormed()
}
