import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { eachDatabase } from '../db/testing.ts'
import { OrganizationStore } from './organization-store.ts'
import { UserStore } from './user-store.ts'

describe('organizations', () => {
  eachDatabase(({ open }) => {
    test('CLI-25: ensure creates or updates the organization with a slug', async (t) => {
      const organizations = new OrganizationStore(await open(t))
      const made = await Promise.all(Array.from({ length: 8 }, () => organizations.ensure('acme', {}, 1)))
      assert.equal(new Set(made.map(({ id }) => id)).size, 1)
      assert.equal(made[0]?.name, 'acme')
      await organizations.ensure('acme', { name: 'Acme', profile: { company: 'Acme Ltd' } }, 2)
      const renamed = await organizations.ensure('acme', { name: 'Acme!' }, 3)
      assert.deepEqual(renamed, {
        id: made[0]?.id,
        slug: 'acme',
        name: 'Acme!',
        profile: { company: 'Acme Ltd' },
        createdAt: 1,
      })
      assert.deepEqual(await organizations.findBySlug('acme'), renamed)
      assert.deepEqual(await organizations.findById(renamed.id), renamed)
      assert.equal(await organizations.findBySlug('nobody'), undefined)
    })

    test('CLI-31: adding a member again changes its role', async (t) => {
      const db = await open(t)
      const organizations = new OrganizationStore(db)
      const ada = await new UserStore(db).findOrCreate('ada@example.com', 1)
      const beta = await organizations.ensure('beta', {}, 1)
      const acme = await organizations.ensure('acme', {}, 1)
      assert.equal(await organizations.membership(acme.id, ada.id), undefined)
      await organizations.addMember(beta.id, ada.id, 'member', 1)
      await organizations.addMember(acme.id, ada.id, 'member', 1)
      await organizations.addMember(acme.id, ada.id, 'admin', 2)
      assert.equal(await organizations.membership(acme.id, ada.id), 'admin')
      assert.deepEqual(await organizations.organizationsOf(ada.id), [
        { organization: acme, role: 'admin', joinedAt: 1 },
        { organization: beta, role: 'member', joinedAt: 1 },
      ])
      await assert.rejects(organizations.addMember(acme.id, 'nobody', 'member', 3))
    })

    test('DEL-2: a deleted user has no memberships', async (t) => {
      const db = await open(t)
      const users = new UserStore(db)
      const organizations = new OrganizationStore(db)
      const ada = await users.findOrCreate('ada@example.com', 1)
      const acme = await organizations.ensure('acme', {}, 1)
      await organizations.addMember(acme.id, ada.id, 'admin', 1)
      await users.remove(ada.id, 'hash', 2)
      assert.equal(await organizations.membership(acme.id, ada.id), undefined)
    })
  })
})
