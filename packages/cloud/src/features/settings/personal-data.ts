import { type ExportSection, inPages } from '../../personal-data.ts'
import type { SettingsStore } from './settings-store.ts'

/** Exports the settings of the user's glasses and phone. */
export function userSettingsExport(store: SettingsStore): ExportSection {
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
export function appSettingsExport(store: SettingsStore): ExportSection {
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
