import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { eitherDatabase } from '../../src/db/testing.ts'
import { Browser } from '../support/account-browser.ts'
import { deleteAccount, me } from '../support/deletion-client.ts'
import { suiteScope } from '../support/scope.ts'
import { type LocalCloud, startCloud } from '../support/test-cloud.ts'

const email = 'ada@example.com'
const password = 'correct horse battery'
const HOUR_MS = 60 * 60_000

eitherDatabase((database) => {
  describe('deletion of an account in a browser', () => {
    const scope = suiteScope()
    let cloud: LocalCloud
    let browser: Browser

    before(async () => {
      cloud = await startCloud(scope, { database, env: { SIGN_UP: 'open' } })
      assert.equal((await new Browser(cloud).signUp('root@example.com', password)).status, 200)
      assert.equal((await new Browser(cloud).signUp(email, password)).status, 200)
      browser = new Browser(cloud)
      assert.equal((await browser.signIn(email, password)).status, 200)
    })

    const remove = (body?: object) =>
      browser.request<{ error: string }>('POST', '/api/account/request-deletion', body)
    /** Lets all sign-ins have been an hour and a second ago. */
    const age = () =>
      cloud.cloud.db
        .updateTable('logins')
        .set((e) => ({ created_at: e('created_at', '-', HOUR_MS + 1_000) }))
        .execute()
    const exchange = async () =>
      String(
        (await browser.request<{ coreToken: string }>('POST', '/api/auth/exchange-token', {})).body.coreToken,
      )

    /** The core token of a device that this browser approves. */
    const approveDevice = async () => {
      const { body: codes } = await cloud.request<{ device_code: string; user_code: string }>(
        'POST',
        '/api/auth/device',
        { body: {} },
      )
      const decision = { userCode: codes.user_code }
      assert.equal((await browser.request('POST', '/api/auth/device/approve', decision)).status, 200)
      const { body } = await cloud.request<{ access_token: string }>('POST', '/api/auth/device/token', {
        body: { device_code: codes.device_code },
      })
      return body.access_token
    }

    test('DEL-16: requires the address and a recent sign-in, by cookie and by a token of the session', async () => {
      for (const body of [
        {},
        { reason: 'bye' },
        { email: '' },
        { email: 'eve@example.com' },
        { email: [email] },
      ]) {
        assert.equal((await remove(body)).status, 400, JSON.stringify(body))
      }
      const token = await exchange()
      assert.equal((await deleteAccount(cloud, token)).status, 400)
      await age()
      const refused = await remove({ email })
      assert.equal(refused.status, 403)
      assert.match(refused.body.error, /Sign in again first/)
      assert.equal((await deleteAccount(cloud, token, { email })).status, 403)
      const device = await approveDevice()
      assert.equal((await deleteAccount(cloud, device)).status, 400, 'a device without the address')
      assert.equal((await deleteAccount(cloud, device, { email })).status, 403, 'approved by an old sign-in')
      assert.equal((await browser.request('GET', '/api/account/deletion')).status, 200)
      assert.equal((await me(cloud, token)).status, 200)
    })

    test('DEL-16: goes on after a new sign-in', async () => {
      assert.equal((await browser.signIn(email, password)).status, 200)
      assert.deepEqual((await browser.request('GET', '/api/account/deletion')).body, {
        isLastAdministrator: false,
        isSignInRecent: true,
      })
      assert.equal((await remove({ email: ' Ada@Example.com ' })).status, 200)
      assert.equal(await cloud.operator.users.findByEmail(email), undefined)
      assert.equal(await browser.session(), null)
    })

    test('DEL-1 DEL-16: other clients need neither', async () => {
      const token = await cloud.token('carl@example.com')
      assert.equal((await deleteAccount(cloud, token, { reason: 'bye' })).status, 200)
    })
  })
})
