import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { eitherDatabase } from '../../src/db/testing.ts'
import { systemClock } from '../../src/time/index.ts'
import { Browser } from '../support/account-browser.ts'
import { startMailServer, tokenIn } from '../support/mail-server.ts'
import { type AnswerOptions, PasskeyAuthenticator } from '../support/passkey-authenticator.ts'
import { suiteScope } from '../support/scope.ts'
import { type LocalCloud, startCloud } from '../support/test-cloud.ts'

const password = 'correct horse battery'
const origin = 'http://localhost:8443'
const path = '/api/auth/passkeys'

interface Passkey {
  readonly id: string
  readonly name: string
  readonly transports: string[]
  readonly lastUsedAt: string | null
}
type CreationOptions = Parameters<PasskeyAuthenticator['create']>[0] & {
  excludeCredentials: { id: string }[]
}
type RequestOptions = Parameters<PasskeyAuthenticator['get']>[0] & { rpId: string }
type SignedIn = { token: string; user: { id: string; email: string }; error?: string }

const creationOptions = async (browser: Browser) =>
  (await browser.request<CreationOptions>('POST', `${path}/registration-options`)).body
const signInOptions = async (browser: Browser) =>
  (await browser.request<RequestOptions>('POST', `${path}/sign-in-options`)).body
const send = (browser: Browser, credential: object) =>
  browser.request<SignedIn>('POST', `${path}/sign-in`, { credential })
const list = async (browser: Browser) =>
  (await browser.request<{ passkeys: Passkey[] }>('GET', path)).body.passkeys

async function register(browser: Browser, authenticator: PasskeyAuthenticator, options?: AnswerOptions) {
  const credential = authenticator.create(await creationOptions(browser), options)
  return browser.request<Passkey>('POST', path, { credential, name: 'Laptop' })
}

async function signIn(browser: Browser, authenticator: PasskeyAuthenticator, options?: AnswerOptions) {
  return send(browser, authenticator.get(await signInOptions(browser), options))
}

eitherDatabase((database) => {
  describe('passkeys', () => {
    const scope = suiteScope()
    let cloud: LocalCloud
    let time = 0
    let mailServer: Awaited<ReturnType<typeof startMailServer>>

    before(async () => {
      mailServer = await startMailServer(scope)
      cloud = await startCloud(scope, {
        database,
        env: { PUBLIC_URL: origin, SMTP_URL: mailServer.url },
        overrides: { clock: { ...systemClock, now: () => Date.now() + time } },
      })
      await new Browser(cloud).signUp('first@example.com', password)
    })

    /** A signed-up user with a passkey. */
    async function userWithPasskey(email: string) {
      const [browser, authenticator] = [new Browser(cloud), new PasskeyAuthenticator(origin)]
      const { id } = (await browser.signUp(email, password)).body.user
      const added = await register(browser, authenticator)
      assert.equal(added.status, 200)
      return { browser, authenticator, id, passkey: added.body }
    }

    test('ACCT-37 ACCT-51 ACCT-52: a passkey from its creation to its deletion', async () => {
      const { browser, authenticator, id, passkey } = await userWithPasskey('ada@example.com')
      assert.deepEqual([passkey.name, passkey.transports, passkey.lastUsedAt], ['Laptop', ['internal'], null])
      const mail = await mailServer.next('ada@example.com')
      assert.match(mail.text, /passkey was added/)
      assert.ok(mail.text.includes(`${origin}/account/security`))
      assert.deepEqual(
        (await creationOptions(browser)).excludeCredentials.map((one) => one.id),
        [authenticator.id.toString('base64url')],
      )
      const other = new Browser(cloud)
      assert.equal((await signInOptions(other)).rpId, 'localhost')
      const signedIn = await signIn(other, authenticator)
      assert.equal(signedIn.status, 200)
      assert.deepEqual(signedIn.body.user, { id, email: 'ada@example.com', name: '' })
      assert.equal((await other.session())?.user.email, 'ada@example.com')
      const exchanged = await cloud.request('POST', '/api/auth/exchange-token', {
        body: { sessionToken: signedIn.body.token },
      })
      assert.equal(exchanged.status, 200)

      const renamed = await other.request<Passkey>('PATCH', `${path}/${passkey.id}`, { name: 'Phone' })
      assert.equal(renamed.body.name, 'Phone')
      const [listed] = await list(other)
      assert.equal(listed?.name, 'Phone')
      assert.ok(listed?.lastUsedAt)

      const { browser: stranger } = await userWithPasskey('stranger@example.com')
      assert.equal((await stranger.request('PATCH', `${path}/${passkey.id}`, { name: 'mine' })).status, 404)
      assert.equal((await stranger.request('DELETE', `${path}/${passkey.id}`)).status, 404)
      assert.equal((await browser.request('DELETE', `${path}/${passkey.id}`)).status, 200)
      assert.deepEqual(await list(browser), [])
      assert.equal((await signIn(new Browser(cloud), authenticator)).status, 401)
    })

    test('ACCT-50: only a recent sign-in adds passkeys, and at most 20', async () => {
      const { browser } = await userWithPasskey('many@example.com')
      const pending = new PasskeyAuthenticator(origin).create(await creationOptions(browser))
      time += 61 * 60_000
      assert.equal((await browser.request('POST', `${path}/registration-options`)).status, 403)
      assert.equal((await browser.request('POST', path, { credential: pending })).status, 403)
      // A stolen session could approve a device of its own.
      const codes = await cloud.request<{ device_code: string; user_code: string }>(
        'POST',
        '/api/auth/device',
        { body: {} },
      )
      await browser.request('POST', '/api/auth/device/approve', { userCode: codes.body.user_code })
      const { body: device } = await cloud.request<{ access_token: string }>(
        'POST',
        '/api/auth/device/token',
        { body: { device_code: codes.body.device_code } },
      )
      const options = { token: device.access_token }
      assert.equal((await cloud.request('GET', '/api/account/me', options)).status, 200)
      assert.equal((await cloud.request('POST', `${path}/registration-options`, options)).status, 403)
      const token = await cloud.token('many@example.com')
      assert.equal((await cloud.request('POST', `${path}/registration-options`, { token })).status, 403)

      await browser.signIn('many@example.com', password)
      for (let count = 1; count < 20; count += 1)
        assert.equal((await register(browser, new PasskeyAuthenticator(origin))).status, 200)
      assert.equal((await register(browser, new PasskeyAuthenticator(origin))).status, 409)
      assert.equal((await list(browser)).length, 20)
      time = 0
    })

    test('ACCT-52: a user with a second factor', async () => {
      const { authenticator, id } = await userWithPasskey('factor@example.com')
      const { db } = cloud.cloud
      await db.updateTable('users').set({ two_factor_enabled: 1 }).where('id', '=', id).execute()
      const browser = new Browser(cloud)
      assert.equal((await signIn(browser, authenticator)).status, 200)
      assert.equal((await browser.session())?.user.email, 'factor@example.com')
    })

    test('ACCT-53: challenges: used, expired, of another browser and user', async () => {
      const { browser: owner, authenticator } = await userWithPasskey('challenge@example.com')
      const browser = new Browser(cloud)
      // Otherwise the counter would reveal the repetition as well.
      authenticator.isCounting = false
      const credential = authenticator.get(await signInOptions(browser))
      const replaying = new Browser(cloud)
      assert.equal((await send(replaying, credential)).status, 401, 'another browser')
      for (const [name, value] of browser.cookies) replaying.cookies.set(name, value)
      const statuses = await Promise.all([send(browser, credential), send(replaying, credential)])
      assert.deepEqual(statuses.map(({ status }) => status).sort(), [200, 401])

      const late = authenticator.get(await signInOptions(browser))
      time += 5 * 60_000
      assert.equal((await send(browser, late)).status, 401, 'expired')
      time = 0
      const foreign = await signInOptions(new Browser(cloud))
      assert.equal((await signIn(browser, authenticator, foreign)).status, 401, 'of another browser')
      assert.equal((await signIn(browser, authenticator)).status, 200)

      const registration = new PasskeyAuthenticator(origin).create(await creationOptions(owner))
      const other = new Browser(cloud)
      await other.signUp('challenged@example.com', password)
      for (const [name, value] of owner.cookies) if (name.includes('passkey')) other.cookies.set(name, value)
      assert.equal((await other.request('POST', path, { credential: registration })).status, 400)
      assert.deepEqual(await list(other), [])
    })

    test('ACCT-50 ACCT-54: registrations that are not valid are rejected', async () => {
      const browser = new Browser(cloud)
      await browser.signUp('invalid@example.com', password)
      const invalid: AnswerOptions[] = [
        { origin: 'https://evil.example.org' },
        { rpId: 'evil.example.org' },
        { isUserVerified: false },
      ]
      for (const options of invalid)
        assert.equal((await register(browser, new PasskeyAuthenticator(origin), options)).status, 400)
      assert.deepEqual(await list(browser), [])
    })

    test('ACCT-50: a registration whose response was lost', async () => {
      const browser = new Browser(cloud)
      await browser.signUp('repeating@example.com', password)
      const credential = new PasskeyAuthenticator(origin).create(await creationOptions(browser))
      const first = await browser.request<Passkey>('POST', path, { credential, name: 'Laptop' })
      const again = await browser.request<Passkey>('POST', path, { credential, name: 'Laptop' })
      assert.deepEqual([again.status, again.body], [200, first.body])
      assert.equal((await list(browser)).length, 1)
      const { browser: other } = await userWithPasskey('another@example.com')
      assert.equal((await other.request('POST', path, { credential })).status, 400)
    })

    test('ACCT-54: sign-ins that are not valid are rejected alike', async () => {
      const { authenticator } = await userWithPasskey('strict@example.com')
      const { id: otherId } = await userWithPasskey('strict2@example.com')
      const browser = new Browser(cloud)
      const rejected = async (about: string, response: Promise<{ status: number; body: SignedIn }>) => {
        const { status, body } = await response
        assert.deepEqual([status, body.error], [401, 'PASSKEY_REJECTED'], about)
        assert.equal(await browser.session(), null, about)
      }
      const userHandle = Buffer.from(otherId).toString('base64url')
      await rejected('unknown', signIn(browser, new PasskeyAuthenticator(origin), { userHandle }))
      await rejected('origin', signIn(browser, authenticator, { origin: 'http://localhost:1' }))
      await rejected('site', signIn(browser, authenticator, { rpId: 'example.org' }))
      await rejected('verification', signIn(browser, authenticator, { isUserVerified: false }))
      await rejected('user', signIn(browser, authenticator, { userHandle }))
      const signed = authenticator.get(await signInOptions(browser))
      const stranger = new PasskeyAuthenticator(origin).get(await signInOptions(browser))
      const { signature } = stranger.response
      await rejected('signature', send(browser, { ...signed, response: { ...signed.response, signature } }))
      assert.equal((await signIn(browser, authenticator)).status, 200)
      await browser.request('POST', '/api/auth/sign-out')
      authenticator.counter -= 1
      await rejected('counter', signIn(browser, authenticator))
      assert.equal((await signIn(browser, authenticator)).status, 200)
    })

    test('ACCT-55: suspended users are rejected, and guesses are limited', async () => {
      const { authenticator, id } = await userWithPasskey('suspended@example.com')
      const { users } = cloud.operator
      await users.setSuspended(id, Date.now(), Date.now())
      const browser = new Browser(cloud)
      assert.equal((await signIn(browser, authenticator)).status, 403)
      assert.equal(await browser.session(), null)
      await users.setSuspended(id, null, Date.now())
      assert.equal((await signIn(browser, authenticator)).status, 200)
      for (let attempt = 0; attempt < 10; attempt += 1) {
        const evasive = new Browser(cloud, { 'x-forwarded-for': `198.51.100.${attempt}` })
        assert.equal((await signIn(evasive, authenticator, { isUserVerified: false })).status, 401)
      }
      const limited = await signIn(new Browser(cloud), authenticator)
      assert.equal(limited.status, 429)
      assert.ok(Number(limited.headers.get('retry-after')) > 0)
      assert.equal((await signIn(browser, authenticator)).status, 200, 'a known browser has its own')
    })

    test('ACCT-58: a password reset of an unconfirmed account removes its passkeys, but not later ones', async () => {
      const { authenticator } = await userWithPasskey('claimed@example.com')
      const reset = async () => {
        await cloud.request('POST', '/api/auth/request-password-reset', {
          body: { email: 'claimed@example.com' },
        })
        const { text } = await mailServer.next('claimed@example.com', '#token=')
        const body = { token: tokenIn({ text }), newPassword: password }
        assert.equal((await cloud.request('POST', '/api/auth/reset-password', { body })).status, 200)
      }
      await reset()
      assert.equal((await signIn(new Browser(cloud), authenticator)).status, 401)
      const owner = new Browser(cloud)
      await owner.signIn('claimed@example.com', password)
      const own = new PasskeyAuthenticator(origin)
      assert.equal((await register(owner, own)).status, 200)
      await reset()
      assert.equal((await signIn(new Browser(cloud), own)).status, 200)
    })
  })
})

describe('addresses without passkeys', () => {
  test('ACCT-56: endpoints return 501 where browsers have no passkeys', async (t) => {
    const cloud = await startCloud(t, { env: { PUBLIC_URL: 'http://127.0.0.1:8443' } })
    const browser = new Browser(cloud)
    await browser.signUp('ada@example.com', password)
    const statusOf = async (name: string) => (await browser.request('POST', `${path}/${name}`)).status
    assert.deepEqual([await statusOf('sign-in-options'), await statusOf('registration-options')], [501, 501])
    const options = async () =>
      (await browser.request<{ passkeys: boolean }>('GET', '/api/auth/options')).body.passkeys
    assert.equal(await options(), false)
  })

  test('ACCT-56: a cloud without https has passkeys where a browser of its own machine calls it localhost', async (t) => {
    for (const [PUBLIC_URL, isOffered] of [
      ['http://192.168.1.20:8080', true],
      ['https://192.168.1.20:8080', false],
    ] as const) {
      const { url } = await startCloud(t, { env: { PUBLIC_URL } })
      const { port } = new URL(url)
      const response = await fetch(`http://localhost:${port}/api/auth/options`)
      const { passkeys } = (await response.json()) as { passkeys: boolean }
      assert.equal(passkeys, isOffered, PUBLIC_URL)
    }
  })
})
