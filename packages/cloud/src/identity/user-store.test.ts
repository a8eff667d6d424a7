import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isUniqueViolation } from '../db/index.ts'
import { eachDatabase } from '../db/testing.ts'
import { UserStore } from './user-store.ts'

describe('users', () => {
  eachDatabase(({ open }) => {
    test('AUTH-9: e-mail addresses are case-insensitive and unique', async (t) => {
      const users = new UserStore(await open(t))
      const made = await users.findOrCreate(' Ada@Example.COM ', 1_700_000_000_000)
      assert.equal(made.email, 'ada@example.com')
      assert.deepEqual(made, {
        id: made.id,
        email: 'ada@example.com',
        name: '',
        profile: {},
        tokensValidFrom: 0,
        isAdministrator: false,
        isEmailVerified: true,
        hasSecondFactor: false,
        suspendedAt: undefined,
        createdAt: 1_700_000_000_000,
        updatedAt: 1_700_000_000_000,
      })
      assert.deepEqual(await users.findOrCreate('ADA@example.com', 2), made)
      assert.deepEqual(await users.findByEmail('aDa@example.com'), made)
      assert.deepEqual(await users.findById(made.id), made)
      assert.equal(await users.findById('nobody'), undefined)
      assert.equal(await users.findByEmail('nobody@example.com'), undefined)
    })

    test('AUTH-4: concurrent findOrCreate calls return the same user', async (t) => {
      const users = new UserStore(await open(t))
      const made = await Promise.all(
        Array.from({ length: 20 }, (_, now) => users.findOrCreate('ada@example.com', now)),
      )
      assert.equal(new Set(made.map(({ id }) => id)).size, 1)
      assert.equal((await users.list()).length, 1)
    })

    test('a new user gets the given id, unless another user has it', async (t) => {
      const users = new UserStore(await open(t))
      assert.equal((await users.findOrCreate('ada@example.com', 1, 'sub-1')).id, 'sub-1')
      assert.equal((await users.findOrCreate('ada@example.com', 1, 'sub-2')).id, 'sub-1')
      await assert.rejects(users.findOrCreate('eve@example.com', 1, 'sub-1'), isUniqueViolation)
      assert.equal((await users.findById('sub-1'))?.email, 'ada@example.com')
    })

    test('ACC-2: an update merges the profile and keeps omitted fields', async (t) => {
      const users = new UserStore(await open(t))
      const { id } = await users.findOrCreate('ada@example.com', 1)
      await users.update(id, { name: 'Ada', profile: { displayName: 'A', city: 'London' } }, 2)
      const updated = await users.update(id, { profile: { displayName: 'Countess' } }, 3)
      assert.equal(updated?.name, 'Ada')
      assert.deepEqual(updated?.profile, { displayName: 'Countess', city: 'London' })
      assert.equal(updated?.updatedAt, 3)
      assert.deepEqual(await users.findById(id), updated)
      assert.equal(await users.update('nobody', { name: 'x' }, 4), undefined)
    })

    test('ACC-2: concurrent updates are all applied', async (t) => {
      const users = new UserStore(await open(t))
      const { id } = await users.findOrCreate('ada@example.com', 1)
      const fields = Array.from({ length: 8 }, (_, n) => `field${n}`)
      await Promise.all(fields.map((field, n) => users.update(id, { profile: { [field]: 'x' } }, n)))
      assert.deepEqual(Object.keys((await users.findById(id))?.profile ?? {}).sort(), fields)
    })

    test('AUTH-6: setTokensValidFrom only moves forward', async (t) => {
      const users = new UserStore(await open(t))
      const { id } = await users.findOrCreate('ada@example.com', 1)
      await users.setTokensValidFrom(id, 1_700_000_000_500)
      await users.setTokensValidFrom(id, 1_700_000_000_400)
      assert.equal((await users.findById(id))?.tokensValidFrom, 1_700_000_000_500)
    })

    test('ADM-2: users are listed by e-mail address, in complete pages without duplicates', async (t) => {
      const users = new UserStore(await open(t))
      const emails = ['a-b@x.org', 'a.b@x.org', 'ab@x.org', 'b@x.org', 'é@x.org']
      for (const email of emails.toReversed()) await users.findOrCreate(email, 1)
      assert.deepEqual(
        (await users.list()).map(({ email }) => email),
        emails,
      )
      const first = await users.list({ limit: 2 })
      const second = await users.list({ limit: 2, after: first[1]?.email })
      const third = await users.list({ limit: 2, after: second[1]?.email })
      assert.deepEqual(
        [...first, ...second, ...third].map(({ email }) => email),
        emails,
      )
    })

    test('DEL-2: deleting a user stores the time of the deletion, and the address can be used again', async (t) => {
      const users = new UserStore(await open(t))
      const { id } = await users.findOrCreate('ada@example.com', 1)
      assert.equal(await users.deletedAt('hash'), undefined)
      assert.equal(await users.remove(id, 'hash', 5), true)
      assert.equal(await users.remove(id, 'hash', 6), false)
      assert.equal(await users.deletedAt('hash'), 5)
      assert.equal(await users.findByEmail('ada@example.com'), undefined)
      const again = await users.findOrCreate('ada@example.com', 7)
      assert.notEqual(again.id, id)
      await users.remove(again.id, 'hash', 8)
      assert.equal(await users.deletedAt('hash'), 8)
    })
  })
})
