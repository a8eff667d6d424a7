import type { SettingsChangeMap } from '@mentra/sdk'
import { expect, promptUser, type Step, waitForEvent } from '../step.ts'

/** Settings of the user, and storage of the app for the user. */
export const settingsAndStorage: readonly Step[] = [
  {
    name: 'settings',
    run: async ({ session }) => {
      const { settings } = session
      const fetched = await settings.fetch()
      const [all, same] = [settings.getAll(), session.getSettings()]
      expect(all.length === fetched.length && same.length === all.length, 'the settings differ')
      expect(settings.has('pace') && !settings.has('none'), 'the keys differ from the manifest')
      expect(settings.getSetting('pace')?.key === 'pace', 'getSetting does not find the key')
      return `pace ${session.getSetting('pace')}, loud ${settings.get('loud', true)}`
    },
  },
  {
    name: 'changed setting',
    run: async ({ session }) => {
      const { events, settings } = session
      // Subscriptions may depend on settings; these do not.
      session.setSubscriptionSettings({
        updateOnChange: ['pace'],
        handler: () => events.getRegisteredStreams(),
      })
      const all = waitForEvent<SettingsChangeMap>('change', (resolve) => settings.onChange(resolve))
      const update = waitForEvent<unknown>('update', (resolve) => events.onSettingsUpdate(resolve))
      const byKey = waitForEvent<string>('new pace', (resolve) =>
        events.onSettingChange<string>('pace', resolve),
      )
      const pace = await promptUser<string>(session, 'Change the setting “pace”', (resolve) =>
        settings.onValueChange<string>('pace', resolve),
      )
      const [changes] = await Promise.all([all, update, byKey])
      return `${Object.keys(changes).join(', ')} changed, pace is ${pace}`
    },
  },
  {
    name: 'phone settings',
    run: async ({ session }) => {
      const { settings } = session
      const before = settings.getMentraOS<number>('brightness')
      const after = await promptUser<number>(session, 'Increase the brightness', (resolve) =>
        settings.onMentraosChange<number>('brightness', resolve),
      )
      return `brightness ${before}, then ${after}`
    },
  },
  {
    name: 'settings schema',
    run: ({ session }) => {
      const declared = { type: 'toggle', key: 'echo', label: 'Echo', defaultValue: true }
      const config = { name: 'Tour', description: 'A tour', version: '1', settings: [declared] }
      session.loadConfigFromJson(JSON.stringify(config))
      expect(session.getConfig()?.name === 'Tour', 'the configuration is not loaded')
      expect(session.getSettingSchema('echo') !== undefined, 'getSettingSchema does not find the key')
      return `${session.getDefaultSettings().length} declared`
    },
  },
  {
    name: 'storage',
    run: async ({ session }) => {
      const { simpleStorage: storage } = session
      await storage.set('colour', 'green')
      await storage.setMultiple({ shape: 'round', size: 'small' })
      // The SDK batches writes for some seconds; flush writes immediately.
      await storage.flush()
      expect((await storage.get('colour')) === 'green', 'the stored value cannot be read')
      expect(await storage.hasKey('shape'), 'a key is missing')
      expect(await storage.delete('size'), 'a key cannot be deleted')
      const kept = await storage.getAllData()
      expect((await storage.size()) === Object.keys(kept).length, 'the size differs from the number of keys')
      return (await storage.keys()).sort().join(', ')
    },
  },
  {
    name: 'cleared storage',
    run: async ({ session }) => {
      expect(await session.simpleStorage.clear(), 'the storage cannot be cleared')
      return `${await session.simpleStorage.size()} left`
    },
  },
]
