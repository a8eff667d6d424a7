import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { eitherDatabase } from '../../src/db/testing.ts'
import { hashSecret, InvitationStore } from '../../src/identity/index.ts'
import { systemClock } from '../../src/time/index.ts'
import { Browser } from '../support/account-browser.ts'
import { suiteScope } from '../support/scope.ts'
import { type LocalCloud, startCloud } from '../support/test-cloud.ts'

const password = 'correct horse battery'

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

eitherDatabase((database) => {
  describe('accounts', () => {
    const scope = suiteScope()
    let cloud: LocalCloud
    before(async () => {
      cloud = await startCloud(scope, { database })
      assert.equal((await new Browser(cloud).signUp('first@example.com', password)).status, 200)
    })

    const userOf = async (email: string) => {
      const user = await cloud.operator.users.findByEmail(email)
      assert.ok(user)
      return user
    }

    test('ACCT-1: sign-up, sign-in and sign-out', async () => {
      const browser = new Browser(cloud)
      const signedUp = await browser.signUp('Ada@Example.com', password, { name: 'Ada' })
      assert.equal(signedUp.status, 200)
      assert.equal(signedUp.body.user.email, 'ada@example.com')
      const user = await userOf('ada@example.com')
      assert.deepEqual([user.id, user.name, user.profile], [signedUp.body.user.id, 'Ada', {}])
      const me = await browser.request<{ email: string }>('GET', '/api/account/me')
      assert.deepEqual([me.status, me.body.email], [200, 'ada@example.com'])
      const byToken = await cloud.request<{ id: string }>('GET', '/api/account/me', {
        token: await cloud.token('ada@example.com'),
      })
      assert.equal(byToken.body.id, user.id)

      const other = new Browser(cloud)
      assert.equal((await other.signIn('ADA@example.com', password)).status, 200)
      const session = await other.session()
      assert.equal(session?.user.email, 'ada@example.com')
      assert.equal((await other.request('POST', '/api/auth/sign-out')).status, 200)
      assert.equal(await other.session(), null)
      assert.equal((await other.request('GET', '/api/account/me')).status, 401)
      assert.equal((await browser.request('GET', '/api/account/me')).status, 200)
    })

    test('ACCT-1: an ended session is rejected even if the browser keeps its cookie', async () => {
      const browser = new Browser(cloud)
      await browser.signUp('keeper@example.com', password)
      const cookies = new Map(browser.cookies)
      await browser.request('POST', '/api/auth/sign-out')
      const thief = new Browser(cloud)
      for (const [name, value] of cookies) thief.cookies.set(name, value)
      assert.equal((await thief.request('GET', '/api/account/me')).status, 401)
      assert.equal(await thief.session(), null)
    })

    test('ACCT-5: an existing address is rejected and its account is unchanged', async () => {
      await new Browser(cloud).signUp('taken@example.com', password)
      const again = await new Browser(cloud).signUp('TAKEN@example.com', 'another password')
      assert.equal(again.status, 422)
      assert.equal((await new Browser(cloud).signIn('taken@example.com', 'another password')).status, 401)
      await cloud.token('cli@example.com')
      assert.equal((await new Browser(cloud).signUp('cli@example.com', password)).status, 422)
      assert.equal((await new Browser(cloud).signIn('cli@example.com', password)).status, 401)
    })

    test('ACCT-7: parallel guesses do not exceed the limit', async () => {
      const attempts = Array.from({ length: 15 }, (_, n) =>
        new Browser(cloud).signIn('parallel@example.com', `wrong ${n}`),
      )
      const statuses = (await Promise.all(attempts)).map(({ status }) => status)
      assert.equal(statuses.filter((status) => status === 401).length, 10)
    })

    test('ACCT-8: a suspended user has no session and cannot sign in', async () => {
      const browser = new Browser(cloud)
      await browser.signUp('paused@example.com', password)
      const { id } = await userOf('paused@example.com')
      await cloud.operator.users.setSuspended(id, Date.now(), Date.now())
      assert.equal((await browser.request('GET', '/api/account/me')).status, 401)
      assert.equal(await browser.session(), null)
      assert.equal((await new Browser(cloud).signIn('paused@example.com', password)).status, 403)
      await cloud.operator.users.setSuspended(id, null, Date.now())
      assert.equal((await browser.request('GET', '/api/account/me')).status, 200)
    })

    test('ACCT-9: short passwords are rejected, and no secret is stored as it is', async () => {
      assert.equal((await new Browser(cloud).signUp('short@example.com', '1234567')).status, 400)
      const browser = new Browser(cloud)
      const { token } = (await browser.signUp('stored@example.com', password)).body
      assert.ok(token)
      const { db } = cloud.cloud
      const stored = JSON.stringify([
        await db.selectFrom('logins').selectAll().execute(),
        await db.selectFrom('sign_in_methods').selectAll().execute(),
      ])
      assert.ok(!stored.includes(token))
      assert.ok(!stored.includes(password))
    })

    test('ACCT-20: the cookie is HttpOnly and SameSite=Lax', async () => {
      const { headers } = await new Browser(cloud).signIn('first@example.com', password)
      const [cookie = ''] = headers.getSetCookie().filter((line) => line.includes('session_token'))
      assert.match(cookie, /; HttpOnly/)
      assert.match(cookie, /; SameSite=Lax/)
      assert.doesNotMatch(cookie, /Secure/)
    })

    test('ACCT-20: on https only cookies with the prefix __Host- count', async (t) => {
      const origin = 'https://cloud.example.com'
      const env = { PUBLIC_URL: origin, EMAIL_VERIFICATION: 'false', SIGN_UP: 'open' }
      const secure = await startCloud(t, { env })
      const { operator } = secure
      const admin = await operator.users.findOrCreate('admin@example.com', 1)
      await operator.users.setAdministrator(admin.id, true, 1)
      const browser = new Browser(secure, { origin })
      const { headers } = await browser.signUp('eve@example.com', password)
      const names = headers.getSetCookie().map((line) => line.split('=', 1)[0])
      assert.ok(names.every((name) => name?.startsWith('__Host-glasses-cloud.')))
      assert.match(
        headers.getSetCookie().join(),
        /__Host-glasses-cloud.session_token=\S+; .*Path=\/; .*Secure/,
      )
      const [, value] = [...browser.cookies].find(([name]) => name.endsWith('session_token')) ?? []
      const statusWith = async (name: string) =>
        (await secure.request('GET', '/api/account/me', { headers: { origin, cookie: `${name}=${value}` } }))
          .status
      assert.equal(await statusWith('__Host-glasses-cloud.session_token'), 200)
      for (const prefix of ['', '__Secure-', '__Host-__Secure-', '__host-'])
        assert.equal(await statusWith(`${prefix}glasses-cloud.session_token`), 401, prefix)
      assert.equal((await browser.session())?.user.email, 'eve@example.com')
    })

    test('ACCT-21: the cookie counts only for requests of own pages', async () => {
      const browser = new Browser(cloud)
      await browser.signUp('csrf@example.com', password)
      const put = async (headers: Readonly<Record<string, string>>) => {
        browser.headers = headers
        return (await browser.request('PUT', '/api/account/profile', { name: JSON.stringify(headers) }))
          .status
      }
      assert.equal(await put({ origin: cloud.url }), 200)
      assert.equal(await put({ 'sec-fetch-site': 'same-origin' }), 200)
      assert.equal(await put({ 'x-csrf-protection': '1' }), 200)
      const { name } = await userOf('csrf@example.com')
      for (const headers of [
        {},
        { origin: 'https://evil.example' },
        { origin: 'null' },
        { origin: `${cloud.url}0` },
        { origin: cloud.url.replace('http:', 'https:') },
        { 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'same-site' },
        { origin: 'https://evil.example', 'x-csrf-protection': '1', 'sec-fetch-site': 'same-origin' },
      ] as Record<string, string>[])
        assert.equal(await put(headers), 401, JSON.stringify(headers))
      assert.equal((await userOf('csrf@example.com')).name, name)
      browser.headers = {}
      assert.equal((await browser.request('GET', '/api/account/me')).status, 200)
      browser.headers = { 'sec-fetch-site': 'cross-site' }
      assert.equal((await browser.request('GET', '/api/account/me')).status, 401)
    })

    test('ACCT-22: pages of other sites cannot sign in, up or out', async () => {
      const foreign: Record<string, string>[] = [
        { origin: 'https://evil.example' },
        { 'sec-fetch-site': 'cross-site' },
      ]
      for (const headers of foreign) {
        const browser = new Browser(cloud, headers)
        assert.equal((await browser.signIn('first@example.com', password)).status, 403)
        assert.equal((await browser.signUp('login-csrf@example.com', password)).status, 403)
        assert.equal((await browser.request('POST', '/api/auth/sign-out')).status, 403)
        assert.equal(browser.cookies.size, 0)
      }
    })
  })

  describe('the first account', () => {
    test('ACCT-2 ACCT-10: becomes the administrator; of concurrent ones, one does', async (t) => {
      const cloud = await startCloud(t, { database, env: { SIGN_UP: 'closed' } })
      const options = async () => (await cloud.request<object>('GET', '/api/auth/options')).body
      const common = { signUp: 'closed', issuers: [], passkeys: true }
      assert.deepEqual(await options(), { ...common, isSetUp: false, setUpCodeRequired: true })
      assert.equal((await new Browser(cloud).signUp('short@example.com', '1234')).status, 400)
      const results = await Promise.all(
        ['a@example.com', 'b@example.com', 'c@example.com'].map((email) =>
          new Browser(cloud).signUp(email, password),
        ),
      )
      assert.deepEqual(results.map(({ status }) => status).sort(), [200, 403, 403])
      const [created] = results.filter(({ status }) => status === 200)
      assert.equal(created?.body.user.isAdministrator, true)
      const users = await cloud.operator.users.list()
      assert.deepEqual(
        users.map(({ isAdministrator }) => isAdministrator),
        [true],
      )
      assert.deepEqual(await options(), { ...common, isSetUp: true, setUpCodeRequired: false })
      assert.equal((await new Browser(cloud).signUp('late@example.com', password)).status, 403)
    })

    test('ACCT-2: is an ordinary one if the command line appointed an administrator before', async (t) => {
      const cloud = await startCloud(t, { database, env: { SIGN_UP: 'open' } })
      const { users } = cloud.operator
      const { id } = await users.findOrCreate('root@example.com', Date.now())
      for (const isAdministrator of [true, false])
        await users.setAdministrator(id, isAdministrator, Date.now())
      const { status, body } = await new Browser(cloud).signUp('late@example.com', password)
      assert.deepEqual([status, body.user.isAdministrator], [200, false])
    })

    test('ACCT-5: adopts a user whom the command line created', async (t) => {
      const cloud = await startCloud(t, { database })
      await cloud.token('ada@example.com')
      const before = await cloud.operator.users.findByEmail('ada@example.com')
      const { status, body } = await new Browser(cloud).signUp('ada@example.com', password)
      assert.deepEqual([status, body.user.id, body.user.isAdministrator], [200, before?.id, true])
      assert.equal((await new Browser(cloud).signIn('ada@example.com', password)).status, 200)
    })
  })
})

describe('guessing passwords', () => {
  const scope = suiteScope()
  let cloud: LocalCloud
  before(async () => {
    cloud = await startCloud(scope)
    assert.equal((await new Browser(cloud).signUp('first@example.com', password)).status, 200)
  })

  test('ACCT-6: an unknown address and a wrong password are indistinguishable', async () => {
    await new Browser(cloud).signUp('known@example.com', password)
    await cloud.token('passwordless@example.com')
    const attempt = async (email: string) => {
      // Processor time of all threads, which does not depend on what else the machine does.
      const start = process.cpuUsage()
      const { status, body } = await new Browser(cloud).signIn(email, 'wrong password')
      return { status, body, ms: process.cpuUsage(start).user / 1_000 }
    }
    const kinds = ['known@example.com', 'unknown@example.com', 'passwordless@example.com']
    const times = new Map<string, number[]>(kinds.map((kind) => [kind, []]))
    for (let round = 0; round < 5; round += 1)
      for (const kind of kinds) {
        const { status, body, ms } = await attempt(kind)
        assert.deepEqual(
          [status, body],
          [401, { error: 'SIGN_IN_REJECTED', message: 'Invalid e-mail address or password' }],
        )
        times.get(kind)?.push(ms)
      }
    const [known = 0, ...others] = kinds.map((kind) => median(times.get(kind) ?? []))
    // Without a hash the response takes a tenth of the time.
    for (const other of others)
      assert.ok(other > known / 2.5 && other < known * 2.5, `${other} ms, ${known} ms`)
  })

  test('ACCT-7: guessing a password is limited, whatever X-Forwarded-For says', async () => {
    for (const email of ['guessed@example.com', 'nobody-there@example.com']) {
      if (email.startsWith('guessed')) await new Browser(cloud).signUp(email, password)
      const statuses: number[] = []
      for (let n = 0; n < 12; n += 1) {
        const headers = { origin: cloud.url, 'x-forwarded-for': `203.0.113.${n}` }
        const { status, headers: received } = await new Browser(cloud, headers).signIn(email, `wrong ${n}`)
        statuses.push(status)
        if (status === 429) assert.ok(Number(received.get('retry-after')) > 0)
      }
      assert.deepEqual(statuses, [...Array(10).fill(401), 429, 429])
    }
    assert.equal((await new Browser(cloud).signIn('guessed@example.com', password)).status, 429)
    assert.equal((await new Browser(cloud).signIn('first@example.com', password)).status, 200)
  })
})

describe('the lifetime of sessions', () => {
  test('ACCT-23: a session is extended by its use, unless it ends with the browser', async (t) => {
    const hour = 60 * 60_000
    let time = 0
    const clock = { ...systemClock, now: () => Date.now() + time }
    const cloud = await startCloud(t, { overrides: { clock } })
    const email = 'first@example.com'
    await new Browser(cloud).signUp(email, password)
    const [remembered, other] = [new Browser(cloud), new Browser(cloud)]
    const signIn = async (browser: Browser, rememberMe: boolean) => {
      const body = { email, password, rememberMe }
      const { headers } = await browser.request('POST', '/api/auth/sign-in/email', body)
      return headers.getSetCookie().find((line) => line.includes('session_token')) ?? ''
    }
    assert.match(await signIn(remembered, true), /; Max-Age=2592000;/)
    assert.doesNotMatch(await signIn(other, false), /Max-Age/)
    // A client that omits the cookie with the mark, and one that exchanges the session for tokens.
    const [unmarked, exchanging] = [new Browser(cloud), new Browser(cloud)]
    for (const browser of [unmarked, exchanging]) await signIn(browser, false)
    for (const name of [...unmarked.cookies.keys()])
      if (!name.includes('session_token')) unmarked.cookies.delete(name)
    time = 23 * hour
    const refreshToken = async (browser: Browser) => {
      const { body } = await browser.request<{ refreshToken: string }>('POST', '/api/auth/exchange-token', {})
      return body.refreshToken
    }
    const refreshed = await refreshToken(exchanging)
    for (const browser of [unmarked, remembered]) assert.notEqual(await browser.session(), null)
    for (const browser of [remembered, other]) assert.notEqual(await browser.session(), null)
    time = 25 * hour
    assert.notEqual(await remembered.session(), null)
    for (const browser of [other, unmarked, exchanging]) assert.equal(await browser.session(), null)
    assert.equal(
      (await cloud.request('POST', '/api/auth/refresh', { body: { refreshToken: refreshed } })).status,
      401,
    )
    time = (30 * 24 + 12) * hour
    assert.notEqual(await remembered.session(), null, 'it was extended after 25 hours')
    time += 31 * 24 * hour
    assert.equal(await remembered.session(), null)
  })
})

describe('errors under /api/auth', () => {
  test('AUTH-72: contain a code and a sentence, except where phones and RFC 8628 fix the body', async (t) => {
    const cloud = await startCloud(t)
    const errorOf = async (path: string, body: unknown = {}) =>
      (await cloud.request('POST', `/api/auth/${path}`, { body })).body
    const coded = { error: 'UNAUTHORIZED', message: 'Unauthorized' }
    for (const path of [
      'logout-everywhere',
      'app-token',
      'tokens',
      'passkeys',
      'device/approve',
      'change-password',
    ])
      assert.deepEqual(await errorOf(path), coded, path)
    assert.deepEqual(await errorOf('reset-password', { token: 'x', newPassword: '12345678' }), {
      error: 'VERIFICATION_REJECTED',
      message: 'The link is invalid, used or expired; request another one',
    })
    for (const path of ['glasses-token', 'refresh', 'logout'])
      assert.deepEqual(await errorOf(path), { error: 'Unauthorized' }, path)
    assert.deepEqual(await errorOf('exchange-token'), { error: 'No token provided' })
    assert.deepEqual(await errorOf('device/token', { device_code: 'x' }), { error: 'invalid_grant' })
  })
})

describe('invitations', () => {
  test('ACCT-4 ACCT-11: invitations: none, used, and for another address', async (t) => {
    const cloud = await startCloud(t, { env: { SIGN_UP: 'invite', LOG_LEVEL: 'warn' } })
    const administrator = new Browser(cloud)
    assert.equal((await administrator.signUp('op@example.com', password)).status, 200)
    const invite = async (body: object) => {
      const path = '/api/auth/invitations'
      const response = await administrator.request<{ id: string; token: string; link: string }>(
        'POST',
        path,
        body,
      )
      assert.equal(response.status, 200)
      return response.body
    }
    const signUp = async (email: string, invitation?: string) =>
      (await new Browser(cloud).signUp(email, password, { invitation })).status
    assert.equal(await signUp('ada@example.com'), 403)
    assert.equal(await signUp('ada@example.com', 'unknown'), 403)

    const { token, link } = await invite({ email: 'Ada@Example.com' })
    assert.equal(link, `${cloud.url}/sign-up#invitation=${token}&email=ada%40example.com`)
    assert.ok(cloud.logged.some((line) => line.to === 'ada@example.com' && line.link === link))
    assert.equal(await signUp('eve@example.com', token), 403)
    assert.equal(
      (await new Browser(cloud).signUp('ada@example.com', '1234', { invitation: token })).status,
      400,
    )
    assert.equal(await signUp('ada@example.com', token), 200)
    // The response may be lost, also that to the first administrator.
    for (const [email, invitation] of [['ada@example.com', token], ['op@example.com']] as const) {
      const again = new Browser(cloud)
      assert.equal((await again.signUp(email, password, { invitation })).status, 200)
      assert.equal((await again.session())?.user.email, email)
      assert.equal(
        (await new Browser(cloud).signUp(email, `another ${password}`, { invitation })).status,
        403,
      )
    }
    await cloud.cloud.db
      .updateTable('users')
      .set((e) => ({ created_at: e('created_at', '-', 600_000) }))
      .execute()
    assert.equal(await signUp('ada@example.com', token), 403, 'after a while')
    const ada = await cloud.cloud.db
      .selectFrom('users')
      .selectAll()
      .where('email', '=', 'ada@example.com')
      .execute()
    assert.deepEqual(
      ada.map(({ email_verified: verified }) => verified),
      [1],
    )
    assert.equal(await signUp('eve@example.com', token), 403)

    const open = await invite({})
    assert.deepEqual(
      (await Promise.all([signUp('b@example.com', open.token), signUp('c@example.com', open.token)])).sort(),
      [200, 403],
    )
    const withdrawn = await invite({})
    assert.equal((await administrator.request('DELETE', `/api/auth/invitations/${withdrawn.id}`)).status, 200)
    assert.equal(await signUp('d@example.com', withdrawn.token), 403)
    assert.equal(
      (await administrator.request('POST', '/api/auth/invitations', { email: 'nobody' })).status,
      400,
    )
    const expired = await invite({})
    await cloud.cloud.db
      .updateTable('sign_up_invitations')
      .set({ expires_at: Date.now() - 1 })
      .execute()
    assert.equal(await signUp('d@example.com', expired.token), 403)
    const { body } = await administrator.request<{ invitations: object[] }>('GET', '/api/auth/invitations')
    assert.deepEqual(body.invitations, [])
  })

  test('ACCT-4: an invitation to an organization permits sign-up too', async (t) => {
    const cloud = await startCloud(t, { env: { SIGN_UP: 'invite', LOG_LEVEL: 'warn' } })
    const administrator = new Browser(cloud)
    await administrator.signUp('op@example.com', password)
    const token = 'a token that an organization sent'
    const { id } = await cloud.operator.organizations.ensure('makers', {}, Date.now())
    const store = new InvitationStore(cloud.cloud.db, 10)
    const invited = { organizationId: id, email: 'ada@example.com', role: 'member' as const }
    await store.add(invited, { hash: hashSecret(token), expiresAt: Date.now() + 60_000 }, Date.now())
    assert.equal(
      (await new Browser(cloud).signUp('eve@example.com', password, { invitation: token })).status,
      403,
    )
    assert.equal(
      (await new Browser(cloud).signUp('ada@example.com', password, { invitation: token })).status,
      200,
    )
  })
})

describe('the set-up code', () => {
  test('ACCT-3: is required everywhere, and the log contains it with the link of the set-up', async (t) => {
    for (const publicUrl of ['https://cloud.example.org', undefined]) {
      const env = { LOG_LEVEL: 'warn', ...(publicUrl && { PUBLIC_URL: publicUrl }) }
      const cloud = await startCloud(t, { env })
      const origin = { origin: publicUrl ?? cloud.url }
      const { body } = await cloud.request<{ setUpCodeRequired: boolean }>('GET', '/api/auth/options')
      assert.equal(body.setUpCodeRequired, true)
      const line = cloud.logged.find(({ setUpCode }) => setUpCode !== undefined)
      const code = String(line?.setUpCode)
      assert.match(code, /^[A-Z2-9]{4}-[A-Z2-9]{4}-[A-Z2-9]{4}$/)
      assert.equal(line?.setUpLink, `${publicUrl ?? cloud.url}/?setup=${code}`)
      for (const setUpCode of [undefined, '', 'AAAA-AAAA-AAAA', code.slice(1)]) {
        const refused = await new Browser(cloud, origin).signUp('eve@example.com', password, { setUpCode })
        assert.deepEqual([refused.status, refused.body.error], [403, 'SET_UP_CODE_REQUIRED'])
      }
      const again = await startCloud(t, { env })
      assert.equal(await again.cloud.features.auth.setUp.code(), code)
      const setUpCode = code.toLowerCase().replaceAll('-', ' ')
      const { status, body: created } = await new Browser(cloud, origin).signUp('op@example.com', password, {
        setUpCode,
      })
      assert.deepEqual([status, created.user.isAdministrator, created.user.emailVerified], [200, true, true])
      assert.equal(await cloud.cloud.features.auth.setUp.code(), undefined)
    }
  })
})
