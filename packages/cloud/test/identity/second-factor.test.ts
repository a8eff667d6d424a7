import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { eachDatabase } from '../../src/db/testing.ts'
import { Browser } from '../support/account-browser.ts'
import { suiteScope } from '../support/scope.ts'
import { type LocalCloud, startCloud } from '../support/test-cloud.ts'
import { totpCode } from '../support/totp.ts'

const password = 'correct horse battery'
const newPassword = 'staple of another kind'

eachDatabase((database) => {
  describe('second factor', () => {
    const scope = suiteScope()
    let cloud: LocalCloud
    before(async () => {
      cloud = await startCloud(scope, { database, env: { LOG_LEVEL: 'warn' } })
      await new Browser(cloud).signUp('first@example.com', password)
    })

    const verify = (on: Browser, code: string, more: object = {}) =>
      on.request('POST', '/api/auth/two-factor/verify-totp', { code, ...more })

    const enable = async (browser: Browser) => {
      const { body } = await browser.request<{ totpURI: string; backupCodes: string[] }>(
        'POST',
        '/api/auth/two-factor/enable',
        { password },
      )
      const secret = new URL(body.totpURI).searchParams.get('secret') ?? ''
      return { ...body, code: () => totpCode(secret) }
    }

    /** Requests a reset link; without SMTP_URL, the log contains it. */
    const resetToken = async (email: string) => {
      await cloud.request('POST', '/api/auth/request-password-reset', { body: { email } })
      const { link } = cloud.logged.findLast((line) => line.to === email && 'link' in line) ?? {}
      return /#token=(.+)$/.exec(String(link))?.[1] ?? ''
    }

    const reset = async (token: string) => {
      const body = { token, newPassword }
      return (await cloud.request('POST', '/api/auth/reset-password', { body })).status
    }

    /** Signs up a user with a second factor. */
    const signUp = async (email: string) => {
      const browser = new Browser(cloud)
      const { body } = await browser.signUp(email, password)
      const { code, backupCodes } = await enable(browser)
      assert.equal((await verify(browser, code())).status, 200)
      return { browser, code, backupCodes, userId: body.user.id }
    }

    test('ACCT-40: a browser with a session signs in again, and as another user', async () => {
      const { browser, code } = await signUp('again@example.com')
      const earlier = (await browser.session())?.session.id
      assert.equal((await browser.signIn('again@example.com', password)).body.twoFactorRedirect, true)
      assert.equal(await browser.session(), null)
      assert.equal((await verify(browser, code())).status, 200)
      assert.notEqual((await browser.session())?.session.id, earlier)

      const other = new Browser(cloud)
      await other.signUp('other@example.com', password)
      const cookies = [...other.cookies]
      await other.signIn('again@example.com', password)
      // The cookie of the session, as if it had been renewed meanwhile.
      for (const [name, value] of cookies) other.cookies.set(name, value)
      assert.equal((await verify(other, code())).status, 200)
      assert.equal((await other.session())?.user.email, 'again@example.com')
    })

    test('ACCT-40: a sign-in that is abandoned for another one does not receive its codes', async () => {
      await signUp('abandoned@example.com')
      const browser = new Browser(cloud)
      assert.equal((await browser.signIn('abandoned@example.com', password)).body.twoFactorRedirect, true)
      await browser.signUp('instead@example.com', password)
      const { code } = await enable(browser)
      assert.equal((await verify(browser, code())).status, 200)
      const user = (await browser.session())?.user
      assert.deepEqual([user?.email, user?.twoFactorEnabled], ['instead@example.com', true])
    })

    test('ACCT-33: a changed password ends reset links, waiting sign-ins and the trust of browsers', async () => {
      const email = 'changed@example.com'
      const { browser, code } = await signUp(email)
      const [trusted, waiting] = [new Browser(cloud), new Browser(cloud)]
      await trusted.signIn(email, password)
      await verify(trusted, code(), { trustDevice: true })
      await waiting.signIn(email, password)
      const token = await resetToken(email)
      const change = { currentPassword: password, newPassword }
      assert.equal((await browser.request('POST', '/api/auth/change-password', change)).status, 200)
      assert.equal((await verify(waiting, code())).status, 401)
      assert.equal((await trusted.signIn(email, newPassword)).body.twoFactorRedirect, true)
      assert.equal(await reset(token), 400)
    })
  })
})
