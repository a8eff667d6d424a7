import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSigner } from 'fast-jwt'
import { UploadTokens } from './upload-tokens.ts'

const secret = 'a secret for tests, long enough'
const claims = { sub: 'u1', packageName: 'app.photos', requestId: 'r1' }

test('PHO-14: the token of a request identifies its user, app and request for one minute', (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: 1_800_000_000_000 })
  const tokens = new UploadTokens([secret], Date.now)
  const token = tokens.issue(claims)
  t.mock.timers.tick(59_000)
  const { sub, packageName, requestId } = tokens.read(token) ?? {}
  assert.deepEqual({ sub, packageName, requestId }, claims)
  t.mock.timers.tick(2_000)
  assert.equal(tokens.read(token), undefined)
})

test('PHO-14: a token signed with another key or algorithm is rejected', () => {
  const tokens = new UploadTokens([secret], Date.now)
  for (const forged of [
    createSigner({ key: secret, algorithm: 'HS256', expiresIn: 60_000 })({ ...claims, issuedAt: 1 }),
    createSigner({ algorithm: 'none', expiresIn: 60_000 })({ ...claims, issuedAt: 1 }),
    new UploadTokens(['another secret for tests only'], Date.now).issue(claims),
    tokens.issue({ ...claims, requestId: '' }),
    'nonsense',
  ])
    assert.equal(tokens.read(forged), undefined)
  assert.ok(tokens.read(tokens.issue(claims)))
})

test('PHO-14: while AUTH_SECRET is changed, tokens signed with either secret are accepted', () => {
  const [first, second] = [new UploadTokens(['a', 'b'], Date.now), new UploadTokens(['b', 'a'], Date.now)]
  assert.ok(first.read(second.issue(claims)))
  assert.ok(second.read(first.issue(claims)))
  assert.equal(new UploadTokens(['a'], Date.now).read(second.issue(claims)), undefined)
})
