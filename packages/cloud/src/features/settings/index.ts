export { AppSettings } from './app-settings.ts'
export { settingsEndpoints } from './endpoints.ts'
export { SettingsStore } from './settings-store.ts'
export { UserSettings } from './user-settings.ts'
