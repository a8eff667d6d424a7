export { createSettings } from './feature.ts'
export { SettingsStore } from './settings-store.ts'
