import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { eachDatabase } from '../db/testing.ts'
import { AppStore } from '../features/catalogue/index.ts'
import { UserStore } from '../identity/index.ts'
import { RunningAppStore } from './running-app-store.ts'

describe('running apps', () => {
  eachDatabase(({ open }) => {
    test('APS-22: a running app is stored for its user until it is cleared', async (t) => {
      const db = await open(t)
      const running = new RunningAppStore(db)
      const ada = await new UserStore(db).findOrCreate('ada@example.com', 1)
      const eve = await new UserStore(db).findOrCreate('eve@example.com', 1)
      for (const packageName of ['a', 'b'])
        await new AppStore(db).register({ packageName, name: 'A', publicUrl: 'https://a.example.org' }, 1)
      await running.setRunning(ada.id, 'b', 1_700_000_000_001)
      await Promise.all([2, 2, 2].map((n) => running.setRunning(ada.id, 'a', 1_700_000_000_000 + n)))
      await running.setRunning(eve.id, 'a', 5)
      assert.deepEqual(await running.runningOf(ada.id), [
        { packageName: 'b', since: 1_700_000_000_001, failedSessions: 0 },
        { packageName: 'a', since: 1_700_000_000_002, failedSessions: 0 },
      ])
      await running.setRunning(ada.id, 'b', 1_700_000_000_003)
      assert.equal(
        (await running.runningOf(ada.id)).at(-1)?.packageName,
        'b',
        'a later start replaces the time',
      )
      await running.clearRunning(ada.id, 'a')
      await running.clearRunning(ada.id, 'a')
      assert.deepEqual(await running.runningOf(ada.id), [
        { packageName: 'b', since: 1_700_000_000_003, failedSessions: 0 },
      ])
      assert.equal((await running.runningOf(eve.id)).length, 1)
    })

    test('APS-30: apps that could not be started come last, until they are started again', async (t) => {
      const db = await open(t)
      const running = new RunningAppStore(db)
      const ada = await new UserStore(db).findOrCreate('ada@example.com', 1)
      for (const [index, packageName] of ['a', 'b'].entries()) {
        await new AppStore(db).register({ packageName, name: 'A', publicUrl: 'https://a.example.org' }, 1)
        await running.setRunning(ada.id, packageName, index)
      }
      const listed = async () =>
        (await running.runningOf(ada.id)).map((app) => [app.packageName, app.failedSessions])
      await running.setFailedSessions(ada.id, 'a', 2)
      assert.deepEqual(await listed(), [
        ['b', 0],
        ['a', 2],
      ])
      await running.setRunning(ada.id, 'a', 0)
      assert.deepEqual(await listed(), [
        ['a', 0],
        ['b', 0],
      ])
    })

    test('APS-22: storing an unknown app or user as running throws', async (t) => {
      const db = await open(t)
      const running = new RunningAppStore(db)
      const ada = await new UserStore(db).findOrCreate('ada@example.com', 1)
      await assert.rejects(running.setRunning(ada.id, 'none', 1), /App none does not exist/)
      await new AppStore(db).register({ packageName: 'a', name: 'A', publicUrl: 'https://a.example.org' }, 1)
      await assert.rejects(running.setRunning('nobody', 'a', 1))
    })
  })
})
