import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { eitherDatabase } from '../../src/db/testing.ts'
import { createDeveloper, type Developer } from '../support/developer.ts'
import { suiteScope } from '../support/scope.ts'
import { type LocalCloud, startCloud } from '../support/test-cloud.ts'

/** What administrators do to each other, or to themselves, at the same time. */
export type RaceAct = 'delete' | 'suspend' | 'demote' | 'delete the own account'

/** Administrators of whom each acts on the next one at the same time. */
class AdministratorRace {
  readonly #cloud: LocalCloud
  readonly #act: RaceAct

  constructor(cloud: LocalCloud, act: RaceAct) {
    this.#cloud = cloud
    this.#act = act
  }

  /** @returns the status of each response */
  async run(racers: readonly Developer[]): Promise<number[]> {
    const responses = racers.map(({ token }, index) => {
      const target = racers[(index + 1) % racers.length]
      return this.#send(token, `/api/admin/users/${target?.id}`)
    })
    return (await Promise.all(responses)).map(({ status }) => status)
  }

  #send(token: string, user: string) {
    switch (this.#act) {
      case 'delete':
        return this.#cloud.request('DELETE', user, { token })
      case 'suspend':
        return this.#cloud.request('POST', `${user}/suspend`, { token, body: {} })
      case 'demote':
        return this.#cloud.request('PUT', `${user}/administrator`, {
          token,
          body: { isAdministrator: false },
        })
      default:
        return this.#cloud.request('POST', '/api/account/request-deletion', { token, body: {} })
    }
  }
}

eitherDatabase((database) => {
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
