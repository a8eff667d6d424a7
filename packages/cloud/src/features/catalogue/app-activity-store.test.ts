import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { eachDatabase } from '../../db/testing.ts'
import { UserStore } from '../../identity/index.ts'
import { AppActivityStore } from './app-activity-store.ts'
import { AppStore } from './app-store.ts'

const TIME = 1_800_000_000_000

describe('last uses of apps', () => {
  eachDatabase(({ open }) => {
    test('CAT-18: the last use of an app is stored per user, and deleted with user or app', async (t) => {
      const db = await open(t)
      const activity = new AppActivityStore(db)
      const apps = new AppStore(db)
      const users = new UserStore(db)
      const ada = await users.findOrCreate('ada@example.com', 1)
      const eve = await users.findOrCreate('eve@example.com', 1)
      const register = (packageName: string) =>
        apps.register({ packageName, name: `App ${packageName}`, publicUrl: 'https://a.example.org' }, 1)
      const a = await register('a')
      const b = await register('b')

      await activity.touchLastActive(ada.id, b.id, TIME)
      await activity.touchLastActive(ada.id, a.id, TIME + 1)
      await activity.touchLastActive(ada.id, a.id, TIME + 2)
      await activity.touchLastActive(eve.id, a.id, TIME)
      await activity.touchLastActive(ada.id, 'deleted', TIME)
      assert.deepEqual(
        await activity.mapByAppId(ada.id),
        new Map([
          [b.id, TIME],
          [a.id, TIME + 2],
        ]),
      )
      const whole = [
        { packageName: 'a', name: 'App a', lastActiveAt: TIME + 2 },
        { packageName: 'b', name: 'App b', lastActiveAt: TIME },
      ]
      assert.deepEqual(await activity.listNamed(ada.id, {}), whole)
      assert.deepEqual(await activity.listNamed(ada.id, { limit: 1 }), whole.slice(0, 1))
      assert.deepEqual(await activity.listNamed(ada.id, { after: 'a' }), whole.slice(1))
      await assert.rejects(activity.touchLastActive('nobody', a.id, TIME))

      await apps.remove(a.id)
      assert.deepEqual(await activity.mapByAppId(ada.id), new Map([[b.id, TIME]]))
      await users.remove(ada.id, 'hash', 2)
      assert.equal((await activity.mapByAppId(ada.id)).size, 0)
    })
  })
})
