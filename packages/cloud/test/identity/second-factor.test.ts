import assert from 'node:assert/strict'
import { before, beforeEach, describe, test } from 'node:test'
import { eitherDatabase } from '../../src/db/testing.ts'
import { PasswordHasher } from '../../src/features/auth/password/password-hasher.ts'
import { SecondFactorStore } from '../../src/features/auth/second-factor/second-factor-store.ts'
import { SecondFactors } from '../../src/features/auth/second-factor/second-factors.ts'
import { VerificationStore } from '../../src/features/auth/verification-store.ts'
import { LoginStore } from '../../src/identity/index.ts'
import { Browser } from '../support/account-browser.ts'
import { suiteScope } from '../support/scope.ts'
import { type LocalCloud, startCloud, testSecret } from '../support/test-cloud.ts'
import { totpCode } from '../support/totp.ts'

const password = 'correct horse battery'
const newPassword = 'staple of another kind'

eitherDatabase((database) => {
  describe('second factor', () => {
    const scope = suiteScope()
    let cloud: LocalCloud
    before(async () => {
      cloud = await startCloud(scope, { database, env: { LOG_LEVEL: 'warn' } })
      await new Browser(cloud).signUp('first@example.com', password)
    })

    // The tests share the budget of one address.
    beforeEach(() => cloud.cloud.db.deleteFrom('guesses').execute())

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

    /** Confirms the address of a user, so that a reset keeps the second factor. */
    const keepsFactor = (userId: string) =>
      cloud.cloud.db.updateTable('users').set({ email_verified: 1 }).where('id', '=', userId).execute()

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

    test('ACCT-40: a code activates only the factor that it belongs to', async (t) => {
      const browser = new Browser(cloud)
      await browser.signUp('replaced@example.com', password)
      const { code } = await enable(browser)
      const { activate } = SecondFactorStore.prototype
      const mocked = t.mock.method(
        SecondFactorStore.prototype,
        'activate',
        async function (this: SecondFactorStore, ...args: Parameters<SecondFactorStore['activate']>) {
          mocked.mock.restore()
          await enable(browser)
          return activate.apply(this, args)
        },
      )
      assert.equal((await verify(browser, code())).status, 401)
      assert.equal((await browser.session())?.user.twoFactorEnabled, false)
    })

    test('ACCT-44: a code signs in once, also of concurrent sign-ins', async () => {
      const { browser, code } = await signUp('replay@example.com')
      const seen = code()
      assert.equal((await verify(browser, seen)).status, 200)
      const waiting = await Promise.all(
        Array.from({ length: 4 }, async () => {
          const next = new Browser(cloud)
          await next.signIn('replay@example.com', password)
          return next
        }),
      )
      const [observer] = waiting
      assert.ok(observer)
      assert.equal((await verify(observer, seen)).status, 401)
      const fresh = code()
      const statuses = await Promise.all(waiting.map(async (next) => (await verify(next, fresh)).status))
      assert.deepEqual(statuses.toSorted(), [200, 401, 401, 401])
    })

    test('ACCT-31 ACCT-41: a reset during a change of the factor rejects it', async (t) => {
      const change = async (email: string, path: string) => {
        const { browser, userId, backupCodes } = await signUp(email)
        await keepsFactor(userId)
        const token = await resetToken(email)
        const { verify: verifyPassword } = PasswordHasher.prototype
        const mocked = t.mock.method(
          PasswordHasher.prototype,
          'verify',
          async function (this: PasswordHasher, ...args: Parameters<PasswordHasher['verify']>) {
            mocked.mock.restore()
            const matches = await verifyPassword.apply(this, args)
            assert.equal(await reset(token), 200)
            return matches
          },
        )
        assert.equal(
          (await browser.request('POST', `/api/auth/two-factor/${path}`, { password })).status,
          400,
        )
        const next = new Browser(cloud)
        assert.equal((await next.signIn(email, newPassword)).body.twoFactorRedirect, true)
        const body = { code: backupCodes[0] }
        assert.equal(
          (await next.request('POST', '/api/auth/two-factor/verify-backup-code', body)).status,
          200,
        )
      }
      await change('disables@example.com', 'disable')
      await change('regenerates@example.com', 'generate-backup-codes')

      const email = 'enables@example.com'
      const browser = new Browser(cloud)
      await browser.signUp(email, password)
      const { code } = await enable(browser)
      const token = await resetToken(email)
      const { activate } = SecondFactorStore.prototype
      const mocked = t.mock.method(
        SecondFactorStore.prototype,
        'activate',
        async function (this: SecondFactorStore, ...args: Parameters<SecondFactorStore['activate']>) {
          mocked.mock.restore()
          const user = await cloud.operator.users.findByEmail(email)
          await keepsFactor(user?.id ?? '')
          assert.equal(await reset(token), 200)
          return activate.apply(this, args)
        },
      )
      assert.equal((await verify(browser, code())).status, 401)
      assert.equal((await new Browser(cloud).signIn(email, newPassword)).body.twoFactorRedirect, false)
    })

    test('ACCT-43: a trusted browser whose trust ends during its sign-in requires a code', async (t) => {
      const email = 'distrusted@example.com'
      const { code, userId } = await signUp(email)
      const trusted = new Browser(cloud)
      await trusted.signIn(email, password)
      await verify(trusted, code(), { trustDevice: true })
      const { find } = VerificationStore.prototype
      const mocked = t.mock.method(
        VerificationStore.prototype,
        'find',
        async function (this: VerificationStore, ...args: Parameters<VerificationStore['find']>) {
          mocked.mock.restore()
          const found = await find.apply(this, args)
          await this.removeFor(userId)
          return found
        },
      )
      assert.equal((await trusted.signIn(email, password)).body.twoFactorRedirect, true)
    })

    test('ACCT-42: codes can be guessed a few times in a session', async () => {
      const { browser, code } = await signUp('session@example.com')
      for (let n = 0; n < 10; n += 1) assert.equal((await verify(browser, '000000')).status, 401)
      const { status, headers } = await verify(browser, code())
      assert.equal(status, 429)
      assert.ok(Number(headers.get('retry-after')) > 0)
    })

    test('SHARE-10: codes of a factor that the previous AUTH_SECRET encrypted', async () => {
      const { browser, backupCodes, userId } = await signUp('secret@example.com')
      const user = await cloud.operator.users.findById(userId)
      assert.ok(user)
      const verifyWith = (...secrets: string[]) =>
        new SecondFactors({
          store: new SecondFactorStore(cloud.cloud.db),
          secrets,
          now: Date.now,
        }).verify(user, { code: backupCodes[0] ?? '', kind: 'backup' })
      await assert.rejects(verifyWith('the next secret'), /a secret that is not configured/)
      await verifyWith('the next secret', testSecret)
      assert.equal((await browser.session())?.user.twoFactorEnabled, true)
    })

    test('ACCT-8 ACCT-40: no session of a suspended user, and no revoked one, activates a factor', async () => {
      const now = Date.now()
      for (const [name, change] of Object.entries({
        suspended: { suspended_at: now },
        revoked: { tokens_valid_from: now + 3_600_000 },
      })) {
        const browser = new Browser(cloud)
        const { body } = await browser.signUp(`${name}@example.com`, password)
        const { code } = await enable(browser)
        await cloud.cloud.db.updateTable('users').set(change).where('id', '=', body.user.id).execute()
        assert.equal((await verify(browser, code())).status, 401, name)
        const factors = cloud.cloud.db.selectFrom('two_factors').select('verified')
        const rows = await factors.where('user_id', '=', body.user.id).execute()
        assert.deepEqual(
          rows.map(({ verified }) => verified),
          [0],
          name,
        )
      }
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

    test('ACCT-31: a sign-in during a reset, with a password, a trusted browser or a code, is rejected', async (t) => {
      const email = 'during@example.com'
      const plain = 'plain@example.com'
      await new Browser(cloud).signUp(plain, password)
      const { code, userId } = await signUp(email)
      await keepsFactor(userId)
      const [trusted, waiting] = [new Browser(cloud), new Browser(cloud)]
      await trusted.signIn(email, password)
      await verify(trusted, code(), { trustDevice: true })

      const { create } = LoginStore.prototype
      /** Resets the password just before the next login is stored. */
      const resetBeforeLogin = async (address: string) => {
        const token = await resetToken(address)
        const mocked = t.mock.method(
          LoginStore.prototype,
          'create',
          async function (this: LoginStore, ...args: Parameters<LoginStore['create']>) {
            mocked.mock.restore()
            assert.equal(await reset(token), 200)
            return create.apply(this, args)
          },
        )
      }
      const logins = () =>
        cloud.cloud.db.selectFrom('logins').select('id').where('user_id', '=', userId).execute()

      await resetBeforeLogin(plain)
      const browser = new Browser(cloud)
      assert.equal((await browser.signIn(plain, password)).status, 401)
      assert.equal(await browser.session(), null)

      await resetBeforeLogin(email)
      assert.equal((await trusted.signIn(email, password)).status, 401)
      assert.deepEqual(await logins(), [])
      assert.equal((await trusted.signIn(email, newPassword)).body.twoFactorRedirect, true)

      await waiting.signIn(email, newPassword)
      await resetBeforeLogin(email)
      assert.equal((await verify(waiting, code(), { trustDevice: true })).status, 401)
      assert.deepEqual(await logins(), [])
      assert.equal((await waiting.signIn(email, newPassword)).body.twoFactorRedirect, true)
    })

    test('ACCT-31: a sign-in during a reset does not wait for a code', async (t) => {
      const email = 'wait@example.com'
      const { userId } = await signUp(email)
      await keepsFactor(userId)
      const token = await resetToken(email)
      const { add } = VerificationStore.prototype
      const mocked = t.mock.method(
        VerificationStore.prototype,
        'add',
        async function (this: VerificationStore, ...args: Parameters<VerificationStore['add']>) {
          mocked.mock.restore()
          assert.equal(await reset(token), 200)
          return add.apply(this, args)
        },
      )
      const browser = new Browser(cloud)
      assert.equal((await browser.signIn(email, password)).status, 401)
      assert.equal(browser.cookies.size, 0)
      const left = cloud.cloud.db.selectFrom('verifications').select('id').where('value', '=', userId)
      assert.deepEqual(await left.execute(), [])
    })

    test('ACCT-31 ACCT-33: a reset at the end of a change of the password leaves no session', async (t) => {
      const email = 'late@example.com'
      const browser = new Browser(cloud)
      await browser.signUp(email, password)
      const { create } = LoginStore.prototype
      const mocked = t.mock.method(
        LoginStore.prototype,
        'create',
        async function (this: LoginStore, ...args: Parameters<LoginStore['create']>) {
          mocked.mock.restore()
          assert.equal(await reset(await resetToken(email)), 200)
          return create.apply(this, args)
        },
      )
      const change = { currentPassword: password, newPassword: 'the choice of a thief' }
      assert.equal((await browser.request('POST', '/api/auth/change-password', change)).status, 400)
      assert.equal(await browser.session(), null)
    })

    test('ACCT-31 ACCT-33: a change of the password during a reset is rejected', async (t) => {
      const email = 'undo@example.com'
      const browser = new Browser(cloud)
      await browser.signUp(email, password)
      const token = await resetToken(email)
      const { hash } = PasswordHasher.prototype
      const mocked = t.mock.method(
        PasswordHasher.prototype,
        'hash',
        async function (this: PasswordHasher, candidate: string) {
          mocked.mock.restore()
          assert.equal(await reset(token), 200)
          return hash.call(this, candidate)
        },
      )
      const change = { currentPassword: password, newPassword: 'the choice of a thief' }
      assert.equal((await browser.request('POST', '/api/auth/change-password', change)).status, 400)
      assert.equal(await browser.session(), null)
      assert.equal((await new Browser(cloud).signIn(email, newPassword)).status, 200)
    })
  })
})
