import { Type } from 'typebox'
import { defineClientMessage, defineCloudMessage } from './define-message.ts'

const osSettings = Type.Record(Type.String(), Type.Unknown(), {
  description: 'Every OS setting, always whole',
})

/** The settings of an app as the app is told them. */
export const appSettingValues = Type.Array(
  Type.Object({
    key: Type.String(),
    value: Type.Optional(Type.Unknown({ description: "The user's, or the default" })),
  }),
  { description: 'All of them, always a list; what the app declared of each stands beside' },
)

/** What older phones and headless clients say of settings (glasses socket protocol, 2.1). */
export const settingsFromGlasses = {
  request_settings: defineClientMessage('request_settings', 'Asks for the OS settings.', {}),
  settings_update_request: defineClientMessage('settings_update_request', 'Asks for the OS settings.', {}),
  augmentos_settings_update_request: defineClientMessage(
    'augmentos_settings_update_request',
    'settings_update_request by its older name.',
    {},
  ),
  core_status_update: defineClientMessage(
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

/** What glasses are told of settings (glasses socket protocol, 2.2). */
export const settingsToGlasses = {
  settings_update: defineCloudMessage('settings_update', 'The OS settings, as they were asked for.', {
    sessionId: Type.String({ description: 'The user session id' }),
    settings: osSettings,
    success: Type.Optional(Type.Literal(true)),
    message: Type.Optional(Type.String()),
  }),
  augmentos_settings_update_error: defineCloudMessage(
    'augmentos_settings_update_error',
    'Settings that the glasses reported could not be stored; nothing changed.',
    { success: Type.Literal(false), message: Type.String() },
  ),
} as const

/** What apps are told of settings (app socket protocol, 2.2). */
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
