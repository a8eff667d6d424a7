import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { eachDatabase } from '../../src/db/testing.ts'
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
  eachDatabase((database) => {
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
