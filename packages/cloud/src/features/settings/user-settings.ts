import { USER_SETTING_LIMITS, validateOsSetting } from '@glasses-cloud/contract'
import type { Logger } from 'pino'
import { fault } from '../../http/fault.ts'
import type { SessionDirectory } from '../../session-host/index.ts'
import { type Settings, type SettingsStore, TooManySettings } from './settings-store.ts'

/** What the settings of users work with. */
export interface UserSettingsParts {
  readonly store: SettingsStore
  readonly sessions: SessionDirectory
  readonly log: Logger
  /** Epoch ms. */
  readonly now: () => number
}

/** The key a phone uses, by what servers of this ecosystem call the same setting (gotcha 22). */
const aliases: Readonly<Record<string, string>> = { metric_system_enabled: 'metric_system' }

/**
 * The settings that phones keep here, under the phones' own keys. Keys that nobody here knows are kept as well: newer
 * phones have more of them. Those that make an OS setting reach the live session once they are stored.
 */
export class UserSettings {
  readonly #parts: UserSettingsParts

  constructor(parts: UserSettingsParts) {
    this.#parts = parts
  }

  /** Every setting of a user. One with an alias stands under both names. */
  async all(userId: string): Promise<Settings> {
    const stored = await this.#parts.store.userSettings(userId)
    const more = Object.entries(aliases).flatMap(([alias, key]) =>
      Object.hasOwn(stored, key) ? [[alias, stored[key]] as const] : [],
    )
    return Object.fromEntries([...Object.entries(stored), ...more])
  }

  /**
   * Merges settings into those of a user; null removes one. Stored when it resolves.
   * @throws Fault with a sentence for what may not be stored; nothing is changed then
   */
  async merge(userId: string, settings: Settings): Promise<void> {
    const { store, now } = this.#parts
    const entries = Object.entries(settings)
      .filter(([key]) => !isSecret(key))
      .map(
        ([key, value]) => [(Object.hasOwn(aliases, key) ? aliases[key] : undefined) ?? key, value] as const,
      )
    for (const [key, value] of entries) {
      const problem = settingProblem(key, value)
      if (problem !== undefined) throw fault('BAD_REQUEST', { message: problem })
    }
    if (entries.length === 0) return
    try {
      await store.mergeUserSettings(userId, Object.fromEntries(entries), now(), USER_SETTING_LIMITS.settings)
    } catch (error) {
      throw error instanceof TooManySettings ? fault('TOO_MANY_SETTINGS') : error
    }
    await this.#announce(userId)
  }

  /** What is stored is true whether a session hears of it or not. */
  async #announce(userId: string): Promise<void> {
    const { sessions, log } = this.#parts
    try {
      await (await sessions.find(userId))?.osSettingsChanged()
    } catch (error) {
      log.error({ err: error }, 'a session was not told of changed settings')
    }
  }
}

/** Phones store even their own token (gotcha 23). A database is no place for it, and nobody reads it back. */
function isSecret(key: string): boolean {
  return key.toLowerCase() === 'core_token'
}

function settingProblem(key: string, value: unknown): string | undefined {
  const { key: maxKey, value: maxValue } = USER_SETTING_LIMITS
  if (!isKey(key))
    return `The key of a setting must have 1 to ${maxKey} characters, none of them a control character`
  if (value === null) return undefined
  if (JSON.stringify(value).length > maxValue) return `${key} must have at most ${maxValue} characters`
  const problem = validateOsSetting(key, value)
  return problem && `${key} ${problem}`
}

/** Text that every database takes: no NUL, no half of a surrogate pair. */
function isKey(key: string): boolean {
  return key !== '' && key.length <= USER_SETTING_LIMITS.key && !/\p{Cc}/u.test(key) && key.isWellFormed()
}
