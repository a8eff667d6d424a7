import { Type } from 'typebox'
import { developerProfile } from './apps.ts'
import { permission } from './permissions.ts'
import { cutText } from './text.ts'

/** Maximum length of a setting's value, in characters of its JSON. */
export const MAX_SETTING_LENGTH = 20_000

export const MAX_SETTINGS_PER_REQUEST = 200

/** A setting as an app declares it (app-socket.md §2.9). */
export type SettingDeclaration = Readonly<Record<string, unknown>>

/** A declaration with the effective value for one user. */
export type AppSettingValue = SettingDeclaration & { readonly key: string; readonly value?: unknown }

/** Schema of a change to one setting of an app. */
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
  description: 'The declaration of the app; `selected` is the effective value',
})

/** Schema of the response of `GET /appsettings/:packageName`. */
export const appSettingsPage = Type.Object(
  {
    success: Type.Literal(true),
    userId: Type.String({ description: 'E-mail' }),
    name: Type.String(),
    description: Type.String(),
    uninstallable: Type.Boolean(),
    webviewURL: Type.String({ description: 'Empty if the app has none' }),
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

/** Schema of the response of `GET /appsettings/user/:packageName`. */
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
 * Adds the effective `value` to each declaration, in the form that apps receive (app-socket.md §1.4). Entries that
 * only structure the settings page, such as groups, are omitted.
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

/** Adds the effective value to each declaration as `selected`, for the settings page of an app. */
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
 * Validates a value for a setting of an app. Settings of an unknown type accept every value.
 * @returns the problem as a sentence; undefined if the value is valid
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

/** Falls back to the default if the stored value is invalid: the app may have changed its declaration since. */
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

/**
 * Validates a value for a declared setting.
 * @returns the problem as a predicate, such as `must be true or false`; undefined if the value is valid
 */
export function validateSettingValue(setting: SettingDeclaration, value: unknown): string | undefined {
  const { type } = setting
  if (JSON.stringify(value).length > MAX_SETTING_LENGTH)
    return `must have at most ${MAX_SETTING_LENGTH} characters`
  switch (type) {
    case 'toggle':
      return typeof value === 'boolean' ? undefined : 'must be true or false'
    case 'text':
    case 'text_no_save_button':
      return typeof value === 'string' ? undefined : 'must be a string'
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

/** Keeps long keys of a client from filling the error message. */
function truncate(key: string): string {
  return key.length > 50 ? `${cutText(key, 50)}…` : key
}
