import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { pino } from 'pino'
import { eachDatabase } from '../../db/testing.ts'
import { ApiKeyStore } from '../../identity/index.ts'
import { VirtualClock } from '../../time/testing/virtual-clock.ts'
import { AppStore } from '../catalogue/app-store.ts'
import { AppLog, entryIdAt } from './app-log.ts'
import { AppLogStore, type StoredEntry } from './app-log-store.ts'
import { followLog } from './follow-log.ts'

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

test('ALOG-4: a client that stopped reading receives no later entries once it has lost its access', async () => {
  const clock = new VirtualClock(1_700_000_000_000)
  const at = clock.now()
  const fields = { level: 'info', kind: 'socket', event: 'opened' } as const
  const entries: StoredEntry[] = Array.from({ length: 250 }, (_, n) => {
    return { id: `${entryIdAt(at)}-${String(n).padStart(6, '0')}-0`, appId: 'app', at, fields }
  })
  const access = new AbortController()
  const log = followLog({
    store: {
      listAfter: async (_, id, limit) => entries.filter((entry) => entry.id > id).slice(0, limit),
    },
    appLog: { onWritten: () => () => {} },
    clock,
    appId: 'app',
    after: undefined,
    signal: access.signal,
  })
  assert.equal((await log.next()).value, ': connected\n\n')
  for (let n = 0; n < 150; n += 1) assert.match(String((await log.next()).value), /^id: /)
  access.abort()
  assert.equal((await log.next()).done, true)
})

test('ALOG-6: a database that hangs', async () => {
  const clock = new VirtualClock()
  const { promise: responds, resolve: respond } = Promise.withResolvers<void>()
  const stored: StoredEntry[] = []
  const store = {
    async idsOf(packageNames: readonly string[]) {
      await responds
      return new Map(packageNames.map((name) => [name, name]))
    },
    add: async (entries: readonly StoredEntry[]) => void stored.push(...entries),
  } as unknown as AppLogStore
  const lines: { readonly lost?: number }[] = []
  const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) })
  const appLog = new AppLog({ store, secret: 's', clock, log })

  for (let interval = 0; interval < 400; interval += 1) {
    for (let entry = 0; entry < 20; entry += 1)
      appLog.record(`dev.example.app${interval}`, { level: 'info', kind: 'start', event: 'requested' })
    clock.advance(500)
  }
  respond()
  await appLog.flush()
  assert.equal(stored.length, 5_000)
  assert.equal(
    lines.reduce((sum, { lost = 0 }) => sum + lost, 0),
    3_000,
  )

  appLog.record('dev.example.app', { level: 'info', kind: 'start', event: 'requested' })
  await appLog.flush()
  assert.equal(stored.length, 5_001)
})
