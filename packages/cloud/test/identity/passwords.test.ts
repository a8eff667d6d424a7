import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { eitherDatabase } from '../../src/db/testing.ts'
import { Browser, type SessionUser } from '../support/account-browser.ts'
import { startMailServer, tokenIn } from '../support/mail-server.ts'
import { suiteScope } from '../support/scope.ts'
import { type LocalCloud, startCloud, type TestCloud } from '../support/test-cloud.ts'
import { totpCode } from '../support/totp.ts'

type MailServer = Awaited<ReturnType<typeof startMailServer>>

const password = 'correct horse battery'
const newPassword = 'staple of another kind'

const requestReset = (cloud: TestCloud, email: string) =>
  cloud.request('POST', '/api/auth/request-password-reset', { body: { email } })
const reset = async (cloud: TestCloud, token: string) =>
  (await cloud.request('POST', '/api/auth/reset-password', { body: { token, newPassword } })).status

const codeOf = (uri: string) => totpCode(new URL(uri).searchParams.get('secret') ?? '')

eitherDatabase((database) => {
  describe('passwords', () => {
    const scope = suiteScope()
    let cloud: LocalCloud
    let mailServer: MailServer
    before(async () => {
      mailServer = await startMailServer(scope)
      cloud = await startCloud(scope, { database, env: { SMTP_URL: mailServer.url, LOG_LEVEL: 'debug' } })
      await new Browser(cloud).signUp('first@example.com', password)
    })

    test('ACCT-30 ACCT-31 ACCT-37: a reset link, used twice', async () => {
      const browser = new Browser(cloud)
      await browser.signUp('forgot@example.com', password)
      const core = await cloud.token('forgot@example.com')
      assert.equal((await requestReset(cloud, 'Forgot@Example.com')).status, 200)
      const mail = await mailServer.next('forgot@example.com')
      assert.ok(mail.text.includes(`${cloud.url}/reset-password#token=`))
      const token = tokenIn(mail)
      const stored = JSON.stringify(await cloud.cloud.db.selectFrom('verifications').selectAll().execute())
      assert.ok(!stored.includes(token), 'the token is stored as a hash')
      const short = { token, newPassword: '1234' }
      assert.equal((await cloud.request('POST', '/api/auth/reset-password', { body: short })).status, 400)
      assert.deepEqual((await Promise.all([reset(cloud, token), reset(cloud, token)])).sort(), [200, 400])
      assert.equal(await reset(cloud, token), 400)
      assert.match((await mailServer.next('forgot@example.com')).text, /password of your account was changed/)
      assert.equal((await browser.request('GET', '/api/account/me')).status, 401)
      assert.equal((await cloud.request('GET', '/api/account/me', { token: core })).status, 401)
      assert.equal((await browser.signIn('forgot@example.com', password)).status, 401)
      assert.equal((await browser.signIn('forgot@example.com', newPassword)).status, 200)
      assert.equal((await browser.request('GET', '/api/account/me')).status, 200)
      assert.ok(!JSON.stringify(cloud.logged).includes(token), 'the token is not logged')
    })

    test('ACCT-31: a second link and a pending sign-in', async () => {
      const browser = new Browser(cloud)
      await browser.signUp('twice@example.com', password)
      const setUp = await browser.request<{ totpURI: string }>('POST', '/api/auth/two-factor/enable', {
        password,
      })
      const code = () => ({ code: codeOf(setUp.body.totpURI) })
      await browser.request('POST', '/api/auth/two-factor/verify-totp', code())
      // Confirmed, so that the reset keeps the second factor.
      await cloud.cloud.db
        .updateTable('users')
        .set({ email_verified: 1 })
        .where('email', '=', 'twice@example.com')
        .execute()
      const waiting = new Browser(cloud)
      assert.equal((await waiting.signIn('twice@example.com', password)).body.twoFactorRedirect, true)
      const links: string[] = []
      for (let n = 0; n < 2; n += 1) {
        await requestReset(cloud, 'twice@example.com')
        links.push(tokenIn(await mailServer.next('twice@example.com')))
      }
      const [first = '', second = ''] = links
      assert.equal(await reset(cloud, second), 200)
      await mailServer.next('twice@example.com')
      assert.equal(await reset(cloud, first), 400)
      assert.equal((await waiting.request('POST', '/api/auth/two-factor/verify-totp', code())).status, 401)
    })

    test('ACCT-58: a reset of an unconfirmed account', async () => {
      const { db } = cloud.cloud
      const { body } = await new Browser(cloud).signUp('squatted@example.com', password)
      const user_id = body.user.id
      const times = { created_at: 1, updated_at: 1 }
      const linked = { id: 'linked-1', user_id, provider_id: 'example', account_id: 'squatter', ...times }
      await db.insertInto('sign_in_methods').values(linked).execute()
      const factor = { id: 'factor-1', user_id, secret: 's', backup_codes: '[]', verified: 1 }
      await db.insertInto('two_factors').values(factor).execute()
      await db.updateTable('users').set({ two_factor_enabled: 1 }).where('id', '=', user_id).execute()
      await requestReset(cloud, 'squatted@example.com')
      assert.equal(await reset(cloud, tokenIn(await mailServer.next('squatted@example.com'))), 200)
      await mailServer.next('squatted@example.com', 'was changed')
      const owner = await new Browser(cloud).signIn('squatted@example.com', newPassword)
      assert.deepEqual([owner.status, owner.body.twoFactorRedirect], [200, false])
      assert.notEqual(owner.body.user?.id, user_id)
      const methods = db.selectFrom('sign_in_methods').select('provider_id')
      const rows = await methods.where('user_id', '=', String(owner.body.user?.id)).execute()
      assert.deepEqual(
        rows.map((row) => row.provider_id),
        ['credential'],
      )
    })

    test('ACCT-30: a user without a password gets one; an expired link is rejected', async () => {
      await cloud.token('cli@example.com')
      await requestReset(cloud, 'cli@example.com')
      const token = tokenIn(await mailServer.next('cli@example.com'))
      assert.equal(await reset(cloud, token), 200)
      assert.equal((await new Browser(cloud).signIn('cli@example.com', newPassword)).status, 200)
      await mailServer.next('cli@example.com')
      await requestReset(cloud, 'cli@example.com')
      const expired = tokenIn(await mailServer.next('cli@example.com'))
      await cloud.cloud.db
        .updateTable('verifications')
        .set({ expires_at: Date.now() - 1 })
        .execute()
      assert.equal(await reset(cloud, expired), 400)
    })

    test('ACCT-32: the response does not reveal whether an address has an account', async () => {
      const [known, unknown] = [
        await requestReset(cloud, 'first@example.com'),
        await requestReset(cloud, 'x@example.com'),
      ]
      assert.deepEqual([known.status, known.body], [unknown.status, unknown.body])
      await mailServer.next('first@example.com')
      assert.deepEqual(mailServer.mails, [])
    })

    test('ACCT-33 ACCT-37: a password is changed by who knows it, other logins end, and a message reports it', async () => {
      const [browser, other] = [new Browser(cloud), new Browser(cloud)]
      await browser.signUp('change@example.com', password)
      await other.signIn('change@example.com', password)
      const change = (currentPassword: string) =>
        browser.request('POST', '/api/auth/change-password', { currentPassword, newPassword })
      assert.equal((await change('wrong')).status, 400)
      assert.equal((await change(password)).status, 200)
      const mail = await mailServer.next('change@example.com')
      assert.match(mail.text, /password of your account was changed/)
      assert.ok(mail.text.includes(`${cloud.url}/reset-password`))
      assert.deepEqual(mailServer.mails, [])
      assert.equal((await browser.request('GET', '/api/account/me')).status, 200)
      assert.equal((await other.request('GET', '/api/account/me')).status, 401)
      assert.equal((await new Browser(cloud).signIn('change@example.com', newPassword)).status, 200)
    })

    test('ACCT-33 ACCT-41: a core token does not act for the cookie of another user', async () => {
      const victim = new Browser(cloud)
      await victim.signUp('victim@example.com', password)
      const cookie = [...victim.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const token = await cloud.token('thief@example.com')
      const acts = {
        'change-password': { currentPassword: password, newPassword },
        'two-factor/enable': { password },
      }
      for (const [act, body] of Object.entries(acts)) {
        const options = { token, body, headers: { cookie, origin: cloud.url } }
        assert.equal((await cloud.request('POST', `/api/auth/${act}`, options)).status, 401)
      }
      assert.equal((await victim.signIn('victim@example.com', password)).status, 200)
    })

    test('ACCT-40 ACCT-41: a second factor is required once it is set up, and a backup code replaces it once', async () => {
      const browser = new Browser(cloud)
      await browser.signUp('factor@example.com', password)
      const enable = (candidate: string) =>
        browser.request<{ totpURI: string; backupCodes: string[] }>('POST', '/api/auth/two-factor/enable', {
          password: candidate,
        })
      assert.equal((await enable('wrong')).status, 400)
      const { totpURI, backupCodes } = (await enable(password)).body
      const verify = (on: Browser, code: string, kind = 'totp') =>
        on.request<{ user: SessionUser }>('POST', `/api/auth/two-factor/verify-${kind}`, { code })
      const before = new Browser(cloud)
      assert.equal((await before.signIn('factor@example.com', password)).body.twoFactorRedirect, false)
      assert.equal((await verify(browser, codeOf(totpURI))).status, 200)

      const next = new Browser(cloud)
      const { body } = await next.signIn('factor@example.com', password)
      assert.deepEqual(body, { token: null, user: null, twoFactorRedirect: true })
      assert.equal((await next.request('GET', '/api/account/me')).status, 401)
      assert.equal(await next.session(), null)
      for (const wrong of ['000000', '１２３４５６']) assert.equal((await verify(next, wrong)).status, 401)
      assert.equal((await verify(next, codeOf(totpURI))).status, 200)
      assert.equal((await next.session())?.user.twoFactorEnabled, true)
      const stored = JSON.stringify(await cloud.cloud.db.selectFrom('two_factors').selectAll().execute())
      for (const secret of [String(new URL(totpURI).searchParams.get('secret')), ...backupCodes])
        assert.ok(!stored.includes(secret), 'secrets are encrypted')

      const [code = ''] = backupCodes
      const lost = new Browser(cloud)
      await lost.signIn('factor@example.com', password)
      assert.equal((await verify(lost, code, 'backup-code')).status, 200)
      const again = new Browser(cloud)
      await again.signIn('factor@example.com', password)
      assert.equal((await verify(again, code, 'backup-code')).status, 401)

      const disable = { password }
      assert.equal((await next.request('POST', '/api/auth/two-factor/disable', disable)).status, 200)
      assert.equal(
        (await new Browser(cloud).signIn('factor@example.com', password)).body.twoFactorRedirect,
        false,
      )
    })

    test('ACCT-31 ACCT-43: a trusted browser requires no code, until the password is reset', async () => {
      const email = 'trusting@example.com'
      const browser = new Browser(cloud)
      await browser.signUp(email, password)
      const { totpURI } = (
        await browser.request<{ totpURI: string }>('POST', '/api/auth/two-factor/enable', { password })
      ).body
      const verify = (on: Browser) =>
        on.request('POST', '/api/auth/two-factor/verify-totp', { code: codeOf(totpURI), trustDevice: true })
      await verify(browser)
      const trusted = new Browser(cloud)
      assert.equal((await trusted.signIn(email, password)).body.twoFactorRedirect, true)
      await verify(trusted)
      const earlier = new Browser(cloud)
      for (const [name, value] of trusted.cookies) earlier.cookies.set(name, value)
      for (let n = 0; n < 2; n += 1) {
        await trusted.request('POST', '/api/auth/sign-out')
        assert.equal((await trusted.signIn(email, password)).body.twoFactorRedirect, false)
      }
      for (const stranger of [new Browser(cloud), earlier])
        assert.equal((await stranger.signIn(email, password)).body.twoFactorRedirect, true)
      // Confirmed, so that the reset keeps the second factor.
      await cloud.cloud.db
        .updateTable('users')
        .set({ email_verified: 1 })
        .where('email', '=', email)
        .execute()
      await requestReset(cloud, email)
      assert.equal(await reset(cloud, tokenIn(await mailServer.next(email))), 200)
      await mailServer.next(email)
      assert.equal((await trusted.signIn(email, newPassword)).body.twoFactorRedirect, true)
    })

    test('ACCT-42: codes of a second factor can be guessed a few times', async () => {
      const browser = new Browser(cloud)
      await browser.signUp('guess@example.com', password)
      const { totpURI } = (
        await browser.request<{ totpURI: string }>('POST', '/api/auth/two-factor/enable', { password })
      ).body
      await browser.request('POST', '/api/auth/two-factor/verify-totp', { code: codeOf(totpURI) })
      const attacker = new Browser(cloud)
      await attacker.signIn('guess@example.com', password)
      const cookies = new Map(attacker.cookies)
      const attempt = async (code: string) => {
        for (const [name, value] of cookies) attacker.cookies.set(name, value)
        return (await attacker.request('POST', '/api/auth/two-factor/verify-totp', { code })).status
      }
      for (let n = 0; n < 5; n += 1) assert.equal(await attempt('000000'), 401)
      assert.notEqual(await attempt(codeOf(totpURI)), 200)
      assert.equal(await attacker.session(), null)
    })
  })

  describe('confirmation of addresses', () => {
    test('ACCT-34: sign-in before and after the confirmation', async (t) => {
      const mailServer = await startMailServer(t)
      const cloud = await startCloud(t, {
        database,
        env: { SMTP_URL: mailServer.url, EMAIL_VERIFICATION: 'true' },
      })
      const first = await new Browser(cloud).signUp('first@example.com', password)
      assert.deepEqual([first.status, first.body.user.isAdministrator], [200, true])

      const browser = new Browser(cloud)
      const { status, body } = await browser.signUp('ada@example.com', password)
      assert.deepEqual([status, body.token, await browser.session()], [200, null, null])
      const link = await mailServer.next('ada@example.com')
      assert.equal((await browser.signIn('ada@example.com', password)).status, 403)
      await mailServer.next('ada@example.com')
      const other = new Browser(cloud)
      const start = performance.now()
      const existing = await other.signUp('ada@example.com', 'another password')
      assert.ok(performance.now() - start >= 250, 'as long as a sign-up that sends a link')
      assert.deepEqual([existing.status, existing.body.token], [200, null])
      assert.deepEqual([...other.cookies.keys()], [...browser.cookies.keys()])
      await mailServer.next('ada@example.com')

      const resend = (email: string) =>
        cloud.request('POST', '/api/auth/send-verification-email', { body: { email } })
      const [known, unknown] = [await resend('ada@example.com'), await resend('x@example.com')]
      assert.deepEqual([known.status, known.body], [unknown.status, unknown.body])
      await mailServer.next('ada@example.com')
      const verify = (token: string, from = browser) =>
        from.request<{ error?: string }>('POST', '/api/auth/verify-email', { token })
      assert.equal((await verify(`${tokenIn(link)}x`)).status, 400)
      assert.equal((await verify(tokenIn(link), other)).body.error, 'NEW_PASSWORD_REQUIRED')
      assert.equal((await verify(tokenIn(link))).status, 200)
      assert.equal((await verify(tokenIn(link))).status, 200, 'the response may be lost')
      const stranger = new Browser(cloud)
      assert.equal((await verify(tokenIn(link), stranger)).status, 200)
      assert.deepEqual([...stranger.cookies], [], 'a link that was used makes no browser known')
      assert.equal((await browser.signIn('ada@example.com', password)).status, 200)
      assert.equal((await browser.session())?.user.emailVerified, true)
    })
  })
})

describe('mail', () => {
  test('ACCT-35: a cloud without SMTP_URL', async (t) => {
    const cloud = await startCloud(t, { env: { LOG_LEVEL: 'warn' } })
    await cloud.token('ada@example.com')
    await requestReset(cloud, 'ada@example.com')
    const line = cloud.logged.find(({ to }) => to === 'ada@example.com')
    const token = /#token=(.+)$/.exec(String(line?.link))?.[1] ?? ''
    assert.equal(await reset(cloud, token), 200)
  })

  test('ACCT-36: a message that cannot be sent is reported, and the cloud stops', async (t) => {
    const cloud = await startCloud(t, { env: { SMTP_URL: 'smtp://127.0.0.1:9', LOG_LEVEL: 'error' } })
    await cloud.token('ada@example.com')
    assert.equal((await requestReset(cloud, 'ada@example.com')).status, 200)
    // The message waits for another attempt, which the end of the cloud makes the last.
    await cloud.stop()
    assert.ok(cloud.logged.some(({ msg }) => msg === 'mail: a message could not be sent'))
    assert.ok(!JSON.stringify(cloud.logged).includes('ada@example.com'))
  })

  test('ACCT-36: the log does not contain the address that the mail server rejects', async (t) => {
    const mailServer = await startMailServer(t, { rejects: true })
    const cloud = await startCloud(t, { env: { SMTP_URL: mailServer.url, LOG_LEVEL: 'error' } })
    await cloud.token('ada@example.com')
    await requestReset(cloud, 'ada@example.com')
    await cloud.cloud.features.auth.mailer.idle()
    const logged = JSON.stringify(cloud.logged)
    assert.match(logged, /550 5\.1\.1 <\[address\]> is refused/)
    assert.ok(!logged.includes('ada@example.com'))
  })
})
