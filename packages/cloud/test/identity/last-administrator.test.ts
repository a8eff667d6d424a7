import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { eachDatabase } from '../../src/db/testing.ts'
import { AdministratorRace } from '../support/administrator-race.ts'
import { createDeveloper } from '../support/developer.ts'
import { suiteScope } from '../support/scope.ts'
import { type LocalCloud, startCloud } from '../support/test-cloud.ts'

eachDatabase((database) => {
  describe('the last administrator', () => {
    const scope = suiteScope()
    let cloud: LocalCloud

    before(async () => {
      cloud = await startCloud(scope, { database })
    })

    async function appoint(name: string) {
      const user = await createDeveloper(cloud, name)
      await cloud.operator.users.setAdministrator(user.id, true, Date.now())
      return user
    }
    const remaining = async () =>
      (await cloud.operator.users.list()).filter(
        ({ isAdministrator, suspendedAt }) => isAdministrator && suspendedAt === undefined,
      )

    test('DEL-17: cannot delete the account, until there is another one', async () => {
      const root = await appoint('root')
      const remove = () =>
        cloud.request<{ error: string }>('POST', '/api/account/request-deletion', { token: root.token })
      const deletion = () => cloud.request('GET', '/api/account/deletion', { token: root.token })
      const refused = await remove()
      assert.equal(refused.status, 409)
      assert.match(refused.body.error, /Make another user an administrator first/)
      assert.deepEqual((await deletion()).body, { isLastAdministrator: true, isSignInRecent: false })
      assert.equal((await cloud.request('GET', '/api/account/me', { token: root.token })).status, 200)
      const heir = await appoint('heir')
      assert.deepEqual((await deletion()).body, { isLastAdministrator: false, isSignInRecent: false })
      // One who has no access does not count.
      await cloud.operator.users.setSuspended(heir.id, Date.now(), Date.now())
      assert.equal((await remove()).status, 409)
      await cloud.operator.users.setSuspended(heir.id, null, Date.now())
      assert.equal((await remove()).status, 200)
      assert.deepEqual(
        (await remaining()).map(({ id }) => id),
        [heir.id],
      )
    })

    for (const act of ['delete', 'suspend', 'demote', 'delete the own account'] as const) {
      test(`ADM-30: of administrators who ${act} at the same time, one remains`, async () => {
        const race = new AdministratorRace(cloud, act)
        for (const { id } of await remaining()) await cloud.operator.users.setAdministrator(id, false, 1)
        const racers = await Promise.all(['ada', 'bob', 'eve'].map(appoint))
        const statuses = await race.run(racers)
        // Whoever came late was no administrator any more, or signed out.
        assert.ok(
          statuses.every((status) => [200, 401, 403, 409].includes(status)),
          String(statuses),
        )
        assert.ok(statuses.includes(200))
        assert.ok((await remaining()).length >= 1)
      })
    }
  })
})
