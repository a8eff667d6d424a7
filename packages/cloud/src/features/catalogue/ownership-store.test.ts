import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { eachDatabase } from '../../db/testing.ts'
import { ApiKeyStore, OrganizationStore, UserStore } from '../../identity/index.ts'
import { AppStore } from './app-store.ts'
import { OwnershipStore } from './ownership-store.ts'

const ROUNDS = 20

describe('ownership', () => {
  eachDatabase(({ open }) => {
    test('DEL-12: the last of two owners that leave concurrently unpublishes the app', async (t) => {
      const db = await open(t)
      const apps = new AppStore(db)
      const keys = new ApiKeyStore(db, ['x'.repeat(32)])
      const organizations = new OrganizationStore(db)
      const ownership = new OwnershipStore(db)
      for (let round = 0; round < ROUNDS; round += 1) {
        const users = await Promise.all(
          ['ada', 'eve'].map((name) => new UserStore(db).findOrCreate(`${name}${round}@example.com`, 1)),
        )
        const { id: organizationId } = await organizations.ensure(`makers-${round}`, {}, 1)
        for (const { id } of users) await organizations.addMember(organizationId, id, 'admin', 1)
        const shared = { name: 'A', publicUrl: 'https://a.example.org', appStoreStatus: 'PUBLISHED' } as const
        const byMembers = await apps.register(
          { ...shared, packageName: `dev.example.members${round}`, organizationId },
          1,
        )
        const byDeveloper = await apps.register(
          {
            ...shared,
            packageName: `dev.example.developer${round}`,
            organizationId,
            developerId: users[0]?.email,
          },
          1,
        )
        for (const { id } of [byMembers, byDeveloper]) await keys.add(id, `key-${id}`, `hash-${id}`, 1)
        const unpublished = await Promise.all(users.map((user) => ownership.giveUp(user, 2)))
        const packageNames = [byMembers, byDeveloper].map(({ packageName }) => packageName)
        assert.deepEqual(unpublished.flat().sort(), packageNames.sort())
        for (const app of await apps.findByPackages(packageNames)) {
          assert.equal(app.appStoreStatus, 'DEVELOPMENT')
          assert.deepEqual(await keys.list(app.id), [])
        }
        assert.equal(await organizations.findById(organizationId), undefined)
      }
    })
  })
})
