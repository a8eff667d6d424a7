import { Type } from 'typebox'

/** How much a user may store: settings, characters of a key, characters of a value's JSON. */
export const USER_SETTING_LIMITS = { settings: 300, key: 200, value: 20_000 } as const

const timestamp = Type.String({ format: 'date-time' })
const settings = Type.Record(Type.String(), Type.Unknown())

/** Schema of the body of `PUT /api/client/user/settings`. */
export const userSettingsBody = Type.Object(
  { settings: { ...settings, description: 'Merged into what is stored; null removes a setting' } },
  { title: 'UserSettingsChange' },
)

/** Schema of the body of `PUT /api/client/user/settings/key/:key`. */
export const userSettingBody = Type.Object(
  { value: Type.Unknown({ description: 'null removes the setting' }) },
  { title: 'UserSettingValue' },
)

const responseWith = <Data extends Parameters<typeof Type.Object>[0]>(data: Data, title: string) =>
  Type.Object({ success: Type.Literal(true), data: Type.Object(data), timestamp }, { title })

/** Schema of an answer with every setting of a user. */
export const userSettingsResponse = responseWith({ settings }, 'UserSettings')

/** Schema of an answer with one setting. */
export const userSettingResponse = responseWith(
  { key: Type.String(), value: Type.Unknown(), exists: Type.Boolean() },
  'UserSetting',
)

/** Schema of the answer to a setting that was saved. */
export const saveUserSettingResponse = responseWith(
  { key: Type.String(), value: Type.Unknown() },
  'UserSettingSaved',
)

/** Schema of the answer to a setting that was removed. */
export const deleteUserSettingResponse = responseWith(
  { key: Type.String(), deleted: Type.Literal(true) },
  'UserSettingDeleted',
)
