import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isUniqueViolation } from '../db/index.ts'
import { eachDatabase } from '../db/testing.ts'
import { AppStore } from '../features/catalogue/app-store.ts'
import { ApiKeyStore } from './api-key-store.ts'

const registration = (packageName: string) => ({ packageName, name: 'A', publicUrl: 'https://a.example.org' })

describe('API keys', () => {
  eachDatabase(({ open }) => {
    test('a key is found by its id, together with its app', async (t) => {
      const db = await open(t)
      const keys = new ApiKeyStore(db)
      const app = await new AppStore(db).register(registration('a'), 1)
      await keys.add(app.id, 'k1', 'hash1', 10)
      const ids = { keyId: 'k1', appId: app.id, packageName: 'a' }
      const key = { ...ids, hash: 'hash1', createdAt: 10, lastUse: undefined }
      assert.deepEqual(await keys.findByKeyId('k1'), key)
      assert.deepEqual(await keys.list(app.id), [key])
      assert.equal(await keys.findByKeyId('k2'), undefined)
      await assert.rejects(keys.add('nobody', 'k2', 'hash2', 11), /does not exist/)
      assert.equal(await keys.remove('k1'), true)
      assert.equal(await keys.remove('k1'), false)
      assert.equal(await keys.findByKeyId('k1'), undefined)
    })

    test('DAPI-30: a third key of an app replaces its oldest key', async (t) => {
      const db = await open(t)
      const keys = new ApiKeyStore(db)
      const a = await new AppStore(db).register(registration('a'), 1)
      const b = await new AppStore(db).register(registration('b'), 1)
      await keys.add(b.id, 'other', 'h', 1)
      for (const [at, keyId] of ['k1', 'k2', 'k3'].entries()) await keys.add(a.id, keyId, 'h', at + 2)
      assert.deepEqual(
        (await keys.list(a.id)).map(({ keyId }) => keyId),
        ['k3', 'k2'],
      )
      await assert.rejects(keys.add(a.id, 'other', 'h', 9), isUniqueViolation)
      assert.equal((await keys.list(a.id)).length, 2, 'a rejected key replaces no other')
      assert.equal((await keys.findByKeyId('other'))?.appId, b.id)
    })

    test('DAPI-30: concurrently added keys leave two', async (t) => {
      const db = await open(t)
      const keys = new ApiKeyStore(db)
      const app = await new AppStore(db).register(registration('a'), 1)
      await Promise.all(Array.from({ length: 8 }, (_, n) => keys.add(app.id, `k${n}`, 'h', n)))
      assert.equal((await keys.list(app.id)).length, 2)
    })
  })
})
