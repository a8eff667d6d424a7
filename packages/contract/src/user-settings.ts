import { Type } from 'typebox'
import { anyPart } from './tolerant-reader.ts'

/** Maximum number of settings of a user, characters of a key, and characters of a value as JSON. */
export const USER_SETTING_LIMITS = { settings: 300, key: 200, value: 20_000 } as const

const timestamp = Type.String({ format: 'date-time' })
const settings = Type.Record(Type.String(), Type.Unknown())

/** Bounds the work of a request, which may replace all settings of a user. */
const MAX_CHANGED_SETTINGS = 2 * USER_SETTING_LIMITS.settings

/** Schema of the body of `PUT /api/client/user/settings`. */
export const userSettingsBody = Type.Object(
  {
    settings: {
      ...settings,
      maxProperties: MAX_CHANGED_SETTINGS,
      description: 'Merged into the stored settings; null deletes a setting',
    },
  },
  { title: 'UserSettingsChange', ...anyPart },
)

/** Schema of the body of `PUT /api/client/user/settings/key/:key`. */
export const userSettingBody = Type.Object(
  { value: Type.Unknown({ description: 'null deletes the setting' }) },
  { title: 'UserSettingValue' },
)

const responseWith = <Data extends Parameters<typeof Type.Object>[0]>(data: Data, title: string) =>
  Type.Object({ success: Type.Literal(true), data: Type.Object(data), timestamp }, { title })

/** Schema of the response with all settings of a user. */
export const userSettingsResponse = responseWith({ settings }, 'UserSettings')

/** Schema of the response to changed settings: all settings of the user. */
export const changedUserSettingsResponse = responseWith({ settings }, 'UserSettingsChanged')

/** Schema of the response with one setting. */
export const userSettingResponse = responseWith(
  { key: Type.String(), value: Type.Unknown(), exists: Type.Boolean() },
  'UserSetting',
)

/** Schema of the response to a saved setting. */
export const saveUserSettingResponse = responseWith(
  { key: Type.String(), value: Type.Unknown() },
  'UserSettingSaved',
)

/** Schema of the response to a deleted setting. */
export const deleteUserSettingResponse = responseWith(
  { key: Type.String(), deleted: Type.Literal(true) },
  'UserSettingDeleted',
)
