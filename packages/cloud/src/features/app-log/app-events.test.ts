import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { eachDatabase } from '../../db/testing.ts'
import { ApiKeyStore } from '../../identity/index.ts'
import { AppStore } from '../catalogue/app-store.ts'
import { AppLogStore } from './app-log-store.ts'

describe('events of apps', () => {
  eachDatabase(({ open }) => {
    test('ALOG-7: what happens to an app is recorded, whoever caused it, and deleted with the app', async (t) => {
      const db = await open(t)
      const [apps, keys, store] = [
        new AppStore(db),
        new ApiKeyStore(db, ['a secret of this cloud, which is long']),
        new AppLogStore(db),
      ]
      const manifest = { packageName: 'a', name: 'A', publicUrl: 'https://a.example.org' }
      const app = await apps.register({ ...manifest, permissions: [{ type: 'CAMERA' }] }, 1)
      const kinds = async () => (await store.eventsOf(app.id, 0)).map(({ kind }) => kind).sort()
      assert.deepEqual(await kinds(), [])
      await apps.changeStatus(app.id, ['DEVELOPMENT'], 'SUBMITTED', 2)
      await apps.changeStatus(app.id, ['SUBMITTED'], 'SUBMITTED', 3)
      await apps.changeStatus(app.id, ['SUBMITTED'], 'REJECTED', 4)
      await apps.publishUnreviewed(app.id, 5)
      await apps.changeStatus(app.id, ['PUBLISHED'], 'DEVELOPMENT', 6)
      await apps.markUnreachable('a', 7)
      await apps.markUnreachable('a', 8)
      await apps.markReachable('a')
      await keys.add(app.id, 'k1', 'signing1', 9)
      await keys.remove('k1')
      const recorded = ['key_made', 'key_revoked', 'published', 'rejected', 'server_down', 'server_up']
      assert.deepEqual(await kinds(), [...recorded, 'submitted', 'unpublished'])

      await db
        .insertInto('app_permissions')
        .values({ app_id: app.id, position: 1, type: 'MICROPHONE', description: null, declared_at: 10 })
        .execute()
      assert.ok((await kinds()).includes('permissions'))
      assert.deepEqual(await store.eventsOf(app.id, Date.now() + 60_000), [])

      const old = Array.from({ length: 600 }, (_, at) => ({ app_id: app.id, at, kind: 'server_up' as const }))
      await db.insertInto('app_events').values(old).execute()
      await store.removeBefore(0, 0)
      const left = await db.selectFrom('app_events').select('at').orderBy('at').execute()
      assert.deepEqual([left.length, left[0]?.at], [500, 108])
      await store.removeBefore(0, 1)
      const beforeDay = db.selectFrom('app_events').select('at').where('at', '<', 86_400_000)
      assert.deepEqual(await beforeDay.execute(), [])

      await keys.add(app.id, 'k2', 'signing2', 11)
      await apps.remove(app.id)
      assert.deepEqual(await db.selectFrom('app_events').selectAll().execute(), [])
    })
  })
})
