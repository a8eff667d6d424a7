import type { Env } from './env.ts'
import { SETTING_GROUPS, type SettingName } from './settings/index.ts'

/** Where the value of a setting is from: the environment, the file `.env`, or its default. */
export type SettingSource = 'environment' | 'file' | 'default'

/** A setting with its value, for administrators. */
export interface SettingInForce {
  readonly name: string
  /** Title of its group. */
  readonly group: string
  /** Without passwords, `[set]` for a secret; null if it has none, or its default is known only while it is used. */
  readonly value: string | null
  readonly source: SettingSource
  /** Its default, as Markdown. */
  readonly fallback: string
  /** As Markdown. */
  readonly description: string
}

interface SettingSources {
  readonly env: Env
  /** Names that the file `.env` sets. */
  readonly fromFile: ReadonlySet<string>
  /** What was read, defaults included. */
  readonly values: ReadonlyMap<SettingName, unknown>
}

/** Describes every setting. Addresses lose user, password, query and fragment; secrets are only named as set. */
export function describeSettings({ env, fromFile, values }: SettingSources): SettingInForce[] {
  return SETTING_GROUPS.flatMap(({ title, settings }) =>
    Object.entries(settings).map(([name, { fallback, description, isSecret }]) => {
      const value = values.get(name as SettingName)
      const isSet = env[name] !== undefined && (env[name].trim() !== '' || Array.isArray(value))
      const source = !isSet ? 'default' : fromFile.has(name) ? 'file' : 'environment'
      const shown = isSecret === true ? (isSet ? '[set]' : null) : show(value)
      return { name, group: title, value: shown, source, fallback, description }
    }),
  )
}

function show(value: unknown): string | null {
  if (value === undefined || value === null) return null
  // Only lists have several entries: a password may contain a comma.
  const entries = Array.isArray(value) ? value : [value]
  return entries.map((entry) => withoutCredentials(String(entry))).join(', ') || null
}

function withoutCredentials(text: string): string {
  if (!text.includes('://')) return text
  const url = URL.parse(text)
  // Not shown rather than shown with a password.
  if (url === null) return '[set]'
  url.username = ''
  url.password = ''
  url.search = ''
  url.hash = ''
  return url.href
}
