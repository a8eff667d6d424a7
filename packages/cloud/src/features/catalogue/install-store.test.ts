import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Database } from '../../db/index.ts'
import { eachDatabase } from '../../db/testing.ts'
import { UserStore } from '../../identity/index.ts'
import { AppStore } from './app-store.ts'
import { InstallStore } from './install-store.ts'

describe('installs', () => {
  eachDatabase(({ open }) => {
    test('LIFE-2: an app is installed once, and install reports whether it was new', async (t) => {
      const { installs, ada, a } = await setup(await open(t))
      const results = await Promise.all(
        Array.from({ length: 10 }, (_, n) => installs.install(ada.id, a.id, n + 1)),
      )
      assert.equal(results.filter(Boolean).length, 1)
      const at = results.indexOf(true) + 1
      assert.deepEqual(await installs.find(ada.id, a.id), { appId: a.id, installedAt: at })
      assert.equal(await installs.uninstall(ada.id, a.id), true)
      assert.equal(await installs.uninstall(ada.id, a.id), false)
      assert.equal(await installs.find(ada.id, a.id), undefined)
      assert.equal(await installs.install(ada.id, a.id, 20), true)
      await assert.rejects(installs.install(ada.id, 'unknown', 1))
      await assert.rejects(installs.install('unknown', a.id, 1))
    })

    test('CAT-28: installed apps are listed with their times, by package name, in pages', async (t) => {
      const { installs, ada, eve, a, b } = await setup(await open(t))
      await installs.install(ada.id, b.id, 5)
      await installs.install(ada.id, a.id, 6)
      await installs.install(eve.id, a.id, 7)
      const whole = [
        { packageName: a.packageName, name: a.name, appId: a.id, installedAt: 6 },
        { packageName: b.packageName, name: b.name, appId: b.id, installedAt: 5 },
      ]
      assert.deepEqual(await installs.listNamed(ada.id, {}), whole)
      assert.deepEqual(await installs.listNamed(ada.id, { limit: 1 }), whole.slice(0, 1))
      assert.deepEqual(await installs.listNamed(ada.id, { after: 'a' }), whole.slice(1))
      assert.deepEqual([...(await installs.mapByAppId(eve.id)).keys()], [a.id])
    })

    test('DEL-2: the installs of a deleted user are deleted', async (t) => {
      const { db, installs, ada, a } = await setup(await open(t))
      await installs.install(ada.id, a.id, 1)
      await new UserStore(db).remove(ada.id, 'hash', 2)
      assert.equal((await installs.mapByAppId(ada.id)).size, 0)
    })
  })
})

async function setup(db: Database) {
  const apps = new AppStore(db)
  const users = new UserStore(db)
  const register = (packageName: string) =>
    apps.register({ packageName, name: packageName, publicUrl: 'https://a.example.org' }, 1)
  return {
    db,
    installs: new InstallStore(db),
    ada: await users.findOrCreate('ada@example.com', 1),
    eve: await users.findOrCreate('eve@example.com', 1),
    a: await register('a'),
    b: await register('b'),
  }
}
