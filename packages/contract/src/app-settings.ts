import { Type } from 'typebox'
import { developerProfile } from './apps.ts'
import { permission } from './permissions.ts'

/** Longest value of a setting, in characters of its JSON. */
export const MAX_SETTING_LENGTH = 20_000

/** Most settings that one call may save. */
export const MAX_SETTINGS_PER_REQUEST = 200

/** A setting as an app declares it (app socket protocol, 2.9). */
export type SettingDeclaration = Readonly<Record<string, unknown>>

/** A declaration with the value that counts for one user. */
export type AppSettingValue = SettingDeclaration & { readonly key: string; readonly value?: unknown }

/** Schema of one setting that a user makes in an app. */
export const settingChange = Type.Object(
  { key: Type.String({ minLength: 1, maxLength: 200 }), value: Type.Unknown() },
  { title: 'SettingChange' },
)

/** Schema of the body of `POST /appsettings/:packageName`: one setting, or a list of them. */
export const settingChanges = Type.Union([
  settingChange,
  Type.Array(settingChange, { maxItems: MAX_SETTINGS_PER_REQUEST }),
])

const declaration = Type.Record(Type.String(), Type.Unknown(), {
  description: 'The declaration of the app; `selected` is the value that counts',
})

/** Schema of the answer to `GET /appsettings/:packageName`. */
export const appSettingsPage = Type.Object(
  {
    success: Type.Literal(true),
    userId: Type.String({ description: 'E-mail' }),
    name: Type.String(),
    description: Type.String(),
    uninstallable: Type.Boolean(),
    webviewURL: Type.String({ description: 'Empty without one' }),
    version: Type.String(),
    settings: Type.Array(declaration),
    permissions: Type.Array(permission),
    organization: Type.Union([
      Type.Null(),
      Type.Object({ name: Type.String(), ...developerProfile.properties }),
    ]),
  },
  { title: 'AppSettingsPage' },
)

/** Schema of the answer to `GET /appsettings/user/:packageName`. */
export const appSettingValues = Type.Object(
  {
    success: Type.Literal(true),
    settings: Type.Array(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'The declaration of the app, with `key` and `value`',
      }),
    ),
  },
  { title: 'AppSettingValues' },
)

/**
 * The settings an app is given: its own declarations, each with a `value` filled in. The app SDK reads nothing else
 * (app socket protocol, 1.4). What only arranges the page, such as a group, has no key and is left out.
 */
export function addSettingValues(
  declared: readonly SettingDeclaration[],
  values: Readonly<Record<string, unknown>>,
): AppSettingValue[] {
  return declared.flatMap((setting) => {
    const { key } = setting
    return isSettable(setting) && typeof key === 'string'
      ? [{ ...setting, key, value: resolveValue(setting, key, values) }]
      : []
  })
}

/** The settings page of an app: its own declarations, with the value that counts as `selected` where there is one. */
export function addSelectedValues(
  declared: readonly SettingDeclaration[],
  values: Readonly<Record<string, unknown>>,
): SettingDeclaration[] {
  return declared.map((setting) => {
    const { key } = setting
    if (!isSettable(setting) || typeof key !== 'string') return setting
    return { ...setting, selected: resolveValue(setting, key, values) }
  })
}

/**
 * What is wrong with a value for a setting of an app, as a sentence; nothing if it may be saved. An app may declare
 * types that are not known here: of those every value is taken.
 */
export function validateSetting(
  declared: readonly SettingDeclaration[],
  key: string,
  value: unknown,
): string | undefined {
  const setting = declared.find((candidate) => candidate.key === key && isSettable(candidate))
  if (!setting) return `${truncate(key)} is not a setting of this app`
  const problem = validateSettingValue(setting, value)
  return problem && `${truncate(key)} ${problem}`
}

function isSettable({ type }: SettingDeclaration): boolean {
  return type !== 'group' && type !== 'titleValue'
}

/** A stored value counts while it fits: the app may have changed its declaration since. */
function resolveValue(
  setting: SettingDeclaration,
  key: string,
  values: Readonly<Record<string, unknown>>,
): unknown {
  const stored = Object.hasOwn(values, key) ? values[key] : undefined
  return stored !== undefined && validateSettingValue(setting, stored) === undefined
    ? stored
    : setting.defaultValue
}

/** What is wrong with a value for a setting, without the setting's name: `must be true or false`. */
export function validateSettingValue(setting: SettingDeclaration, value: unknown): string | undefined {
  const { type } = setting
  if (JSON.stringify(value).length > MAX_SETTING_LENGTH)
    return `must have at most ${MAX_SETTING_LENGTH} characters`
  switch (type) {
    case 'toggle':
      return typeof value === 'boolean' ? undefined : 'must be true or false'
    case 'text':
    case 'text_no_save_button':
      return typeof value === 'string' ? undefined : 'must be a text'
    case 'select':
    case 'select_with_search':
      return isOption(setting, value) ? undefined : 'must be one of its options'
    case 'multiselect':
      return Array.isArray(value) && hasNoDuplicates(value) && value.every((one) => isOption(setting, one))
        ? undefined
        : 'must be a list of its options, each at most once'
    case 'slider':
    case 'numeric_input':
      return typeof value === 'number' ? validateRange(setting, value) : 'must be a number'
    case 'time_picker':
      return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 86_400
        ? undefined
        : 'must be a time of day: whole seconds since midnight, 0 to 86399'
    default:
      return undefined
  }
}

function validateRange({ min, max }: SettingDeclaration, value: number): string | undefined {
  if (typeof min === 'number' && value < min) return `must be ${min} or more`
  if (typeof max === 'number' && value > max) return `must be ${max} or less`
  return undefined
}

function isOption({ options }: SettingDeclaration, value: unknown): boolean {
  if (!Array.isArray(options)) return false
  const json = JSON.stringify(value)
  return options.some(
    (option) => typeof option === 'object' && option !== null && JSON.stringify(option.value) === json,
  )
}

function hasNoDuplicates(values: readonly unknown[]): boolean {
  return new Set(values.map((value) => JSON.stringify(value))).size === values.length
}

/** A key the caller made up does not fill the answer. */
function truncate(key: string): string {
  return key.length > 50 ? `${key.slice(0, 50)}…` : key
}
