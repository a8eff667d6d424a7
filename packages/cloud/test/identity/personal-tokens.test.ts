import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { eitherDatabase } from '../../src/db/testing.ts'
import { MAX_PERSONAL_TOKENS } from '../../src/identity/index.ts'
import { Browser } from '../support/account-browser.ts'
import { recentToken } from '../support/recent-token.ts'
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

eitherDatabase((database) => {
  describe('personal access tokens', () => {
    const scope = suiteScope()
    let cloud: LocalCloud
    before(async () => {
      cloud = await startCloud(scope, { database, env: { LOG_LEVEL: 'warn' } })
    })

    const create = (token: string, body: object) => cloud.request<Created>('POST', path, { token, body })
    const list = async (token: string) => (await cloud.request<Listed>('GET', path, { token })).body.tokens
    const statusOf = async (token: string, url = '/api/account/me') =>
      (await cloud.request('GET', url, { token })).status
    const userId = async (email: string) => String((await cloud.operator.users.findByEmail(email))?.id)

    test('AUTH-50 AUTH-51: a personal token opens the endpoints of its scopes and no others', async () => {
      const core = await recentToken(cloud, 'ada@example.com')
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
      const core = await recentToken(cloud, 'expiring@example.com')
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
      const core = await recentToken(cloud, 'lister@example.com')
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
      const core = await recentToken(cloud, 'many@example.com')
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
      const core = await recentToken(cloud, 'bad@example.com')
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

    test('AUTH-56: only a recent sign-in creates tokens, of a device the one who approved it', async () => {
      const email = 'recent@example.com'
      const token = { name: 'ci', scopes: ['account'] }
      const hour = 60 * 60_000
      const statusFor = async (core: string) => (await create(core, token)).status
      assert.equal(await statusFor(await cloud.token(email)), 403, 'a token without a login')
      const [recent, old] = [
        await recentToken(cloud, email, 59 * 60_000),
        await recentToken(cloud, email, 2 * hour),
      ]
      assert.deepEqual([await statusFor(recent), await statusFor(old)], [200, 403])
      const line = cloud.logged.findLast(({ to }) => to === email)
      assert.match(String(line?.msg), /A personal access token was created/)
      assert.equal(line?.link, `${cloud.url}/account/sessions`)

      /** The core token of a device that a login approves. */
      const approvedBy = async (approver: string) => {
        interface Codes {
          readonly device_code: string
          readonly user_code: string
        }
        const { body } = await cloud.request<Codes>('POST', '/api/auth/device', { body: {} })
        const decision = { token: approver, body: { userCode: body.user_code } }
        assert.equal((await cloud.request('POST', '/api/auth/device/approve', decision)).status, 200)
        const { body: tokens } = await cloud.request<{ access_token: string }>(
          'POST',
          '/api/auth/device/token',
          {
            body: { device_code: body.device_code },
          },
        )
        return tokens.access_token
      }
      const device = await approvedBy(recent)
      assert.deepEqual([await statusFor(device), await statusFor(await approvedBy(old))], [200, 403])
      assert.equal(await statusFor(await approvedBy(device)), 200, 'it counts as the sign-in 59 minutes ago')
      assert.equal(await statusFor(await approvedBy(await cloud.token(email))), 403)
      const passkeys = '/api/auth/passkeys/registration-options'
      assert.equal((await cloud.request('POST', passkeys, { token: device })).status, 403)
    })

    test('ACCT-33 AUTH-56: a changed password revokes the tokens, unless they are to be kept', async () => {
      const admin = await cloud.operator.users.findOrCreate('admin@example.com', 1)
      await cloud.operator.users.setAdministrator(admin.id, true, 1)
      const browser = new Browser(cloud)
      await browser.signUp('changes@example.com', 'correct horse')
      const change = async (body: object) =>
        (await browser.request('POST', '/api/auth/change-password', body)).status
      const body = { name: 'ci', scopes: ['account'] }
      const { token } = (await browser.request<Created>('POST', path, body)).body
      const [first, second] = ['correct horse', 'battery staple']
      const keep = { currentPassword: first, newPassword: second, revokePersonalTokens: false }
      assert.deepEqual([await change(keep), await statusOf(token)], [200, 200])
      assert.deepEqual(
        [await change({ currentPassword: second, newPassword: first }), await statusOf(token)],
        [200, 401],
      )
    })

    test('AUTH-54: suspension and logging out revoke personal tokens', async () => {
      const core = await recentToken(cloud, 'paused@example.com')
      const { token } = (await create(core, { name: 'ci', scopes: ['account'] })).body
      const id = await userId('paused@example.com')
      await cloud.operator.users.setSuspended(id, Date.now(), Date.now())
      assert.deepEqual([await statusOf(token), await statusOf(core)], [401, 401])
      await cloud.operator.users.setSuspended(id, null, Date.now())
      assert.deepEqual([await statusOf(token), await statusOf(core)], [200, 200])
      assert.equal((await cloud.request('POST', '/api/auth/logout-everywhere', { token: core })).status, 200)
      assert.equal(await statusOf(token), 401)
    })

    test('AUTH-55: a token of a suspended user is rejected on sockets too', async () => {
      const core = await recentToken(cloud, 'banned@example.com')
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
