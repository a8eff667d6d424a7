import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { migrations } from '../../db/migrations/index.ts'
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

    test('TRU-3: the upgrade leaves the apps of an unconfirmed address to whoever confirms it', async (t) => {
      const db = await open(t)
      const users = new UserStore(db)
      const [known, squatter] = [
        await users.findOrCreate('ada@example.com', 1),
        await users.create('cfo@example.com', '', 1),
      ]
      assert.ok(squatter)
      const method = {
        id: 'a',
        account_id: squatter.id,
        provider_id: 'credential',
        created_at: 1,
        updated_at: 1,
      }
      await db
        .insertInto('sign_in_methods')
        .values({ ...method, user_id: squatter.id })
        .execute()
      const apps = new AppStore(db)
      for (const [packageName, developerId] of [
        ['dev.example.known', 'ada@example.com'],
        ['dev.example.operator', 'cfo@example.com'],
      ] as const)
        await apps.register({ packageName, developerId, name: 'A', publicUrl: 'https://a.example.org' }, 2)
      await db.transaction().execute(async (trx) => {
        await trx.schema.dropIndex('apps_developer_user').execute()
        await trx.schema.alterTable('apps').dropColumn('developer_user_id').execute()
        await trx.schema.alterTable('deletions').dropColumn('claim').execute()
        await migrations['0034-confirmed-addresses']?.up(trx)
      })
      const rows = await db
        .selectFrom('apps')
        .select('developer_user_id as id')
        .orderBy('package_name')
        .execute()
      assert.deepEqual(
        rows.map(({ id }) => id),
        [known.id, null],
      )
    })
  })
})
