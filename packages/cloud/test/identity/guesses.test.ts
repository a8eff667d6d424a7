import assert from 'node:assert/strict'
import { before, beforeEach, describe, test } from 'node:test'
import { eitherDatabase } from '../../src/db/testing.ts'
import { GuessLimiter, GuessStore } from '../../src/identity/index.ts'
import { Browser } from '../support/account-browser.ts'
import { suiteScope } from '../support/scope.ts'
import { type LocalCloud, startCloud, testSecret } from '../support/test-cloud.ts'
import { totpCode } from '../support/totp.ts'

const password = 'correct horse battery'

eitherDatabase((database) => {
  describe('guesses of strangers', () => {
    const scope = suiteScope()
    let cloud: LocalCloud
    before(async () => {
      // The first proxy, the test itself, names the network of each client.
      cloud = await startCloud(scope, { database, env: { TRUST_PROXY: '127.0.0.1', LOG_LEVEL: 'warn' } })
      const admin = await cloud.operator.users.findOrCreate('admin@example.com', 1)
      await cloud.operator.users.setAdministrator(admin.id, true, 1)
    })
    beforeEach(() => cloud.cloud.db.deleteFrom('guesses').execute())

    const browserAt = (address: string) =>
      new Browser(cloud, { origin: cloud.url, 'x-forwarded-for': address })

    /** Signs up in a network, and returns the browser. */
    const signUp = async (email: string) => {
      const browser = browserAt('192.0.2.1')
      assert.equal((await browser.signUp(email, password)).status, 200)
      return browser
    }

    const statusOf = async (browser: Browser, email: string, guess: string) =>
      (await browser.signIn(email, guess)).status

    /** Sends wrong guesses at the same time. @returns the statuses, each once */
    const guess = async (browserOf: (n: number) => Browser, email: string, times: number) => {
      const guesses = Array.from({ length: times }, (_, n) => statusOf(browserOf(n), email, 'wrong'))
      return [...new Set(await Promise.all(guesses))].sort()
    }

    /** Counts guesses of strangers in many networks. */
    const attack = async (purpose: string, subject: string, guesses: number) => {
      const limiter = new GuessLimiter(new GuessStore(cloud.cloud.db), testSecret, Date.now)
      const limit = { purpose: `${purpose} from all networks`, subject, attempts: 1, windowMs: 900_000 }
      for (let n = 0; n < guesses; n += 1) await limiter.attempt(limit)
    }

    test('ACCT-12: guesses in one network lock out that network only', async () => {
      const email = 'ada@example.com'
      await signUp(email)
      assert.deepEqual(await guess((n) => browserAt(`2001:db8::${n + 1}`), email, 10), [401])
      const next = await browserAt('2001:db8::ffff').signIn(email, password)
      assert.equal(next.status, 429, 'a /64 is one network')
      assert.ok(Number(next.headers.get('retry-after')) > 0)
      assert.equal(await statusOf(browserAt('2001:db8:0:1::1'), email, password), 200)
    })

    test('ACCT-12: a browser where the user signed in has guesses of its own', async () => {
      const email = 'known@example.com'
      const own = await signUp(email)
      await own.request('POST', '/api/auth/sign-out')
      const colleague = browserAt('192.0.2.1')
      assert.equal((await colleague.signUp('colleague@example.com', password)).status, 200)
      assert.deepEqual(await guess(() => colleague, email, 10), [401])
      assert.equal(await statusOf(colleague, email, password), 429)
      assert.deepEqual(await guess(() => own, email, 9), [401])
      assert.equal(await statusOf(own, email, password), 200)
      assert.deepEqual(await guess(() => own, email, 10), [401])
      assert.equal(await statusOf(own, email, password), 429)
    })

    test('ACCT-12: the cookie is replaced by each sign-in, for all users of the browser', async () => {
      const [first, second] = ['one@example.com', 'two@example.com']
      const browser = await signUp(first)
      const planted = new Map(browser.cookies)
      assert.equal((await browser.signUp(second, password)).status, 200)
      assert.ok(
        [...browser.cookies].every(([name, value]) => planted.get(name) !== value),
        'no cookie is kept',
      )
      const isKnown = async (email: string, cookies: ReadonlyMap<string, string>) => {
        await cloud.cloud.db.deleteFrom('guesses').execute()
        const guesser = browserAt('192.0.2.9')
        await guess(() => guesser, email, 10)
        for (const [name, value] of cookies) guesser.cookies.set(name, value)
        return (await statusOf(guesser, email, 'wrong')) === 401
      }
      assert.deepEqual(
        [await isKnown(first, browser.cookies), await isKnown(second, browser.cookies)],
        [true, true],
      )
      assert.equal(await isKnown(first, planted), false)
      assert.equal(await isKnown('nobody@example.com', browser.cookies), false)
      const stored = await cloud.cloud.db.selectFrom('known_browsers').selectAll().execute()
      for (const value of browser.cookies.values()) assert.ok(!JSON.stringify(stored).includes(value))
    })

    test('ACCT-12: guesses from many networks leave every network three', async () => {
      const email = 'attacked@example.com'
      const own = await signUp(email)
      await attack('sign-in', email, 100)
      const stranger = browserAt('198.51.100.1')
      assert.deepEqual(await guess(() => stranger, email, 3), [401])
      assert.equal(await statusOf(stranger, email, password), 429)
      assert.equal(await statusOf(browserAt('198.51.100.2'), email, password), 200)
      assert.equal(await statusOf(own, email, password), 200)
    })

    test('ACCT-12: after 1,000 guesses, only known browsers and a reset sign in', async () => {
      const email = 'besieged@example.com'
      const own = await signUp(email)
      await attack('sign-in', email, 999)
      const stranger = browserAt('198.51.100.1')
      assert.equal(await statusOf(stranger, email, 'wrong'), 401)
      assert.equal(await statusOf(stranger, email, password), 429)
      assert.equal(await statusOf(browserAt('198.51.100.2'), email, password), 429)
      assert.equal(await statusOf(own, email, password), 200)
      await stranger.request('POST', '/api/auth/request-password-reset', { email })
      const line = cloud.logged.findLast(({ to, link }) => to === email && String(link).includes('reset'))
      const token = /#token=(.+)$/.exec(String(line?.link))?.[1] ?? ''
      const body = { token, newPassword: 'staple of another kind' }
      assert.equal((await stranger.request('POST', '/api/auth/reset-password', body)).status, 200)
      assert.equal(await statusOf(stranger, email, body.newPassword), 200)
    })

    test('ACCT-34: an address receives 15 links that confirm it, whatever sends them', async (t) => {
      const env = { TRUST_PROXY: '127.0.0.1', EMAIL_VERIFICATION: 'true', SIGN_UP: 'open', LOG_LEVEL: 'warn' }
      const verifying = await startCloud(t, { database, env })
      const at = (n: number) =>
        new Browser(verifying, { origin: verifying.url, 'x-forwarded-for': `198.51.100.${n}` })
      assert.equal((await at(1).signUp('first@example.com', password)).status, 200)
      const email = 'mailed@example.com'
      for (let n = 0; n < 9; n += 1) {
        assert.equal((await at(n).signUp(email, password)).status, 200)
        assert.equal((await at(n).signIn(email, password)).status, 403)
      }
      const body = { email }
      assert.equal((await at(9).request('POST', '/api/auth/send-verification-email', body)).status, 200)
      const sent = verifying.logged.filter(({ to, link }) => to === email && String(link).includes('verify'))
      assert.equal(sent.length, 15)
    })

    test('ACCT-7 ACCT-12: attempts that are rejected slow nobody down', async () => {
      const email = 'loud@example.com'
      await signUp(email)
      await attack('sign-in', email, 89)
      const loud = browserAt('198.51.100.1')
      assert.deepEqual(await guess(() => loud, email, 14), [401, 429])
      const other = browserAt('198.51.100.2')
      for (let n = 0; n < 4; n += 1)
        assert.equal(await statusOf(other, email, 'wrong'), n < 3 ? 401 : 429, 'the 100th guess was the 1st')
    })

    test('ACCT-12 ACCT-42: codes from many networks are rejected, but not in a known browser', async () => {
      const email = 'codes@example.com'
      const own = await signUp(email)
      const { body } = await own.request<{ totpURI: string }>('POST', '/api/auth/two-factor/enable', {
        password,
      })
      const secret = new URL(body.totpURI).searchParams.get('secret') ?? ''
      const verify = async (on: Browser) =>
        (await on.request('POST', '/api/auth/two-factor/verify-totp', { code: totpCode(secret) })).status
      assert.equal(await verify(own), 200)
      const user = await cloud.operator.users.findByEmail(email)
      await attack('second-factor', String(user?.id), 30)
      const stranger = browserAt('198.51.100.1')
      for (const browser of [stranger, own])
        assert.equal((await browser.signIn(email, password)).body.twoFactorRedirect, true)
      assert.equal(await verify(stranger), 429)
      assert.equal(await verify(own), 200)
    })

    test('ACCT-12: a reset of the password makes the browser known, and forgets the others', async () => {
      const email = 'reset@example.com'
      await signUp(email)
      const browser = browserAt('198.51.100.7')
      assert.deepEqual(await guess(() => browser, email, 11), [401, 429])
      await browser.request('POST', '/api/auth/request-password-reset', { email })
      const line = cloud.logged.findLast(({ to, link }) => to === email && String(link).includes('reset'))
      const token = /#token=(.+)$/.exec(String(line?.link))?.[1] ?? ''
      const body = { token, newPassword: 'staple of another kind' }
      assert.equal((await browser.request('POST', '/api/auth/reset-password', body)).status, 200)
      assert.equal(await statusOf(browser, email, body.newPassword), 200)
      const user = await cloud.operator.users.findByEmail(email)
      const rows = cloud.cloud.db.selectFrom('known_browsers').where('user_id', '=', String(user?.id))
      assert.equal((await rows.selectAll().execute()).length, 1)
    })
  })
})
