import assert from 'node:assert/strict'
import { once } from 'node:events'
import { before, describe, test } from 'node:test'
import { Glasses } from '@glasses-cloud/phone'
import { createSigner } from 'fast-jwt'
import { eitherDatabase } from '../../src/db/testing.ts'
import { suiteScope } from '../support/scope.ts'
import { type LocalCloud, startCloud, testSecret } from '../support/test-cloud.ts'

interface Refreshed {
  readonly coreToken: string
  readonly expiresIn: number
}

const lifetimeOf = (token: string) => {
  const { iat, exp } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
  return exp - iat
}

eitherDatabase((database) => {
  describe('refresh and logout', () => {
    const scope = suiteScope()
    let cloud: LocalCloud

    before(async () => {
      cloud = await startCloud(scope, { database })
    })

    const statusOf = async (token: string, path = '/api/account/me') =>
      (await cloud.request('GET', path, { token })).status
    const refresh = (token: string, path = '/api/auth/refresh') =>
      cloud.request<Refreshed>('POST', path, { token })
    const logOut = (token: string, path = '/api/auth/logout') => cloud.request('POST', path, { token })

    test('AUTH-15: refresh returns a new core token of the same user', async () => {
      const token = await cloud.token('ada@example.com')
      for (const path of ['/api/auth/refresh', '/auth/refresh']) {
        const { status, body } = await refresh(token, path)
        assert.deepEqual([status, body.expiresIn, lifetimeOf(body.coreToken)], [200, 86_400, 86_400])
        assert.notEqual(body.coreToken, token)
        assert.equal(await statusOf(body.coreToken), 200)
      }
      assert.equal(await statusOf(token), 200)
      for (const invalid of [await cloud.token('ada@example.com', { scope: 'glasses' }), 'nonsense']) {
        const { status, body } = await refresh(invalid)
        assert.deepEqual([status, body], [401, { error: 'Unauthorized' }])
      }
    })

    test('AUTH-15: refresh does not extend the lifetime of a token', async () => {
      const { body } = await refresh(await cloud.token('ada@example.com', { lifetimeMs: 3_600_000 }))
      assert.deepEqual([body.expiresIn, lifetimeOf(body.coreToken)], [3_600, 3_600])
      const now = Math.floor(Date.now() / 1000)
      const claims = { sub: 'x', email: 'ada@example.com', iat: now, exp: now + 365 * 86_400 }
      const foreign = createSigner({ key: testSecret, algorithm: 'HS256' })(claims)
      assert.equal((await refresh(foreign)).body.expiresIn, 86_400)
    })

    test('AUTH-16: logging out revokes every token of the user and nothing else', async () => {
      const tokens = [await cloud.token('out@example.com'), await cloud.token('out@example.com')]
      const [token = '', other = ''] = tokens
      const refreshed = (await refresh(token)).body.coreToken
      const glasses = await cloud.token('out@example.com', { scope: 'glasses' })
      const bystander = await cloud.token('in@example.com')
      await cloud.request('PUT', '/api/account/profile', { token, body: { name: 'Ada' } })

      const rejected = await logOut(glasses)
      assert.deepEqual([rejected.status, rejected.body], [401, { error: 'Unauthorized' }])
      const { status, body } = await logOut(token)
      assert.deepEqual([status, body], [200, { success: true, message: 'Logged out everywhere' }])
      for (const revoked of [token, other, refreshed]) assert.equal(await statusOf(revoked), 401)
      assert.equal(await statusOf(glasses, '/api/gallery'), 401)
      assert.equal((await refresh(token)).status, 401)
      assert.equal(await statusOf(bystander), 200)

      const again = await cloud.token('out@example.com')
      const me = await cloud.request<{ name: string }>('GET', '/api/account/me', { token: again })
      assert.deepEqual([me.status, me.body.name], [200, 'Ada'])
      assert.equal((await logOut(again, '/auth/logout')).status, 200)
      assert.equal(await statusOf(again), 401, 'a second logout within the same second revokes too')
    })

    test('AUTH-16: a token that belongs to no login', async (t) => {
      const token = await cloud.token('wearer@example.com')
      const glasses = new Glasses({ url: cloud.url, token })
      t.after(() => glasses.disconnect())
      await glasses.connect()
      const closed = once(glasses, 'close', { signal: AbortSignal.timeout(20_000) })
      assert.equal((await logOut(token)).status, 200)
      assert.equal((await closed)[0].code, 4401)
      const user = await cloud.operator.users.findByEmail('wearer@example.com')
      assert.equal(await cloud.cloud.sessions.find(user?.id ?? ''), undefined)
      await assert.rejects(new Glasses({ url: cloud.url, token, reconnect: false }).connect())
    })
  })
})
