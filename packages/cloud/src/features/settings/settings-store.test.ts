import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Database } from '../../db/index.ts'
import { eachDatabase } from '../../db/testing.ts'
import { recordQueries } from '../../db/testing-queries.ts'
import { UserStore } from '../../identity/index.ts'
import { AppStore } from '../catalogue/index.ts'
import { SettingsStore, TooManySettingsError } from './settings-store.ts'

describe('settings', () => {
  eachDatabase(({ open }) => {
    test('SET-10: a merge with null', async (t) => {
      const { settings, ada, eve } = await setup(await open(t))
      assert.deepEqual(await settings.userSettings(ada), {})
      const values = { brightness: 50, name: 'Ä\0', flags: { a: [1, null] }, off: false, '': 'empty' }
      await settings.mergeUserSettings(ada, values, 1)
      assert.deepEqual(await settings.userSettings(ada), values)
      await settings.mergeUserSettings(ada, { brightness: 70, off: null, never: null }, 2)
      const { off: _, ...rest } = values
      assert.deepEqual(await settings.userSettings(ada), { ...rest, brightness: 70 })
      await settings.mergeUserSettings(ada, {}, 3)
      await settings.mergeUserSettings(ada, { flags: null }, 4)
      assert.equal('flags' in (await settings.userSettings(ada)), false)
      assert.deepEqual(await settings.userSettings(eve), {})
      await assert.rejects(settings.mergeUserSettings('unknown', { a: 1 }, 1))
    })

    test('SET-12: a merge beyond the limit executes no query, and null for unset keys deletes nothing', async (t) => {
      const db = await open(t)
      const { ada } = await setup(db)
      const recorded = recordQueries(db)
      const settings = new SettingsStore(recorded.db)
      const many = (value: unknown) =>
        Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`k${index}`, value]))
      await assert.rejects(settings.mergeUserSettings(ada, many(1), 1, 300), TooManySettingsError)
      assert.equal(recorded.queries.length, 0)
      await settings.mergeUserSettings(ada, { k1: 1, other: 2 }, 1, 300)
      const before = recorded.queries.length
      await settings.mergeUserSettings(ada, many(null), 2, 300)
      assert.deepEqual(await settings.userSettings(ada), { other: 2 })
      const deletes = recorded.queries.slice(before).filter(({ kind }) => kind === 'DeleteQueryNode')
      assert.equal(deletes.length, 1)
    })

    test('SET-10: concurrent merges lose no settings and do not deadlock', async (t) => {
      const { settings, ada } = await setup(await open(t))
      const merges = Array.from({ length: 20 }, (_, n) =>
        settings.mergeUserSettings(
          ada,
          n % 2 ? { a: n, b: null, [`k${n}`]: n } : { b: n, a: null, [`k${n}`]: n },
          n,
        ),
      )
      await Promise.all(merges)
      const kept = Object.keys(await settings.userSettings(ada))
      assert.equal(kept.filter((key) => key.startsWith('k')).length, 20)
    })

    test('SET-2: settings in an app are stored by user and app; null is a value', async (t) => {
      const { settings, ada, eve, app, other } = await setup(await open(t))
      await settings.putAppSettings(ada, app, { size: 'big', colour: null }, 1)
      await settings.putAppSettings(ada, app, { size: 'small', list: [1, 2] }, 2)
      await settings.putAppSettings(ada, app, {}, 3)
      assert.deepEqual(await settings.appSettings(ada, app), { size: 'small', colour: null, list: [1, 2] })
      assert.deepEqual(await settings.appSettings(eve, app), {})
      assert.deepEqual(await settings.appSettings(ada, other), {})
      await assert.rejects(settings.putAppSettings(ada, 'unknown', { a: 1 }, 1))
    })

    test('SET-12: no key of a setting changes the prototype of the result', async (t) => {
      const { settings, ada } = await setup(await open(t))
      await settings.mergeUserSettings(
        ada,
        JSON.parse('{"__proto__": {"polluted": true}, "constructor": 1}'),
        1,
      )
      const read = await settings.userSettings(ada)
      assert.equal(Object.getPrototypeOf(read), Object.prototype)
      assert.deepEqual(Object.keys(read).sort(), ['__proto__', 'constructor'])
      assert.equal('polluted' in read, false)
    })
  })
})

async function setup(db: Database) {
  const users = new UserStore(db)
  const register = async (packageName: string) =>
    (await new AppStore(db).register({ packageName, name: 'A', publicUrl: 'https://a.example.org' }, 1)).id
  return {
    settings: new SettingsStore(db),
    ada: (await users.findOrCreate('ada@example.com', 1)).id,
    eve: (await users.findOrCreate('eve@example.com', 1)).id,
    app: await register('a'),
    other: await register('b'),
  }
}
