import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import { ApiKeys, generateApiKey } from './api-keys.ts'
import { hashSecret, matchesHash } from './secrets.ts'

describe('API keys', () => {
  test('AUTH-30: the format of a key and its signing key', () => {
    const { keyId, key, signingKey } = generateApiKey()
    assert.match(key, /^gck_[0-9a-f]{16}_[A-Za-z0-9_-]{43}$/)
    assert.equal(key.split('_')[1], keyId)
    assert.equal(signingKey, createHash('sha256').update(key).digest('hex'))
    assert.notEqual(generateApiKey().key, key)
  })

  test('AUTH-31: only the complete, unchanged key of a package is accepted', async () => {
    const { keyId, key, signingKey } = generateApiKey()
    const hash = hashSecret(signingKey)
    const other = generateApiKey()
    const stored = { hash, isSigning: true, appId: 'app-1', packageName: 'dev.example.one' }
    const keys = new ApiKeys({
      findByKeyId: async (id) => (id === keyId ? stored : undefined),
      reseal: async () => assert.fail('the key is sealed'),
    })
    const owner = { id: 'app-1', packageName: 'dev.example.one', keyId }
    assert.deepEqual(await keys.verify(key), owner)
    assert.deepEqual(await keys.verify(key, 'dev.example.one'), owner)
    assert.equal(await keys.verify(key, 'dev.example.two'), undefined)
    const lastChanged = key.slice(0, -1) + (key.endsWith('A') ? 'B' : 'A')
    const otherSecret = `gck_${keyId}_${other.key.split('_').slice(2).join('_')}`
    for (const wrong of [
      lastChanged,
      otherSecret,
      other.key,
      key.slice(0, -1),
      `${key}A`,
      signingKey,
      hash,
      keyId,
      '',
    ]) {
      assert.equal(await keys.verify(wrong), undefined, wrong)
    }
  })

  test('AUTH-31: a stored hash of another length is rejected', () => {
    const { key, signingKey: hash } = generateApiKey()
    assert.equal(matchesHash(key, hash), true)
    assert.equal(matchesHash(key, hash.slice(1)), false)
    assert.equal(matchesHash(key, ''), false)
  })
})
