import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { createSigner } from 'fast-jwt'
import { AppTokens } from './app-tokens.ts'
import { deriveSecret } from './secrets.ts'
import { Tokens } from './tokens.ts'

const secret = 'thirty-two characters at the least'
const other = 'another secret of thirty-two characters'
const subject = { packageName: 'dev.example.app', keyId: '0123456789abcdef' }
const DAY_MS = 24 * 60 * 60_000

function partOf(token: string, index: number): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split('.')[index] ?? '', 'base64url').toString())
}

test('AUTH-40: an app token has the documented claims and expires after 24 hours', () => {
  let now = 1_800_000_000_000
  const tokens = new AppTokens([secret], () => now)
  const token = tokens.issue(subject)
  assert.equal(partOf(token, 0).alg, 'HS256')
  const { jti, ...claims } = partOf(token, 1)
  const iat = now / 1000
  const { packageName: sub, keyId } = subject
  assert.deepEqual(claims, { sub, keyId, iat, exp: iat + 86_400, aud: 'app-socket' })
  assert.notEqual(jti, partOf(tokens.issue(subject), 1).jti)
  assert.deepEqual(tokens.read(token), subject)
  now += DAY_MS - 1
  assert.deepEqual(tokens.read(token), subject)
  now += 1
  assert.equal(tokens.read(token), undefined)
})

test('AUTH-41: only tokens for app sockets are app tokens, and no other verifier accepts one', () => {
  const tokens = new AppTokens([secret], Date.now)
  const userTokens = new Tokens({ secret, acceptNonExpiring: true })
  assert.deepEqual(userTokens.read(tokens.issue(subject)), { ok: false, reason: 'invalid' })

  const exp = Math.floor(Date.now() / 1000) + 3600
  const claims = { sub: subject.packageName, keyId: subject.keyId, aud: 'app-socket', exp }
  const key = deriveSecret(secret, 'app tokens')
  const sign = (values: object, signingKey: string, algorithm: 'HS256' | 'HS512' = 'HS256') =>
    createSigner({ key: signingKey, algorithm })(values)
  assert.deepEqual(tokens.read(sign(claims, key)), subject)
  const none = (text: string) => Buffer.from(text).toString('base64url')
  const invalid = {
    'signed with AUTH_SECRET': sign(claims, secret),
    'signed with another derived key': sign(
      claims,
      createHmac('sha256', secret).update('photo-upload').digest('hex'),
    ),
    'another algorithm': sign(claims, key, 'HS512'),
    'no algorithm': `${none('{"alg":"none","typ":"JWT"}')}.${none(JSON.stringify(claims))}.`,
    'another audience': sign({ ...claims, aud: 'other' }, key),
    'no audience': sign({ ...claims, aud: undefined }, key),
    'no expiry': sign({ ...claims, exp: undefined }, key),
    'no key': sign({ ...claims, keyId: undefined }, key),
    'core token': userTokens.issue({ id: 'u1', email: 'a@b.de', tokensValidFrom: 0 }),
    garbage: 'garbage',
  }
  for (const [name, token] of Object.entries(invalid)) assert.equal(tokens.read(token), undefined, name)
})

test('SHARE-10: app tokens of the previous secret are accepted', () => {
  const token = new AppTokens([secret], Date.now).issue(subject)
  assert.deepEqual(new AppTokens([other, secret], Date.now).read(token), subject)
  assert.equal(new AppTokens([other], Date.now).read(token), undefined)
})
