import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { eitherDatabase } from '../../src/db/testing.ts'
import { Browser } from '../support/account-browser.ts'
import { suiteScope } from '../support/scope.ts'
import { type LocalCloud, startCloud } from '../support/test-cloud.ts'

interface Codes {
  readonly device_code: string
  readonly user_code: string
  readonly verification_uri: string
  readonly verification_uri_complete: string
  readonly expires_in: number
  readonly interval: number
}

interface Tokens {
  readonly access_token: string
  readonly refresh_token: string
  readonly token_type: string
  readonly error?: string
}

eitherDatabase((database) => {
  describe('device sign-in', () => {
    const scope = suiteScope()
    let cloud: LocalCloud
    let token: string
    before(async () => {
      cloud = await startCloud(scope, { database })
      token = await cloud.token('ada@example.com')
    })

    const start = async (body: object = {}) =>
      (await cloud.request<Codes>('POST', '/api/auth/device', { body })).body
    const poll = (device_code: string) =>
      cloud.request<Tokens>('POST', '/api/auth/device/token', {
        body: { device_code, grant_type: 'urn:ietf:params:oauth:grant-type:device_code' },
      })
    const decide = (decision: string, userCode: string, by = token) =>
      cloud.request('POST', `/api/auth/device/${decision}`, { token: by, body: { userCode } })
    /** Lets the time pass that a device has to wait between polls. */
    const waitInterval = () =>
      cloud.cloud.db
        .updateTable('device_codes')
        .set((e) => ({ last_polled_at: e('last_polled_at', '-', 60_000) }))
        .execute()
    const errorOf = async (deviceCode: string) => {
      const { status, body } = await poll(deviceCode)
      return [status, body.error]
    }

    test('DEVS-1 DEVS-2: a device from its code to its tokens, and again', async () => {
      const codes = await start({ client_name: 'Terminal' })
      assert.match(codes.user_code, /^[B-Z]{4}-[B-Z]{4}$/)
      assert.deepEqual([codes.expires_in, codes.interval], [600, 5])
      assert.equal(codes.verification_uri, `${cloud.url}/device`)
      assert.equal(codes.verification_uri_complete, `${cloud.url}/device#code=${codes.user_code}`)
      assert.deepEqual(await errorOf(codes.device_code), [400, 'authorization_pending'])
      const path = `/api/auth/device/${codes.user_code.toLowerCase().replace('-', ' ')}`
      const shown = await cloud.request<{ clientName: string }>('GET', encodeURI(path), { token })
      assert.deepEqual([shown.status, shown.body.clientName], [200, 'Terminal'])
      assert.equal((await decide('approve', codes.user_code.toLowerCase())).status, 200)

      assert.equal((await decide('approve', codes.user_code)).status, 200, 'the response may be lost')
      assert.equal((await decide('deny', codes.user_code)).status, 404)
      assert.equal(
        (await decide('approve', codes.user_code, await cloud.token('eve@example.com'))).status,
        404,
      )

      const results = await Promise.all([poll(codes.device_code), poll(codes.device_code)])
      results.push(await poll(codes.device_code))
      assert.deepEqual(
        results.map(({ status }) => status),
        [200, 200, 200],
      )
      assert.equal(new Set(results.map(({ body }) => body.refresh_token)).size, 1)
      const [{ body: tokens }] = results
      assert.equal(tokens.token_type, 'Bearer')
      const { body: list } = await cloud.request<{ logins: unknown[] }>('GET', '/api/auth/logins', {
        token: tokens.access_token,
      })
      assert.equal(list.logins.length, 1)
      const me = await cloud.request<{ email: string }>('GET', '/api/account/me', {
        token: tokens.access_token,
      })
      assert.equal(me.body.email, 'ada@example.com')
      const body = { refreshToken: tokens.refresh_token }
      assert.equal((await cloud.request('POST', '/api/auth/refresh', { body })).status, 200)
      assert.deepEqual(await errorOf(codes.device_code), [400, 'invalid_grant'])
      assert.equal(
        (await cloud.request('GET', '/api/account/me', { token: tokens.access_token })).status,
        200,
      )
    })

    test('DEVS-2: a login that was ended is not created again by its device code', async () => {
      const { user_code: userCode, device_code: deviceCode } = await start()
      assert.equal((await decide('approve', userCode)).status, 200)
      const { body: tokens } = await poll(deviceCode)
      const logOut = { token: tokens.access_token }
      assert.equal((await cloud.request('POST', '/api/auth/logout', logOut)).status, 200)
      assert.deepEqual(await errorOf(deviceCode), [400, 'invalid_grant'])
    })

    test('DEVS-3: a denied, expired or unknown code gives no tokens', async () => {
      const denied = await start()
      assert.equal((await decide('deny', denied.user_code)).status, 200)
      assert.equal((await decide('approve', denied.user_code)).status, 404)
      for (let n = 0; n < 2; n += 1)
        assert.deepEqual(await errorOf(denied.device_code), [400, 'access_denied'])
      const expired = await start()
      await cloud.cloud.db
        .updateTable('device_codes')
        .set({ expires_at: Date.now() - 1 })
        .execute()
      assert.equal((await decide('approve', expired.user_code)).status, 404)
      assert.deepEqual(await errorOf(expired.device_code), [400, 'expired_token'])
      assert.deepEqual(await errorOf('unknown'), [400, 'invalid_grant'])
      const { device_code: deviceCode, user_code: userCode } = await start()
      assert.deepEqual(await errorOf(userCode), [400, 'invalid_grant'])
      const rows = await cloud.cloud.db.selectFrom('device_codes').selectAll().execute()
      assert.ok(!JSON.stringify(rows).includes(deviceCode), 'the device code is stored as a hash')
    })

    test('DEVS-4: a device that asks too often is told to slow down', async () => {
      const { device_code: code } = await start()
      assert.deepEqual(await errorOf(code), [400, 'authorization_pending'])
      assert.deepEqual(await errorOf(code), [400, 'slow_down'])
      await waitInterval()
      assert.deepEqual(await errorOf(code), [400, 'authorization_pending'])
    })

    test('DEVS-5: codes can be guessed ten times', async () => {
      const guesser = await cloud.token('guesser@example.com')
      const { user_code: userCode } = await start()
      const { user_code: own } = await start()
      for (let n = 0; n < 10; n += 1) {
        const path = `/api/auth/device/${own}`
        assert.equal((await cloud.request('GET', path, { token: guesser })).status, 200)
        assert.equal((await decide('approve', 'BBBB-BBBB', guesser)).status, 404)
      }
      assert.equal((await decide('approve', userCode, guesser)).status, 429)
      assert.equal((await decide('approve', userCode)).status, 200)
    })

    test('DEVS-7: a network starts thirty device sign-ins within 15 minutes', async (t) => {
      const limited = await startCloud(t, { database, env: { TRUST_PROXY: '127.0.0.1' } })
      const startAt = async (address: string) =>
        limited.request('POST', '/api/auth/device', { body: {}, headers: { 'x-forwarded-for': address } })
      const statuses = await Promise.all(
        Array.from({ length: 33 }, async (_, n) => (await startAt(`2001:db8::${n + 1}`)).status),
      )
      assert.equal(statuses.filter((status) => status === 200).length, 30)
      const rejected = await startAt('2001:db8::1')
      assert.deepEqual([rejected.status, Number(rejected.headers.get('retry-after')) > 0], [429, true])
      assert.equal((await startAt('2001:db8:0:1::1')).status, 200)
    })

    test('DEVS-6: an approval ends with the logins of the user', async () => {
      const browser = new Browser(cloud)
      await browser.signUp('first@example.com', 'correct horse')
      const approved = async () => {
        const { user_code: userCode, device_code: deviceCode } = await start()
        assert.equal((await browser.request('POST', '/api/auth/device/approve', { userCode })).status, 200)
        return deviceCode
      }
      const beforeChange = await approved()
      const change = { currentPassword: 'correct horse', newPassword: 'battery staple' }
      assert.equal((await browser.request('POST', '/api/auth/change-password', change)).status, 200)
      assert.deepEqual(await errorOf(beforeChange), [400, 'invalid_grant'])
      await browser.signIn('first@example.com', 'battery staple')
      const beforeLogout = await approved()
      assert.equal((await browser.request('POST', '/api/auth/logout-everywhere')).status, 200)
      assert.deepEqual(await errorOf(beforeLogout), [400, 'invalid_grant'])
    })

    test('DEVS-3: a suspended user is not signed in', async () => {
      const paused = await cloud.token('paused@example.com')
      const { user_code: userCode, device_code: deviceCode } = await start()
      assert.equal((await decide('approve', userCode, paused)).status, 200)
      const user = await cloud.operator.users.findByEmail('paused@example.com')
      await cloud.operator.users.setSuspended(String(user?.id), Date.now(), Date.now())
      assert.deepEqual(await errorOf(deviceCode), [400, 'access_denied'])
    })
  })
})
