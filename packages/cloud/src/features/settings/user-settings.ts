import { USER_SETTING_LIMITS, validateOsSetting } from '@glasses-cloud/contract'
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
   * Merges settings into those of a user, all or none; null deletes one.
   * @throws Fault for an invalid key or value, or too many settings
   */
  async merge(userId: string, settings: Settings): Promise<void> {
    const { store, now } = this.#deps
    const entries = Object.entries(settings)
      .filter(([key]) => !isToken(key))
      .map(
        ([key, value]) => [(Object.hasOwn(ALIASES, key) ? ALIASES[key] : undefined) ?? key, value] as const,
      )
    for (const [key, value] of entries) {
      const problem = settingProblem(key, value)
      if (problem !== undefined) throw fault('BAD_REQUEST', { message: problem })
    }
    if (entries.length === 0) return
    try {
      await store.mergeUserSettings(userId, Object.fromEntries(entries), now(), USER_SETTING_LIMITS.settings)
    } catch (error) {
      throw error instanceof TooManySettingsError ? fault('TOO_MANY_SETTINGS') : error
    }
    await this.#notifySession(userId)
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
  if (value === null) return undefined
  if (JSON.stringify(value).length > maxValue) return `${key} must have at most ${maxValue} characters`
  const problem = validateOsSetting(key, value)
  return problem && `${key} ${problem}`
}

/** Excludes control characters and lone surrogates, which PostgreSQL rejects. */
function isValidKey(key: string): boolean {
  return key !== '' && key.length <= USER_SETTING_LIMITS.key && !/\p{Cc}/u.test(key) && key.isWellFormed()
}
