import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Database } from '../../db/index.ts'
import { eachDatabase } from '../../db/testing.ts'
import { UserStore } from '../../identity/index.ts'
import { GalleryStore } from './gallery-store.ts'
import type { Photo } from './photo.ts'

const KIB = 1024
const MIB = 1024 * KIB
const unlimited = { maxBytes: Number.MAX_SAFE_INTEGER, maxPhotos: 1_000 }

async function setUp(db: Database) {
  const users = new UserStore(db)
  const { id: userId } = await users.findOrCreate('ada@example.com', 1)
  const { id: otherId } = await users.findOrCreate('eve@example.com', 1)
  const photo = (id: string, size: number, owner = userId): Photo => ({
    id,
    userId: owner,
    type: 'image/png',
    size,
    requestId: 'r1',
    origin: 'glasses',
    packageName: null,
    uploadedAt: 1,
  })
  return { store: new GalleryStore(db), userId, otherId, photo }
}

eachDatabase(({ open }) => {
  test('PHO-32: the file of a photo that is still to be delivered is no orphan', async (t) => {
    const db = await open(t)
    const { store, userId, photo } = await setUp(db)
    await store.add(photo('a', 1), unlimited)
    const delivery = {
      mime_type: 'image/png',
      size: 1,
      package_name: 'dev.example.a',
      request_id: 'r1',
    } as const
    const lease = { sealed_token: null, attempts: 1, lease_owner: 'node', lease_until: 1, created_at: 1 }
    await db
      .insertInto('photo_deliveries')
      .values({ id: 'b', user_id: userId, ...delivery, ...lease })
      .execute()
    assert.deepEqual(await store.findReferencedIds(['a', 'b', 'c']), new Set(['a', 'b']))
  })

  test('GAL-16: a photo counts at least 16 KiB towards the quota', async (t) => {
    const { store, userId, photo } = await setUp(await open(t))
    const quota = { maxBytes: 33 * KIB, maxPhotos: 10 }
    assert.equal(await store.add(photo('a', 1), quota), true)
    assert.equal(await store.add(photo('b', 16 * KIB + 1), quota), true)
    assert.equal(await store.add(photo('c', 1), quota), false)
    assert.deepEqual(await store.usageOf(userId), { photos: 2, bytes: 32 * KIB + 1 })
    assert.equal((await store.listByUser(userId)).length, 2)
  })

  test('GAL-16: the number of photos is limited, concurrent uploads included', async (t) => {
    const { store, userId, otherId, photo } = await setUp(await open(t))
    const quota = { maxBytes: 100 * MIB, maxPhotos: 3 }
    const added = await Promise.all(Array.from({ length: 8 }, (_, n) => store.add(photo(`p${n}`, 1), quota)))
    assert.equal(added.filter(Boolean).length, 3)
    assert.equal((await store.listByUser(userId)).length, 3)
    assert.equal(await store.add(photo('of another user', 1, otherId), quota), true)
    const [first] = await store.listByUser(userId)
    assert.equal(await store.remove(userId, first?.id ?? ''), true)
    assert.equal(await store.add(photo('next', 1), quota), true)
    assert.equal(await store.add(photo('too many', 1), quota), false)
  })

  test('GAL-15: the running total follows every upload and deletion', async (t) => {
    const db = await open(t)
    const { store, userId, otherId, photo } = await setUp(db)
    await store.add(photo('a', 1), unlimited)
    await store.add(photo('b', MIB), unlimited)
    await store.add(photo('c', 2 * MIB, otherId), unlimited)
    await assert.rejects(store.add(photo('b', 5), unlimited), 'the id is in use')
    assert.deepEqual(await store.usageOf(userId), { photos: 2, bytes: MIB + 16 * KIB })
    assert.equal(await store.remove(userId, 'c'), false)
    assert.deepEqual(await Promise.all([store.remove(userId, 'a'), store.remove(userId, 'unknown')]), [
      true,
      false,
    ])
    assert.deepEqual(await store.usageOf(userId), { photos: 1, bytes: MIB })
    await store.removeByUser(userId)
    assert.equal(await store.usageOf(userId), undefined)
    assert.deepEqual(await store.usageOf(otherId), { photos: 1, bytes: 2 * MIB })

    // The quota is checked against the stored total, not against a sum over the photos.
    await db
      .updateTable('gallery_usage')
      .set({ bytes: 10 * MIB })
      .where('user_id', '=', otherId)
      .execute()
    assert.equal(await store.add(photo('d', 1, otherId), { maxBytes: 10 * MIB, maxPhotos: 10 }), false)
    await assert.rejects(store.add(photo('e', 1, 'unknown user'), unlimited))
  })
})
