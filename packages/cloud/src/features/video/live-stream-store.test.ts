import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { eachDatabase } from '../../db/testing.ts'
import { UserStore } from '../../identity/index.ts'
import { LiveStreamStore } from './live-stream-store.ts'

describe('live streams of all nodes', () => {
  eachDatabase(({ open }) => {
    test('STR-126: a stream is found by its id until it is closed or replaced', async (t) => {
      const db = await open(t)
      const [ann, bob] = await Promise.all(
        ['ann@example.com', 'bob@example.com'].map((email) => new UserStore(db).findOrCreate(email, 0)),
      )
      assert.ok(ann && bob)
      const store = new LiveStreamStore(db)
      await store.open(ann.id, { streamId: 's1', startedAt: 1 })
      await store.open(bob.id, { streamId: 's2', startedAt: 2 })
      assert.deepEqual([await store.findUser('s1'), await store.findUser('s2')], [ann.id, bob.id])
      await store.open(ann.id, { streamId: 's3', startedAt: 3 })
      await store.close(ann.id, 's1')
      assert.deepEqual(await store.findByUser(ann.id), { streamId: 's3', startedAt: 3 })
      assert.equal(await store.findUser('s1'), undefined)
      await store.close(ann.id, 's3')
      assert.equal(await store.findByUser(ann.id), undefined)
    })
  })
})
