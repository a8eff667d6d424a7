import type { Logger } from 'pino'
import type { Config } from '../../config/index.ts'
import type { Database } from '../../db/index.ts'
import type { Feature } from '../../feature.ts'
import type { ApiKeyStore } from '../../identity/index.ts'
import { type ExportSection, inPages } from '../../personal-data.ts'
import { KeyedQueue, type SessionDirectory } from '../../session-host/index.ts'
import type { WebhookClient } from '../../webhooks/index.ts'
import type { Catalogue } from '../catalogue/index.ts'
import { AppSettings } from './app-settings.ts'
import { settingsEndpoints } from './endpoints.ts'
import { SettingsStore } from './settings-store.ts'
import { UserSettings } from './user-settings.ts'

export { SettingsStore } from './settings-store.ts'

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
    endpoints: settingsEndpoints(endpointDeps),
    exportSections: [userSettingsExport(store), appSettingsExport(store)],
    close: () => calls.idle(),
  }
}

/** Exports the settings of the user's glasses and phone. */
function userSettingsExport(store: SettingsStore): ExportSection {
  return {
    name: 'settings',
    tables: ['user_settings'],
    facts: ({ id: userId }) =>
      inPages(
        (after, limit) => store.listUserSettings(userId, { after, limit }),
        ({ key }) => key,
      ),
  }
}

/** Exports the user's settings in apps, keyed `<packageName>/<key>`. */
function appSettingsExport(store: SettingsStore): ExportSection {
  return {
    name: 'appSettings',
    tables: ['app_settings'],
    async *facts({ id: userId }) {
      for (const app of await store.appsWithSettings(userId)) {
        const settings = inPages(
          (after, limit) => store.listAppSettings(userId, app.id, { after, limit }),
          ({ key }) => key,
        )
        for await (const setting of settings) yield { ...setting, key: `${app.packageName}/${setting.key}` }
      }
    },
  }
}
