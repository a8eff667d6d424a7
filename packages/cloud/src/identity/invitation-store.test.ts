import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { eachDatabase } from '../db/testing.ts'
import { InvitationStore } from './invitation-store.ts'
import { OrganizationStore } from './organization-store.ts'

describe('invitations', () => {
  eachDatabase(({ open }) => {
    test('ORG-24: pending invitations are limited, also for concurrent ones; expired ones do not count', async (t) => {
      const db = await open(t)
      const { id: organizationId } = await new OrganizationStore(db).ensure('acme', {}, 1)
      const invitations = new InvitationStore(db, 3)
      const add = (name: string, now: number) =>
        invitations.add(
          { organizationId, email: `${name}@example.org`, role: 'member' },
          { hash: `${name} ${now}`, expiresAt: now + 10 },
          now,
        )
      const added = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((name) => add(name, 1)))
      assert.equal(added.filter((outcome) => outcome === 'too_many').length, 2)
      assert.equal(typeof (await add('f', 11)), 'object')
      assert.deepEqual(
        (await invitations.listByOrganization(organizationId, 12)).map(({ email }) => email),
        ['f@example.org'],
      )
    })
  })
})
