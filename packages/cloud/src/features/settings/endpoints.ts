import { getAppSettings } from './get-app-settings.ts'
import { getOwnSettings } from './get-own-settings.ts'
import { getUserSettings } from './get-user-settings.ts'
import { saveAppSettings } from './save-app-settings.ts'
import { saveUserSettings } from './save-user-settings.ts'
import { deleteUserSetting, getUserSetting, putUserSetting } from './user-setting.ts'

/** Endpoints of settings: those of apps, and those a phone keeps. */
export const settingsEndpoints = [
  getAppSettings,
  saveAppSettings,
  getOwnSettings,
  getUserSettings,
  ...saveUserSettings,
  getUserSetting,
  putUserSetting,
  deleteUserSetting,
]
