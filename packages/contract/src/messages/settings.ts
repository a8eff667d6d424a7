import { Type } from 'typebox'
import { defineCloudMessage, defineGlassesMessage } from './define-message.ts'

const osSettings = Type.Record(Type.String(), Type.Unknown(), {
  description: 'All OS settings',
})

/** Schema of the settings of an app, as apps receive them. */
export const appSettingValues = Type.Array(
  Type.Object({
    key: Type.String(),
    value: Type.Optional(Type.Unknown({ description: 'Set by the user, or the default' })),
  }),
  { description: 'All settings of the app, each with its declaration' },
)

/** Settings messages from older phones and headless clients (glasses-socket.md §2.1). */
export const settingsFromGlasses = {
  request_settings: defineGlassesMessage('request_settings', 'Requests the OS settings.', {}),
  settings_update_request: defineGlassesMessage('settings_update_request', 'Requests the OS settings.', {}),
  augmentos_settings_update_request: defineGlassesMessage(
    'augmentos_settings_update_request',
    'Older name of settings_update_request.',
    {},
  ),
  core_status_update: defineGlassesMessage(
    'core_status_update',
    'Settings and model of the glasses, sent every 10 s.',
    {
      status: Type.Object(
        {},
        { description: '{ status: { core_info, connected_glasses, glasses_settings } }' },
      ),
    },
  ),
} as const

/** Settings messages to glasses (glasses-socket.md §2.2). */
export const settingsToGlasses = {
  settings_update: defineCloudMessage('settings_update', 'The OS settings, as requested.', {
    sessionId: Type.String({ description: 'The user session id' }),
    settings: osSettings,
    success: Type.Optional(Type.Literal(true)),
    message: Type.Optional(Type.String()),
  }),
  augmentos_settings_update_error: defineCloudMessage(
    'augmentos_settings_update_error',
    'Settings reported by the glasses could not be stored; nothing changed.',
    { success: Type.Literal(false), message: Type.String() },
  ),
} as const

/** Settings messages to apps (app-socket.md §2.2). */
export const settingsToApps = {
  settings_update: defineCloudMessage('settings_update', 'The settings of the app changed.', {
    packageName: Type.String(),
    sessionId: Type.String({ description: 'The app session' }),
    settings: appSettingValues,
  }),
  augmentos_settings_update: defineCloudMessage('augmentos_settings_update', 'An OS setting changed.', {
    sessionId: Type.String({ description: 'The app session' }),
    settings: osSettings,
  }),
} as const
