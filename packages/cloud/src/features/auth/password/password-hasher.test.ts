import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PasswordHasher } from './password-hasher.ts'

test('ACCT-9: a hash is one of Argon2id with a salt of its own', async () => {
  const passwords = new PasswordHasher()
  const [hash, other] = [await passwords.hash('secret ①'), await passwords.hash('secret ①')]
  assert.match(hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}==\$[\w+/]{43}=$/)
  assert.notEqual(hash, other)
  assert.equal(await passwords.verify('secret 1', hash), true, 'in NFKC')
  assert.equal(await passwords.verify('secret 2', hash), false)
  assert.equal(await passwords.verify('', undefined), false)
})

test('ACCT-9: passwords beyond those that may wait are refused', async () => {
  const passwords = new PasswordHasher({ maxWaiting: 2 })
  const results = await Promise.allSettled(Array.from({ length: 7 }, () => passwords.verify('x')))
  const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason.code] : []))
  assert.deepEqual(refused, ['TOO_MANY_PASSWORDS', 'TOO_MANY_PASSWORDS', 'TOO_MANY_PASSWORDS'])
  assert.equal(await passwords.verify('x', await passwords.hash('x')), true, 'later ones are accepted')
})
