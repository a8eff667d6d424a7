import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Database } from '../../db/index.ts'
import { eachDatabase } from '../../db/testing.ts'
import { UserStore } from '../../identity/index.ts'
import { ROW_LEASE_MS } from '../../jobs/index.ts'
import { PhotoDeliveryStore } from './photo-delivery-store.ts'

async function setUp(db: Database) {
  const { id: userId } = await new UserStore(db).findOrCreate('ada@example.com', 1)
  const store = new PhotoDeliveryStore(db, ['secret'])
  const add = (id: string, createdAt: number, authToken?: string) =>
    store.add(
      {
        photo: { id, userId, type: 'image/png', size: 7 },
        packageName: 'dev.example.a',
        requestId: `request of ${id}`,
        authToken,
        createdAt,
      },
      'first',
    )
  return { store, userId, add }
}

eachDatabase(({ open }) => {
  test('PHO-32: claims before and after the lease expires', async (t) => {
    const db = await open(t)
    const { store, userId, add } = await setUp(db)
    await add('b', 20, 'hush')
    await add('a', 10)
    assert.equal(await store.leases.claim('second', ROW_LEASE_MS + 9), undefined)
    const [one, other] = await Promise.all([
      store.leases.claim('second', ROW_LEASE_MS + 10),
      store.leases.claim('third', ROW_LEASE_MS + 10),
    ])
    assert.equal([one, other].filter((delivery) => delivery !== undefined).length, 1)
    assert.deepEqual(one ?? other, {
      photo: { id: 'a', userId, type: 'image/png', size: 7 },
      packageName: 'dev.example.a',
      requestId: 'request of a',
      authToken: undefined,
      attempts: 2,
      createdAt: 10,
    })
    assert.equal((await store.leases.claim('second', ROW_LEASE_MS + 20))?.authToken, 'hush')
    assert.equal(await store.remove('b', 'first'), false, 'the first process has lost its lease')
    assert.equal(await store.remove('b', 'second'), true)
    assert.equal(await store.remove('b', 'second'), false)
    assert.deepEqual(
      (await store.listByUser(userId)).map(({ photo, attempts }) => [photo.id, attempts]),
      [['a', 2]],
    )
  })

  test('PHO-32: a bearer token that was encrypted with another secret is omitted', async (t) => {
    const db = await open(t)
    const { add } = await setUp(db)
    await add('a', 10, 'hush')
    const other = new PhotoDeliveryStore(db, ['another'])
    const delivery = await other.leases.claim('second', ROW_LEASE_MS + 10)
    assert.deepEqual([delivery?.requestId, delivery?.authToken], ['request of a', undefined])
    await add('b', 11, 'hush')
    const changed = new PhotoDeliveryStore(db, ['another', 'secret'])
    assert.equal((await changed.leases.claim('third', ROW_LEASE_MS + 11))?.authToken, 'hush')
  })
})
