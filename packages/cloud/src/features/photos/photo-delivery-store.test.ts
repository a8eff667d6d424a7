import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Database } from '../../db/index.ts'
import { eachDatabase } from '../../db/testing.ts'
import { UserStore } from '../../identity/index.ts'
import { PhotoDeliveryStore } from './photo-delivery-store.ts'

const lease = (owner: string, until: number) => ({ owner, until })

async function setUp(db: Database) {
  const { id: userId } = await new UserStore(db).findOrCreate('ada@example.com', 1)
  const store = new PhotoDeliveryStore(db, ['secret'])
  const add = (id: string, until: number, authToken?: string) =>
    store.add(
      {
        photo: { id, userId, type: 'image/png', size: 7 },
        packageName: 'dev.example.a',
        requestId: `request of ${id}`,
        authToken,
        createdAt: 5,
      },
      lease('first', until),
    )
  return { store, userId, add }
}

eachDatabase(({ open }) => {
  test('PHO-32: claims before and after the lease expires', async (t) => {
    const db = await open(t)
    const { store, userId, add } = await setUp(db)
    await add('b', 20, 'hush')
    await add('a', 10)
    assert.equal(await store.takeOver(lease('second', 30), 9), undefined)
    const [one, other] = await Promise.all([
      store.takeOver(lease('second', 30), 10),
      store.takeOver(lease('third', 30), 10),
    ])
    assert.equal([one, other].filter((delivery) => delivery !== undefined).length, 1)
    assert.deepEqual(one ?? other, {
      photo: { id: 'a', userId, type: 'image/png', size: 7 },
      packageName: 'dev.example.a',
      requestId: 'request of a',
      authToken: undefined,
      attempts: 2,
      createdAt: 5,
    })
    assert.equal((await store.takeOver(lease('second', 40), 20))?.authToken, 'hush')
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
    const delivery = await new PhotoDeliveryStore(db, ['another']).takeOver(lease('second', 30), 10)
    assert.deepEqual([delivery?.requestId, delivery?.authToken], ['request of a', undefined])
    await add('b', 10, 'hush')
    const changed = new PhotoDeliveryStore(db, ['another', 'secret'])
    assert.equal((await changed.takeOver(lease('third', 30), 10))?.authToken, 'hush')
  })
})
