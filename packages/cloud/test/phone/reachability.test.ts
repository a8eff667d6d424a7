import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { eitherDatabase } from '../../src/db/testing.ts'
import { suiteScope } from '../support/scope.ts'
import { type LocalCloud, startCloud } from '../support/test-cloud.ts'

interface Started {
  readonly code: string
  readonly expiresAt: string
  readonly publicUrl: string
}

const MINUTE_MS = 60_000

eitherDatabase((database) => {
  describe('the test whether a phone reaches the cloud', () => {
    const scope = suiteScope()
    let cloud: LocalCloud
    let token: string
    before(async () => {
      cloud = await startCloud(scope, {
        database,
        env: { LOG_LEVEL: 'trace', PUBLIC_URL: 'https://cloud.example.org', TRUST_PROXY: '127.0.0.1' },
      })
      token = await cloud.token('ada@example.com')
    })

    const start = async (by = token) =>
      (await cloud.request<Started>('POST', '/api/reachability-tests', { token: by })).body
    const report = (code: string, from = '192.0.2.1') =>
      cloud.request<{ message?: string }>('POST', '/api/reachability-tests/report', {
        body: { code },
        headers: { 'x-forwarded-for': from },
      })
    const state = async (code: string, by = token) => {
      const options = { token: by, body: { code } }
      return (await cloud.request<{ state: string }>('POST', '/api/reachability-tests/result', options)).body
        .state
    }
    /** Ends the time of all codes. */
    const expire = () =>
      cloud.cloud.db
        .updateTable('verifications')
        .set({ expires_at: Date.now() - 1 })
        .execute()

    test('CON-272 CON-273 CON-274: a code is reported without a sign-in, and its user sees it', async () => {
      const { code, expiresAt, publicUrl } = await start()
      assert.match(code, /^[\w-]{22}$/)
      assert.equal(publicUrl, 'https://cloud.example.org/')
      const leftMs = Date.parse(expiresAt) - Date.now()
      assert.ok(leftMs > 8 * MINUTE_MS && leftMs <= 10 * MINUTE_MS)
      assert.equal(await state(code), 'waiting')
      const { status, body } = await report(code)
      assert.deepEqual([status, body], [200, { success: true }])
      assert.equal(await state(code), 'reached')
    })

    test('CON-273: of concurrent reports of a code one is accepted; used, expired and unknown ones look alike', async () => {
      const { code } = await start()
      const reports = await Promise.all([1, 2, 3].map((n) => report(code, `198.51.100.${n}`)))
      assert.deepEqual(reports.map(({ status }) => status).sort(), [200, 404, 404])
      const expired = await start()
      await expire()
      const invalid = [await report(code), await report(expired.code), await report('unknown')]
      assert.deepEqual(new Set(invalid.map(({ status }) => status)), new Set([404]))
      assert.equal(new Set(invalid.map(({ body }) => JSON.stringify(body))).size, 1)
      assert.equal(await state(expired.code), 'ended')
    })

    test('CON-274: the result is that of the user who started it, for a limited time', async () => {
      const { code } = await start()
      const other = await cloud.token('eve@example.com')
      assert.equal(await state(code, other), 'ended')
      await report(code)
      assert.equal(await state(code, other), 'ended')
      assert.equal(await state(code), 'reached')
      await expire()
      assert.equal(await state(code), 'ended')
    })

    test('CON-273: a code permits nothing else, and codes for something else are none', async () => {
      const { code } = await start()
      for (const path of ['/api/account/me', '/api/session'])
        assert.equal((await cloud.request('GET', path, { token: code })).status, 401)
      const { body } = await cloud.request('POST', '/api/auth/reset-password', {
        body: { token: code, newPassword: 'correct horse battery' },
      })
      assert.match(JSON.stringify(body), /invalid, used or expired/)
      const { body: device } = await cloud.request<{ device_code: string; user_code: string }>(
        'POST',
        '/api/auth/device',
        { body: {} },
      )
      for (const foreign of [device.device_code, device.user_code])
        assert.equal((await report(foreign)).status, 404)
      assert.equal(await state(code), 'waiting')
    })

    test('CON-272 CON-273: codes are neither stored nor logged', async () => {
      const { code } = await start()
      await report(code)
      await report(code)
      const rows = await cloud.cloud.db.selectFrom('verifications').selectAll().execute()
      assert.ok(rows.length > 0)
      assert.ok(!JSON.stringify(rows).includes(code))
      const log = JSON.stringify(cloud.logged)
      assert.match(log, /reachability-tests\/report/)
      assert.ok(!log.includes(code))
    })

    test('CON-272: a user starts thirty tests within 15 minutes', async () => {
      const busy = await cloud.token('busy@example.com')
      const attempts = await Promise.all(
        Array.from({ length: 32 }, () => cloud.request('POST', '/api/reachability-tests', { token: busy })),
      )
      const rejected = attempts.filter(({ status }) => status === 429)
      assert.equal(rejected.length, 2)
      assert.ok(Number(rejected[0]?.headers.get('retry-after')) > 0)
      assert.match((await start()).code, /./, 'another user')
    })

    test('CON-273: a network reports thirty invalid codes within 15 minutes; valid ones do not count', async () => {
      const network = '203.0.113.7'
      const { code } = await start()
      assert.equal((await report(code, network)).status, 200)
      const guesses = await Promise.all(Array.from({ length: 32 }, (_, n) => report(`guess-${n}`, network)))
      assert.equal(guesses.filter(({ status }) => status === 404).length, 30)
      const { code: next } = await start()
      const rejected = await report(next, network)
      assert.deepEqual([rejected.status, Number(rejected.headers.get('retry-after')) > 0], [429, true])
      assert.equal(await state(next), 'waiting')
      assert.equal((await report(next, '203.0.113.8')).status, 200)
    })
  })
})
