import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutUser } from './audit-store.ts'

const user = { id: 'a1', email: 'ada@example.org' }

test('ADM-15: id and address are replaced in texts, not in longer addresses', () => {
  const value = {
    email: 'Ada@example.org',
    users: ['a1', 'a12', 'ada@example.org.uk'],
    note: 'Mail of <ada@example.org>. Not of bada@example.org, x.ada@example.org or ada@example.orgs.',
    count: 1,
    nothing: null,
  }
  assert.deepEqual(withoutUser(value, user, 'deleted-x'), {
    email: 'deleted-x',
    users: ['deleted-x', 'a12', 'ada@example.org.uk'],
    note: 'Mail of <deleted-x>. Not of bada@example.org, x.ada@example.org or ada@example.orgs.',
    count: 1,
    nothing: null,
  })
})

test('ADM-15: an address with characters that mean something in patterns', () => {
  const odd = { id: 'id', email: 'a.b+c*$@example.org' }
  assert.equal(withoutUser('to a.b+c*$@example.org', odd, '$&'), 'to $&')
  assert.equal(withoutUser('to axb+c*$@example.org', odd, 'x'), 'to axb+c*$@example.org')
})
