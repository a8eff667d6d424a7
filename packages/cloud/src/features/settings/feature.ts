import type { Logger } from 'pino'
import type { Config } from '../../config/index.ts'
import type { Database } from '../../db/index.ts'
import type { Feature } from '../../feature.ts'
import type { ApiKeyStore } from '../../identity/index.ts'
import { KeyedQueue, type SessionDirectory } from '../../session-host/index.ts'
import type { WebhookClient } from '../../webhooks/index.ts'
import type { Catalogue } from '../catalogue/index.ts'
import { AppSettings } from './app-settings.ts'
import { getAppSettings } from './get-app-settings.ts'
import { getOwnSettings } from './get-own-settings.ts'
import { getUserSettings } from './get-user-settings.ts'
import { appSettingsExport, userSettingsExport } from './personal-data.ts'
import { saveAppSettings } from './save-app-settings.ts'
import { saveUserSettings } from './save-user-settings.ts'
import { SettingsStore } from './settings-store.ts'
import { deleteUserSetting, getUserSetting, putUserSetting } from './user-setting.ts'
import { UserSettings } from './user-settings.ts'

/** Collaborators of the settings. */
export interface SettingsDeps {
  readonly db: Database
  readonly config: Config
  readonly apiKeyStore: ApiKeyStore
  readonly catalogue: Catalogue
  readonly sessions: SessionDirectory
  readonly webhooks: WebhookClient
  readonly log: Logger
  /** Aborts calls of app servers when the cloud shuts down. */
  readonly signal: AbortSignal
  /** Epoch ms. */
  readonly now: () => number
}

/** Settings of apps (`/appsettings`) and of the user's glasses and phone (`/api/client/user/settings`). */
export function createSettings(deps: SettingsDeps): Feature & { readonly store: SettingsStore } {
  const { db, config, apiKeyStore, catalogue, sessions, webhooks, log, signal, now } = deps
  const store = new SettingsStore(db)
  const calls = new KeyedQueue()
  const userSettings = new UserSettings({ store, sessions, log, now })
  const appSettings = new AppSettings({
    store,
    apiKeys: apiKeyStore,
    catalogue,
    sessions,
    webhooks,
    calls,
    log,
    signal,
    now,
  })
  const endpointDeps = { appSettings, userSettings, catalogue, config, now }
  return {
    name: 'settings',
    store,
    endpoints: [
      getAppSettings(endpointDeps),
      saveAppSettings(endpointDeps),
      getOwnSettings(),
      getUserSettings(endpointDeps),
      ...saveUserSettings(endpointDeps),
      getUserSetting(endpointDeps),
      putUserSetting(endpointDeps),
      deleteUserSetting(endpointDeps),
    ],
    exportSections: [userSettingsExport(store), appSettingsExport(store)],
    close: () => calls.idle(),
  }
}
