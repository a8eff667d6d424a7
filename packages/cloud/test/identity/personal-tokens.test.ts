import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { eachDatabase } from '../../src/db/testing.ts'
import { MAX_PERSONAL_TOKENS } from '../../src/identity/index.ts'
import { suiteScope } from '../support/scope.ts'
import { type LocalCloud, startCloud } from '../support/test-cloud.ts'

interface Created {
  readonly id: string
  readonly token: string
  readonly expiresAt: string
}

interface Listed {
  readonly tokens: readonly {
    readonly id: string
    readonly name: string
    readonly lastUsedAt: string | null
    readonly lastUsedIpAddress: string | null
  }[]
}

const path = '/api/auth/tokens'

eachDatabase((database) => {
  describe('personal access tokens', () => {
    const scope = suiteScope()
    let cloud: LocalCloud
    before(async () => {
      cloud = await startCloud(scope, { database })
    })

    const create = (token: string, body: object) => cloud.request<Created>('POST', path, { token, body })
    const list = async (token: string) => (await cloud.request<Listed>('GET', path, { token })).body.tokens
    const statusOf = async (token: string, url = '/api/account/me') =>
      (await cloud.request('GET', url, { token })).status
    const userId = async (email: string) => String((await cloud.operator.users.findByEmail(email))?.id)

    test('AUTH-50 AUTH-51: a personal token opens the endpoints of its scopes and no others', async () => {
      const core = await cloud.token('ada@example.com')
      const { status, body } = await create(core, { name: 'ci', scopes: ['account'] })
      assert.equal(status, 200)
      assert.match(body.token, /^gcp_[0-9a-f]{16}_[\w-]{43}$/)
      assert.equal(await statusOf(body.token), 200)
      assert.equal(await statusOf(body.token, '/api/apps'), 401)
      assert.equal(await statusOf(body.token, path), 401, 'a personal token cannot list tokens')
      assert.equal((await create(body.token, { name: 'more', scopes: ['account'] })).status, 401)

      const other = (await create(core, { name: 'apps', scopes: ['apps:read', 'apps:write'] })).body
      assert.equal(await statusOf(other.token), 403)
    })

    test('AUTH-50: the token is stored as a hash and expires', async () => {
      const core = await cloud.token('expiring@example.com')
      const { body } = await create(core, { name: 'ci', scopes: ['account'], expiresInDays: 1 })
      const days = (Date.parse(body.expiresAt) - Date.now()) / 86_400_000
      assert.ok(days > 0.99 && days <= 1)
      const rows = await cloud.cloud.db.selectFrom('personal_tokens').selectAll().execute()
      assert.ok(!JSON.stringify(rows).includes(body.token.slice(21)))
      const update = cloud.cloud.db.updateTable('personal_tokens').set({ expires_at: Date.now() - 1 })
      await update.where('id', '=', body.id).execute()
      assert.equal(await statusOf(body.token), 401)
    })

    test('AUTH-52: tokens are listed with their last use and revoked one at a time', async () => {
      const core = await cloud.token('lister@example.com')
      const [first, second] = [
        (await create(core, { name: 'one', scopes: ['account'] })).body,
        (await create(core, { name: 'two', scopes: ['account'] })).body,
      ]
      assert.equal(await statusOf(first.token), 200)
      await cloud.cloud.credentialUses.flush()
      const listed = await list(core)
      assert.deepEqual(new Set(listed.map(({ name }) => name)), new Set(['one', 'two']))
      const [used, unused] = [first, second].map((token) => listed.find(({ id }) => id === token.id))
      assert.ok(used?.lastUsedAt)
      assert.equal(used.lastUsedIpAddress, '127.0.0.1')
      assert.deepEqual([unused?.lastUsedAt, unused?.lastUsedIpAddress], [null, null])

      const remove = (token: string) => cloud.request('DELETE', `${path}/${first.id}`, { token })
      assert.equal((await remove(await cloud.token('eve@example.com'))).status, 404)
      assert.equal(await statusOf(first.token), 200)
      assert.equal((await remove(core)).status, 200)
      assert.equal(await statusOf(first.token), 401)
      assert.equal(await statusOf(second.token), 200)
      assert.equal((await remove(core)).status, 404)
    })

    test('AUTH-52: a user has at most 50 personal tokens', async () => {
      const core = await cloud.token('many@example.com')
      const results = await Promise.all(
        Array.from({ length: MAX_PERSONAL_TOKENS + 1 }, () =>
          create(core, { name: 'x', scopes: ['account'] }),
        ),
      )
      const statuses = results.map(({ status }) => status)
      assert.equal(statuses.filter((status) => status === 200).length, MAX_PERSONAL_TOKENS)
      assert.equal(statuses.filter((status) => status === 409).length, 1)
    })

    test('AUTH-53: an invalid name, scope or lifetime returns 400', async () => {
      const core = await cloud.token('bad@example.com')
      for (const change of [
        { name: '' },
        { name: ' ' },
        { scopes: [] },
        { scopes: ['everything'] },
        { scopes: ['account', 'account'] },
        { expiresInDays: 0 },
        { expiresInDays: 367 },
      ])
        assert.equal((await create(core, { name: 'x', scopes: ['account'], ...change })).status, 400)
      assert.deepEqual(await list(core), [])
    })

    test('AUTH-54: suspension and logging out revoke personal tokens', async () => {
      const core = await cloud.token('paused@example.com')
      const { token } = (await create(core, { name: 'ci', scopes: ['account'] })).body
      const id = await userId('paused@example.com')
      await cloud.operator.users.setSuspended(id, Date.now(), Date.now())
      assert.deepEqual([await statusOf(token), await statusOf(core)], [401, 401])
      await cloud.operator.users.setSuspended(id, null, Date.now())
      assert.deepEqual([await statusOf(token), await statusOf(core)], [200, 200])
      assert.equal((await cloud.request('POST', '/api/auth/logout', { token: core })).status, 200)
      assert.equal(await statusOf(token), 401)
    })

    test('AUTH-55: a token of a suspended user is rejected on sockets too', async () => {
      const core = await cloud.token('banned@example.com')
      await cloud.operator.users.setSuspended(await userId('banned@example.com'), Date.now(), Date.now())
      const response = await fetch(`${cloud.url}/api/gallery`, {
        headers: { authorization: `Bearer ${core}` },
      })
      assert.equal(response.status, 401)
      const { authenticator } = cloud.cloud
      assert.deepEqual(await authenticator.authenticateToken(core, { scopes: ['core', 'glasses'] }), {
        ok: false,
        reason: 'suspended',
      })
      assert.equal(await authenticator.findUserByEmail('banned@example.com'), undefined)
    })
  })
})
