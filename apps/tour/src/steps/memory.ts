import type { SettingsChangeMap } from '@mentra/sdk'
import { expect, heard, type Step, wearerDoes } from '../step.ts'

/** What the wearer chose, and what the app keeps for the wearer. */
export const memory: readonly Step[] = [
  {
    name: 'settings',
    run: async ({ session }) => {
      const { settings } = session
      const fetched = await settings.fetch()
      const [all, same] = [settings.getAll(), session.getSettings()]
      expect(all.length === fetched.length && same.length === all.length, 'not the same settings everywhere')
      expect(settings.has('pace') && !settings.has('none'), 'other keys than declared')
      expect(settings.getSetting('pace')?.key === 'pace', 'a setting cannot be found by its key')
      return `pace ${session.getSetting('pace')}, loud ${settings.get('loud', true)}`
    },
  },
  {
    name: 'changed settings',
    run: async ({ session }) => {
      const { events, settings } = session
      // Streams may depend on settings; ours do not, so all of them stay.
      session.setSubscriptionSettings({
        updateOnChange: ['pace'],
        handler: () => events.getRegisteredStreams(),
      })
      const all = heard<SettingsChangeMap>('change', (hear) => settings.onChange(hear))
      const told = heard<unknown>('update', (hear) => events.onSettingsUpdate(hear))
      const byKey = heard<string>('new pace', (hear) => events.onSettingChange<string>('pace', hear))
      const pace = await wearerDoes<string>(session, 'Choose another pace', (hear) =>
        settings.onValueChange<string>('pace', hear),
      )
      const [changes] = await Promise.all([all, told, byKey])
      return `${Object.keys(changes).join(', ')} changed, pace is ${pace}`
    },
  },
  {
    name: 'settings of the phone',
    run: async ({ session }) => {
      const { settings } = session
      const before = settings.getMentraOS<number>('brightness')
      const after = await wearerDoes<number>(session, 'Make the lens brighter', (hear) =>
        settings.onMentraosChange<number>('brightness', hear),
      )
      return `brightness ${before}, then ${after}`
    },
  },
  {
    name: 'settings of its own',
    run: ({ session }) => {
      const declared = { type: 'toggle', key: 'echo', label: 'Echo', defaultValue: true }
      const config = { name: 'Tour', description: 'A tour', version: '1', settings: [declared] }
      session.loadConfigFromJson(JSON.stringify(config))
      expect(session.getConfig()?.name === 'Tour', 'the configuration is not kept')
      expect(session.getSettingSchema('echo') !== undefined, 'a declaration cannot be found by its key')
      return `${session.getDefaultSettings().length} declared`
    },
  },
  {
    name: 'storage',
    run: async ({ session }) => {
      const { simpleStorage: storage } = session
      await storage.set('colour', 'green')
      await storage.setMultiple({ shape: 'round', size: 'small' })
      // The SDK waits some seconds for more to store; flushing stores at once.
      await storage.flush()
      expect((await storage.get('colour')) === 'green', 'what was stored cannot be read')
      expect(await storage.hasKey('shape'), 'a key is missing')
      expect(await storage.delete('size'), 'a key cannot be deleted')
      const kept = await storage.getAllData()
      expect((await storage.size()) === Object.keys(kept).length, 'the size is not the number of keys')
      return (await storage.keys()).sort().join(', ')
    },
  },
  {
    name: 'emptied storage',
    run: async ({ session }) => {
      expect(await session.simpleStorage.clear(), 'the storage cannot be emptied')
      return `${await session.simpleStorage.size()} left`
    },
  },
]
