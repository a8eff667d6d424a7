import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { type Database, isUniqueViolation } from '../db/index.ts'
import { eachDatabase } from '../db/testing.ts'
import { AppStore } from '../features/catalogue/app-store.ts'
import { ApiKeyStore } from './api-key-store.ts'
import { ApiKeys, generateApiKey } from './api-keys.ts'
import { hashSecret } from './secrets.ts'

const secret = 'a secret of this cloud, which is long'
const nextSecret = 'another secret of this cloud, as long'

const registration = (packageName: string) => ({ packageName, name: 'A', publicUrl: 'https://a.example.org' })

describe('API keys', () => {
  eachDatabase(({ open }) => {
    test('a key is found by its id, together with its app', async (t) => {
      const db = await open(t)
      const keys = new ApiKeyStore(db, [secret])
      const app = await new AppStore(db).register(registration('a'), 1)
      await keys.add(app.id, 'k1', 'signing1', 10)
      const ids = { keyId: 'k1', appId: app.id, packageName: 'a' }
      const hash = hashSecret('signing1')
      const key = { ...ids, hash, isSigning: true, createdAt: 10, lastUse: undefined }
      assert.deepEqual(await keys.findByKeyId('k1'), key)
      assert.deepEqual(await keys.list(app.id), [key])
      assert.equal(await keys.findByKeyId('k2'), undefined)
      await assert.rejects(keys.add('nobody', 'k2', 'signing2', 11), /does not exist/)
      assert.equal(await keys.remove('k1'), true)
      assert.equal(await keys.remove('k1'), false)
      assert.equal(await keys.findByKeyId('k1'), undefined)
    })

    test('DAPI-30: a third key of an app replaces its oldest key', async (t) => {
      const db = await open(t)
      const keys = new ApiKeyStore(db, [secret])
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
      const keys = new ApiKeyStore(db, [secret])
      const app = await new AppStore(db).register(registration('a'), 1)
      await Promise.all(Array.from({ length: 8 }, (_, n) => keys.add(app.id, `k${n}`, 'h', n)))
      assert.equal((await keys.list(app.id)).length, 2)
    })

    test('AUTH-34: what the database holds of a key signs nothing, and the key itself is recognized', async (t) => {
      const { db, app, keys } = await openWithApp(t, open)
      const { key, keyId, signingKey } = generateApiKey()
      await keys.add(app.id, keyId, signingKey, 1)
      const row = await db.selectFrom('api_keys').selectAll().executeTakeFirstOrThrow()
      for (const value of Object.values(row)) assert.ok(!String(value).includes(signingKey))
      assert.notEqual(hashSecret(String(row.signing_key)), signingKey)
      assert.deepEqual(await keys.signingKeys(app.id), [signingKey])
      assert.equal((await new ApiKeys(keys).verify(key))?.keyId, keyId)
      // A sealed key that is copied to another row is not accepted there.
      const other = generateApiKey()
      await keys.add(app.id, other.keyId, other.signingKey, 2)
      await db
        .updateTable('api_keys')
        .set({ signing_key: row.signing_key })
        .where('key_id', '=', other.keyId)
        .execute()
      assert.deepEqual(await keys.signingKeys(app.id), [signingKey])
    })

    test('AUTH-34: a corrupt sealed key does not keep the cloud from starting, and works again once it is used', async (t) => {
      const { db, app, keys } = await openWithApp(t, open)
      const [corrupt, intact] = [generateApiKey(), generateApiKey()]
      for (const [at, { keyId, signingKey }] of [corrupt, intact].entries())
        await keys.add(app.id, keyId, signingKey, at)
      await db
        .updateTable('api_keys')
        .set({ signing_key: 'AAAA' })
        .where('key_id', '=', corrupt.keyId)
        .execute()
      const unreadable: string[] = []
      const next = new ApiKeyStore(db, [nextSecret, secret], (keyId) => unreadable.push(keyId))
      await next.sealAll()
      assert.deepEqual(unreadable, [corrupt.keyId])
      assert.deepEqual(await next.signingKeys(app.id), [intact.signingKey])
      assert.equal((await new ApiKeys(next).verify(corrupt.key))?.keyId, corrupt.keyId)
      assert.deepEqual(await next.signingKeys(app.id), [intact.signingKey, corrupt.signingKey])
    })

    test('SHARE-10 AUTH-35: keys follow a change of AUTH_SECRET', async (t) => {
      const { db, app, keys } = await openWithApp(t, open)
      const { key, keyId, signingKey } = generateApiKey()
      await keys.add(app.id, keyId, signingKey, 1)
      const during = new ApiKeyStore(db, [nextSecret, secret])
      assert.deepEqual(await during.signingKeys(app.id), [signingKey])
      await Promise.all([
        during.sealAll(),
        new ApiKeyStore(db, [nextSecret, secret]).sealAll(),
        during.sealAll(),
      ])
      await during.sealAll()
      const after = new ApiKeyStore(db, [nextSecret])
      assert.deepEqual(await after.signingKeys(app.id), [signingKey])
      // Without the previous secret, a key signs again once the app has presented it.
      await keys.sealAll()
      assert.deepEqual(await keys.signingKeys(app.id), [])
      assert.equal((await new ApiKeys(keys).verify(key))?.keyId, keyId)
      assert.deepEqual(await keys.signingKeys(app.id), [signingKey])
    })
  })
})

async function openWithApp(t: TestContext, open: (t: TestContext) => Promise<Database>) {
  const db = await open(t)
  return {
    db,
    app: await new AppStore(db).register(registration('a'), 1),
    keys: new ApiKeyStore(db, [secret]),
  }
}
