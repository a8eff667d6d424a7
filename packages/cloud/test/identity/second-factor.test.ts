import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { eachDatabase } from '../../src/db/testing.ts'
import { Browser } from '../support/account-browser.ts'
import { suiteScope } from '../support/scope.ts'
import { type LocalCloud, startCloud } from '../support/test-cloud.ts'
import { totpCode } from '../support/totp.ts'

const password = 'correct horse battery'

eachDatabase((database) => {
  describe('second factor', () => {
    const scope = suiteScope()
    let cloud: LocalCloud
    before(async () => {
      cloud = await startCloud(scope, { database })
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
  })
})
