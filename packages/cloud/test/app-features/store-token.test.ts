import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { eitherDatabase } from '../../src/db/testing.ts'
import { recentToken } from '../support/recent-token.ts'
import { startCloud } from '../support/test-cloud.ts'
import {
  canExchange,
  invalidToken,
  packageName,
  signIn,
  webviewURL,
  withClock,
} from '../support/webview-tokens.ts'

type Fields = Record<string, unknown>

describe('store tokens', () => {
  eitherDatabase((database) => {
    test('WEB-10 WEB-11: the store exchanges a token once for a core token that lives an hour', async (t) => {
      const env = { STORE_PACKAGE: packageName }
      const { cloud, advance } = await withClock(t, { database, env })
      await cloud.registerApp({ packageName, webviewURL })
      await cloud.registerApp({ packageName: 'other.app', webviewURL })
      const ada = await signIn(cloud)
      const exchangeAsStore = (token: string, name = packageName, path = '/api/auth/exchange-store-token') =>
        cloud.request<Fields>('POST', path, { body: { aos_temp_token: token, packageName: name } })
      const token = await ada.issueToken()
      const forbidden = await exchangeAsStore(token, 'other.app')
      assert.deepEqual(
        [forbidden.status, forbidden.body],
        [403, { error: 'Only the configured app store may request this token' }],
      )
      const { status, body } = await exchangeAsStore(token, packageName, '/auth/exchange-store-token')
      assert.deepEqual([status, body.success, body.userId], [200, true, 'ada@example.com'])
      const { coreToken } = body.tokens as { coreToken: string }
      const me = await cloud.request<Fields>('GET', '/api/account/me', { token: coreToken })
      assert.equal(me.body.email, 'ada@example.com')
      const { iat, exp } = JSON.parse(Buffer.from(coreToken.split('.')[1] ?? '', 'base64url').toString())
      assert.equal(exp - iat, 3_600)
      const repeated = await exchangeAsStore(token)
      assert.deepEqual([repeated.status, repeated.body], invalidToken)
      assert.equal((await exchangeAsStore(await ada.issueToken('other.app'))).status, 401)
      const expired = await ada.issueToken()
      advance(60_000)
      assert.equal((await exchangeAsStore(expired)).status, 401)
      assert.equal((await exchangeAsStore('')).status, 400)
    })

    test('WEB-12: the token of the store installs apps and does nothing else', async (t) => {
      const cloud = await startCloud(t, { database, env: { STORE_PACKAGE: packageName } })
      await cloud.registerApp({ packageName, webviewURL })
      await cloud.registerApp({ packageName: 'other.app', webviewURL })
      const ada = await signIn(cloud)
      const openStore = async () => {
        const body = { aos_temp_token: await ada.issueToken(), packageName }
        const exchanged = await cloud.request<Fields>('POST', '/api/auth/exchange-store-token', { body })
        return (exchanged.body.tokens as { coreToken: string }).coreToken
      }
      const token = await openStore()
      const statusOf = async (method: string, path: string, body?: unknown) =>
        (await cloud.request(method, path, { token, body })).status
      assert.equal(await statusOf('POST', '/api/apps/install/other.app'), 200)
      const { body: installed } = await cloud.request<Fields>('GET', '/api/apps/installed', { token })
      assert.ok(JSON.stringify(installed).includes('other.app'))
      assert.equal(await statusOf('POST', '/api/apps/uninstall/other.app'), 200)
      for (const [method, path, body] of [
        ['POST', '/api/auth/refresh', {}],
        ['POST', '/api/auth/glasses-token'],
        ['POST', '/api/auth/logout-everywhere'],
        ['GET', '/api/auth/logins'],
        ['POST', '/api/auth/tokens', { name: 'x', scopes: ['account'] }],
        ['PUT', '/api/account/profile', { name: 'Eve' }],
        ['POST', '/api/account/request-export', {}],
        ['POST', '/api/account/request-deletion'],
        ['GET', '/api/gallery'],
        ['GET', '/api/console/orgs'],
        ['POST', '/api/auth/generate-webview-token', { packageName: 'other.app' }],
      ] as const)
        assert.equal(await statusOf(method, path, body), 401, path)

      const { logins, db } = cloud.cloud
      const user = await cloud.operator.users.findByEmail('ada@example.com')
      const own = await logins.create(String(user?.id), {}, Date.now() - 60_000)
      for (let n = 0; n < 12; n += 1) await openStore()
      const rows = db.selectFrom('logins').select(['id', 'scope', 'user_agent'])
      const stored = await rows.execute()
      assert.equal(stored.filter(({ scope }) => scope === 'store').length, 10, 'the latest ten')
      assert.ok(stored.some(({ id }) => id === own.id))
      const latest = await openStore()
      assert.equal((await cloud.request('GET', '/api/account/me', { token: latest })).status, 200)
      await logins.removeAll(String(user?.id))
      assert.equal((await cloud.request('GET', '/api/account/me', { token: latest })).status, 401)
    })

    test('WEB-7: a temporary token ends with the login that it was issued to', async (t) => {
      const cloud = await startCloud(t, { database, env: { STORE_PACKAGE: packageName } })
      const { apiKey } = await cloud.registerApp({ packageName, webviewURL })
      const core = await recentToken(cloud, 'ada@example.com')
      const issue = async () => {
        const body = { packageName }
        const issued = await cloud.request<Fields>('POST', '/api/auth/generate-webview-token', {
          token: core,
          body,
        })
        return String(issued.body.token)
      }
      const [used, unused] = [await issue(), await issue()]
      assert.ok(await canExchange(cloud, { apiKey, packageName }, used))
      assert.equal((await cloud.request('POST', '/api/auth/logout', { token: core })).status, 200)
      assert.equal(await canExchange(cloud, { apiKey, packageName }, unused), false)
    })

    test('WEB-11: a store that is not published gets 401', async (t) => {
      const cloud = await startCloud(t, { database, env: { STORE_PACKAGE: packageName } })
      const draft = { packageName, webviewURL, appStoreStatus: 'DEVELOPMENT' as const }
      const { apiKey } = await cloud.registerApp({ ...draft, developerId: 'ada@example.com' })
      const ada = await signIn(cloud)
      const token = await ada.issueToken()
      const { status, body } = await cloud.request('POST', '/api/auth/exchange-store-token', {
        body: { aos_temp_token: token, packageName },
      })
      assert.deepEqual([status, body], invalidToken)
      assert.ok(await canExchange(cloud, { apiKey, packageName }, token))
    })

    test('WEB-11: without STORE_PACKAGE the exchange returns 501', async (t) => {
      const cloud = await startCloud(t, { database })
      await cloud.registerApp({ packageName, webviewURL })
      const ada = await signIn(cloud)
      const token = await ada.issueToken()
      const { status } = await cloud.request('POST', '/api/auth/exchange-store-token', {
        body: { aos_temp_token: token, packageName },
      })
      assert.equal(status, 501)
      const { apiKey } = await cloud.registerApp({ packageName, webviewURL })
      assert.ok(await canExchange(cloud, { apiKey, packageName }, token))
    })
  })
})
