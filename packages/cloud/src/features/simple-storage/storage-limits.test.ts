import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { SIMPLE_STORAGE_LIMITS } from '@glasses-cloud/contract'
import type { Database } from '../../db/index.ts'
import { eachDatabase } from '../../db/testing.ts'
import { recordQueries } from '../../db/testing-queries.ts'
import { UserStore } from '../../identity/index.ts'
import { AppStore } from '../catalogue/index.ts'
import { StorageFullError, StorageStore } from './storage-store.ts'

const texts = (count: number, prefix = 'k') =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`${prefix}${index}`, 'x']))

async function setUp(db: Database) {
  const user = await new UserStore(db).findOrCreate('ada@example.com', 1)
  const app = await new AppStore(db).register(
    { packageName: 'a', name: 'A', publicUrl: 'https://a.example.org' },
    1,
  )
  const recorded = recordQueries(db)
  const store = new StorageStore(recorded.db)
  const inserts = () => recorded.queries.filter(({ kind }) => kind === 'InsertQueryNode').length
  return { store, inserts, queries: recorded.queries, ids: [user.id, app.id] as const }
}

describe('limits of the simple storage', () => {
  eachDatabase(({ open }) => {
    test('STG-6: a merge that exceeds the limits by itself executes no query', async (t) => {
      const { store, queries, ids } = await setUp(await open(t))
      await assert.rejects(store.merge(...ids, texts(90_000), 2), StorageFullError)
      const tooLong = { one: 'x'.repeat(SIMPLE_STORAGE_LIMITS.bytes) }
      await assert.rejects(store.merge(...ids, tooLong, 2), StorageFullError)
      assert.equal(queries.length, 0)
    })

    test('STG-6: a merge that would exceed the limits of a full document inserts no value', async (t) => {
      const { store, inserts, ids } = await setUp(await open(t))
      await store.merge(...ids, texts(SIMPLE_STORAGE_LIMITS.keys), 2)
      const before = inserts()
      await assert.rejects(store.merge(...ids, texts(300, 'other'), 3), StorageFullError)
      // The lock of the document is the only write.
      assert.equal(inserts() - before, 1)
      await store.merge(...ids, { k1: 'replaced' }, 4)
      assert.equal(await store.get(...ids, 'k1'), 'replaced')
    })
  })
})
