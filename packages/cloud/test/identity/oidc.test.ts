import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { eitherDatabase, type TestDatabase } from '../../src/db/testing.ts'
import { Browser } from '../support/account-browser.ts'
import { startMailServer } from '../support/mail-server.ts'
import {
  type IssuerAccount,
  type IssuerOptions,
  oidcClient,
  RedirectingBrowser,
  startOidcIssuer,
} from '../support/oidc-issuer.ts'
import { type Scope, suiteScope } from '../support/scope.ts'
import { type SpawnedCloud, spawnCloud, startCloud, type TestCloud } from '../support/test-cloud.ts'

const ada = { sub: 'ada-1', email: 'Ada@Example.com', email_verified: true }
const password = 'correct horse battery'

async function startBoth(
  scope: Scope,
  {
    database,
    env = {},
    emailInIdToken = true,
  }: { database?: TestDatabase; env?: object; emailInIdToken?: boolean } = {},
) {
  const issuer = await startOidcIssuer(scope, { emailInIdToken })
  const configured = [{ issuer: issuer.url, id: 'example', label: 'Example', ...oidcClient }]
  const cloud = await startCloud(scope, {
    ...(database && { database }),
    env: { OIDC_ISSUERS: JSON.stringify(configured), ...env },
  })
  issuer.register(`${cloud.url}/api/auth/callback/example`)
  return { issuer, cloud }
}

const start = async (browser: RedirectingBrowser, cloud: TestCloud, body: object = { issuer: 'example' }) => {
  const response = await browser.fetch(`${cloud.url}/api/auth/sign-in/oidc`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { status: response.status, url: String(((await response.json()) as { url?: string }).url) }
}

/** Signs in and returns where the browser ends. */
async function signIn(
  browser: RedirectingBrowser,
  cloud: TestCloud,
  next?: string,
  issuer = 'example',
): Promise<string> {
  const { url } = await start(browser, cloud, { issuer, ...(next && { next }) })
  const callback = await browser.follow(url, `${cloud.url}/api/auth/callback/`)
  return browser.follow(callback, `${cloud.url}/`)
}

const me = async (browser: RedirectingBrowser, cloud: TestCloud) => {
  const response = await browser.fetch(`${cloud.url}/api/account/me`)
  return response.status === 200
    ? ((await response.json()) as { id: string; email: string })
    : response.status
}

describe('sign-in at an OpenID Connect provider', () => {
  eitherDatabase((database) => {
    test('OIDC-1 OIDC-2: a visit to the issuer, for a new and a known user', async (t) => {
      const { issuer, cloud } = await startBoth(t, { database })
      await cloud.token('ada@example.com')
      const existing = await cloud.operator.users.findByEmail('ada@example.com')
      issuer.account = ada
      const browser = new RedirectingBrowser()
      const { url } = await start(browser, cloud)
      const sent = new URL(url).searchParams
      assert.deepEqual([sent.get('response_type'), sent.get('code_challenge_method')], ['code', 'S256'])
      assert.equal(await signIn(browser, cloud, '/apps?x=1'), `${cloud.url}/apps?x=1`)
      assert.deepEqual(
        (await me(browser, cloud)) instanceof Object && ((await me(browser, cloud)) as { id: string }).id,
        existing?.id,
      )
      const session = await browser.fetch(`${cloud.url}/api/auth/get-session`)
      assert.equal(((await session.json()) as { user: { email: string } }).user.email, 'ada@example.com')
      const exchanged = await browser.fetch(`${cloud.url}/api/auth/exchange-token`, { method: 'POST' })
      assert.equal(exchanged.status, 200)

      issuer.account = { ...ada, email: 'renamed@example.com' }
      const again = new RedirectingBrowser()
      await signIn(again, cloud)
      assert.deepEqual(await me(again, cloud), await me(browser, cloud))

      issuer.account = { sub: 'bob-1', email: 'bob@example.com', email_verified: true }
      const other = new RedirectingBrowser()
      assert.equal(await signIn(other, cloud), `${cloud.url}/`)
      assert.ok(await cloud.operator.users.findByEmail('bob@example.com'))
      const methods = await cloud.cloud.db.selectFrom('sign_in_methods').selectAll().execute()
      assert.deepEqual(methods.map(({ account_id: id }) => id).sort(), ['ada-1', 'bob-1'])
    })
  })

  test('OIDC-3: an unverified address, a suspended user and a canceled sign-in', async (t) => {
    const { issuer, cloud } = await startBoth(t)
    const attempt = async (account: typeof ada | undefined) => {
      issuer.account = account
      const browser = new RedirectingBrowser()
      const { hash, pathname } = new URL(await signIn(browser, cloud))
      assert.equal(pathname, '/sign-in')
      assert.equal(await me(browser, cloud), 401)
      return new URLSearchParams(hash.slice(1)).get('error')
    }
    assert.match(String(await attempt({ ...ada, email_verified: false })), /^OIDC_EMAIL_NOT_VERIFIED$/)
    assert.equal(await cloud.operator.users.findByEmail('ada@example.com'), undefined)
    await cloud.token('ada@example.com')
    const user = await cloud.operator.users.findByEmail('ada@example.com')
    await cloud.operator.users.setSuspended(String(user?.id), Date.now(), Date.now())
    assert.match(String(await attempt(ada)), /^ACCOUNT_SUSPENDED$/)
    assert.match(String(await attempt(undefined)), /^OIDC_SIGN_IN_REJECTED$/)
  })

  test('OIDC-4: a callback without the cookie of its sign-in, or of another one, is rejected', async (t) => {
    const { issuer, cloud } = await startBoth(t)
    issuer.account = ada
    const attacker = new RedirectingBrowser()
    const callback = await attacker.follow(
      (await start(attacker, cloud)).url,
      `${cloud.url}/api/auth/callback/`,
    )
    const victim = new RedirectingBrowser()
    assert.match(await victim.follow(callback, `${cloud.url}/`), /\/sign-in#error=/)
    await start(victim, cloud)
    assert.match(await victim.follow(callback, `${cloud.url}/`), /\/sign-in#error=/)
    assert.equal(await me(victim, cloud), 401)
    assert.equal(await attacker.follow(callback, `${cloud.url}/`), `${cloud.url}/`)
    assert.match(await attacker.follow(callback, `${cloud.url}/`), /\/sign-in#error=/)
  })

  test('OIDC-5: pages of other origins are not followed, and unknown issuers rejected', async (t) => {
    const { issuer, cloud } = await startBoth(t)
    issuer.account = ada
    for (const next of ['https://evil.example/', '//evil.example/', '/\\evil.example', 'evil', '/a b'])
      assert.equal(await signIn(new RedirectingBrowser(), cloud, next), `${cloud.url}/`, next)
    assert.equal((await start(new RedirectingBrowser(), cloud, { issuer: 'unknown' })).status, 501)
    const down = await startCloud(t, {
      env: { OIDC_ISSUERS: JSON.stringify([{ issuer: 'http://127.0.0.1:9', clientId: 'x', id: 'example' }]) },
    })
    assert.equal((await start(new RedirectingBrowser(), down)).status, 503)
  })

  test('OIDC-6: with SIGN_UP=closed only existing users sign in', async (t) => {
    const { issuer, cloud } = await startBoth(t, { env: { SIGN_UP: 'closed' } })
    issuer.account = ada
    assert.match(await signIn(new RedirectingBrowser(), cloud), /#error=SIGN_UP_CLOSED$/)
    assert.equal(await cloud.operator.users.findByEmail('ada@example.com'), undefined)
    await cloud.token('ada@example.com')
    assert.equal(await signIn(new RedirectingBrowser(), cloud), `${cloud.url}/`)
  })

  test('OIDC-2: the address is read from userinfo if the ID token has none', async (t) => {
    const { issuer, cloud } = await startBoth(t, { emailInIdToken: false })
    issuer.account = ada
    const browser = new RedirectingBrowser()
    assert.equal(await signIn(browser, cloud), `${cloud.url}/`)
    assert.equal(((await me(browser, cloud)) as { email: string }).email, 'ada@example.com')
  })

  test('OIDC-7 ACCT-60 ACCT-61: an account that is linked, then unlinked', async (t) => {
    const { issuer, cloud } = await startBoth(t)
    issuer.account = { ...ada, sub: 'taken-1', email: 'bob@example.com' }
    await new Browser(cloud).signUp('first@example.com', password)
    await signIn(new RedirectingBrowser(), cloud)

    const browser = new RedirectingBrowser()
    const post = async (path: string, body: object) => {
      const init = { method: 'POST', headers: { 'content-type': 'application/json' } }
      return browser.fetch(cloud.url + path, { ...init, body: JSON.stringify(body) })
    }
    await post('/api/auth/sign-up/email', { email: 'ada@example.com', password })
    const link = async (meanwhile = async () => {}) => {
      const started = await post('/api/auth/sign-in-methods/oidc', { issuer: 'example', next: '/account' })
      const { url, error } = (await started.json()) as { url: string; error?: string }
      if (error !== undefined) return error
      await meanwhile()
      return browser.follow(await browser.follow(url, `${cloud.url}/api/auth/callback/`), `${cloud.url}/`)
    }
    const methods = async () =>
      (await (await browser.fetch(`${cloud.url}/api/auth/sign-in-methods`)).json()) as {
        hasPassword: boolean
        requiresCode: boolean
        linked: { id: string; issuer: string; label: string }[]
      }
    const unlink = async (id: string) =>
      (
        await browser.fetch(`${cloud.url}/api/auth/sign-in-methods/${id}`, {
          method: 'DELETE',
          headers: { origin: cloud.url },
        })
      ).status

    assert.match(await link(), /\/account#error=OIDC_ACCOUNT_TAKEN$/)
    issuer.account = { sub: 'ada-1', email: 'else@example.net', email_verified: false }
    const issuerUrl = new URL(issuer.url)
    browser.forget(issuerUrl.host)
    const { users } = cloud.operator
    const { id: userId } = await users.findOrCreate('ada@example.com', Date.now())
    const suspend = async () => void (await users.setSuspended(userId, Date.now(), Date.now()))
    assert.match(await link(suspend), /\/account#error=ACCOUNT_SUSPENDED$/)
    await users.setSuspended(userId, null, Date.now())
    assert.deepEqual((await methods()).linked, [])
    browser.forget(issuerUrl.host)
    assert.equal(await link(), `${cloud.url}/account`)
    const { hasPassword, requiresCode, linked } = await methods()
    assert.deepEqual([hasPassword, requiresCode], [true, false])
    assert.deepEqual(
      linked.map(({ issuer, label }) => ({ issuer, label })),
      [{ issuer: 'example', label: 'Example' }],
    )
    const again = new RedirectingBrowser()
    await signIn(again, cloud)
    assert.equal(((await me(again, cloud)) as { email: string }).email, 'ada@example.com')

    const { db } = cloud.cloud
    const id = String(linked[0]?.id)
    const user = await cloud.operator.users.findByEmail('ada@example.com')
    const own = db.selectFrom('sign_in_methods').selectAll().where('user_id', '=', String(user?.id))
    const passwordRow = await own.where('provider_id', '=', 'credential').executeTakeFirstOrThrow()
    assert.equal(await unlink(passwordRow.id), 404)
    assert.equal(await unlink('unknown'), 404)
    await db.deleteFrom('sign_in_methods').where('id', '=', passwordRow.id).execute()
    assert.equal(await unlink(id), 409)
    await db.insertInto('sign_in_methods').values(passwordRow).execute()
    assert.equal(await unlink(id), 200)
    assert.deepEqual((await methods()).linked, [])
    assert.match(await signIn(new RedirectingBrowser(), cloud), /#error=OIDC_EMAIL_NOT_VERIFIED$/)

    await db
      .updateTable('logins')
      .set({ created_at: Date.now() - 61 * 60_000 })
      .where('user_id', '=', String(user?.id))
      .execute()
    assert.match(await link(), /RECENT_SIGN_IN_REQUIRED/)
  })

  test('OIDC-8: an account with another way to sign in is linked after a sign-in to it', async (t) => {
    const mailServer = await startMailServer(t)
    const { issuer, cloud } = await startBoth(t, { env: { SMTP_URL: mailServer.url } })
    await new Browser(cloud).signUp('ada@example.com', password)
    issuer.account = ada
    const browser = new RedirectingBrowser()
    const page = new URL(await signIn(browser, cloud, '/store?x=1'))
    const parameters = new URLSearchParams(page.hash.slice(1))
    assert.deepEqual([page.pathname, page.searchParams.get('to')], ['/sign-in', '/store?x=1'])
    assert.equal(parameters.get('link'), 'example')
    assert.match(String(parameters.get('error')), /^ACCOUNT_LINK_REQUIRED$/)
    assert.equal(await me(browser, cloud), 401)
    const post = async (path: string, body: object) => {
      const init = { method: 'POST', headers: { 'content-type': 'application/json' } }
      return browser.fetch(cloud.url + path, { ...init, body: JSON.stringify(body) })
    }
    await post('/api/auth/sign-in/email', { email: 'ada@example.com', password })
    const linking = await post('/api/auth/sign-in-methods/oidc', { issuer: 'example', next: '/store' })
    const { url } = (await linking.json()) as { url: string }
    const callback = await browser.follow(url, `${cloud.url}/api/auth/callback/`)
    assert.equal(await browser.follow(callback, `${cloud.url}/`), `${cloud.url}/store`)
    await mailServer.next('ada@example.com', 'was linked')
    const other = new RedirectingBrowser()
    assert.equal(await signIn(other, cloud), `${cloud.url}/`)
    assert.deepEqual(await me(other, cloud), await me(browser, cloud))

    // Of a user who cannot sign in otherwise, the address suffices, with a message.
    await cloud.token('bob@example.com')
    issuer.account = { ...ada, sub: 'bob-1', email: 'bob@example.com' }
    assert.equal(await signIn(new RedirectingBrowser(), cloud), `${cloud.url}/`)
    await mailServer.next('bob@example.com', 'was linked')
    issuer.account = { ...ada, sub: 'bob-2', email: 'bob@example.com' }
    assert.match(await signIn(new RedirectingBrowser(), cloud), /link=example/)
  })

  test('OIDC-2 ACCT-38: in the browser of its holder, an unconfirmed account is confirmed', async (t) => {
    const { issuer, cloud } = await startBoth(t)
    await new Browser(cloud).signUp('first@example.com', password)
    issuer.account = ada
    const browser = new RedirectingBrowser()
    const response = await browser.fetch(`${cloud.url}/api/auth/sign-up/email`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'ada@example.com', password }),
    })
    const { user } = (await response.json()) as { user: { id: string } }
    assert.match(await signIn(browser, cloud), /link=example/)
    const kept = await cloud.operator.users.findByEmail('ada@example.com')
    assert.deepEqual([kept?.id, kept?.isEmailVerified], [user.id, true])
    assert.equal(((await me(browser, cloud)) as { id: string }).id, user.id)
  })

  test('OIDC-2: the owner of an address takes over an unconfirmed account with it', async (t) => {
    const { issuer, cloud } = await startBoth(t)
    await new Browser(cloud).signUp('first@example.com', password)
    const squatter = new Browser(cloud)
    await squatter.signUp('ada@example.com', password)
    issuer.account = ada
    assert.equal(await signIn(new RedirectingBrowser(), cloud), `${cloud.url}/`)
    assert.equal((await squatter.request('GET', '/api/account/me')).status, 401)
    assert.equal((await squatter.signIn('ada@example.com', password)).status, 401)
  })
})

type Kind = IssuerOptions & {
  /** What differs in the configuration of the cloud. */
  readonly configured?: (url: string) => object
}

const both = ['client_secret_basic', 'client_secret_post', 'private_key_jwt']

/** Issuers as they are, each with a person whose address has its name. */
const KINDS: Readonly<Record<string, Kind>> = {
  basic: { authentication: 'client_secret_basic' },
  silent: { authentication: 'client_secret_basic', offered: null },
  post: { authentication: 'client_secret_post' },
  'post-of-both': { authentication: 'client_secret_post', offered: both },
  'basic-of-both': { authentication: 'client_secret_basic', offered: both },
  jwt: { authentication: 'client_secret_jwt' },
  unknown: { authentication: 'client_secret_post', offered: ['private_key_jwt'] },
  public: { authentication: 'none', configured: () => ({ clientSecret: undefined }) },
  path: { path: '/realm/one' },
  slash: { path: '/application/o/app/' },
  'slash-missing': { path: '/o/app/', configured: (url) => ({ issuer: url.slice(0, -1) }) },
  'slash-added': { path: '/realm', configured: (url) => ({ issuer: `${url}/` }) },
  metadata: { path: '/o', configured: (url) => ({ issuer: `${url}/.well-known/openid-configuration` }) },
  ps256: { algorithm: 'PS256' },
  es256: { algorithm: 'ES256' },
  eddsa: { algorithm: 'EdDSA' },
  'few-claims': { emailInIdToken: false },
  'signed-userinfo': { emailInIdToken: false, signsUserInfo: true, algorithm: 'ES256' },
  text: {
    adjust: (path, { body = {} }) => {
      if (path === '/token') body.expires_in = String(body.expires_in)
    },
  },
}

/** Issuers that do not say `email_verified`, with settings that help or do not. */
const UNVERIFIED: Readonly<Record<string, Kind>> = {
  untrusted: {},
  trusted: { configured: () => ({ trustEmail: true }) },
  entra: { emailInIdToken: false, configured: () => ({ emailVerifiedClaim: 'xms_edov' }) },
  upn: { configured: () => ({ emailClaim: 'upn', trustEmail: true }) },
}

/** Issuers whose responses are not accepted. */
const BROKEN: Readonly<Record<string, Kind>> = {
  'wrong-secret': { offered: both, configured: () => ({ clientSecret: 'x' }) },
  'another-issuer': {
    adjust: (_path, { location }) => {
      if (location?.searchParams.has('iss')) location.searchParams.set('iss', 'https://evil.example.org')
    },
  },
  failing: {
    adjust: (_path, { location }) => {
      if (!location?.searchParams.has('code')) return
      location.searchParams.delete('code')
      location.searchParams.set('error', 'temporarily_unavailable')
      location.searchParams.set('error_description', 'failing@example.com cannot sign in now')
    },
  },
  'another-name': {
    adjust: (path, { body = {} }) => {
      if (path.includes('well-known')) body.issuer = 'https://login.example.org/tenant'
    },
  },
  'no-endpoint': {
    adjust: (path, { body = {} }) => {
      if (path.includes('well-known')) delete body.token_endpoint
    },
  },
}

describe('issuers as they are', () => {
  const scope = suiteScope()
  const issuers = new Map<string, Awaited<ReturnType<typeof startOidcIssuer>>>()
  let cloud: SpawnedCloud

  before(async () => {
    const entries = await Promise.all(
      Object.entries({ ...KINDS, ...UNVERIFIED, ...BROKEN }).map(async ([id, { configured, ...options }]) => {
        const issuer = await startOidcIssuer(scope, options)
        issuers.set(id, issuer)
        return { issuer: issuer.url, id, ...oidcClient, ...configured?.(issuer.url) }
      }),
    )
    cloud = await spawnCloud(scope, { env: { OIDC_ISSUERS: JSON.stringify(entries), LOG_LEVEL: 'warn' } })
    for (const [id, issuer] of issuers) {
      issuer.register(`${cloud.url}/api/auth/callback/${id}`)
      issuer.account = { sub: id, email: `${id}@example.com`, email_verified: true }
    }
  })

  test('OIDC-10 OIDC-11 OIDC-12: people sign in at issuers of each kind', async () => {
    for (const kind of Object.keys(KINDS)) {
      const browser = new RedirectingBrowser()
      assert.equal(await signIn(browser, cloud, '/', kind), `${cloud.url}/`, kind)
      assert.equal(((await me(browser, cloud)) as { email: string }).email, `${kind}@example.com`)
    }
  })

  test('OIDC-10: what an issuer accepts is tried first', async () => {
    for (const kind of ['basic', 'post-of-both']) await signIn(new RedirectingBrowser(), cloud, '/', kind)
    const usesHeader = (kind: string) =>
      issuers
        .get(kind)
        ?.requests.filter(({ path }) => path === '/token')
        .map(({ authorization }) => authorization !== undefined)
    assert.deepEqual(usesHeader('basic'), [true, true])
    assert.deepEqual(usesHeader('post-of-both'), [true, false, false])
  })

  test('OIDC-3 OIDC-10 OIDC-12: a response that is not accepted, with the reason in the log', async () => {
    for (const kind of ['wrong-secret', 'another-issuer', 'failing']) {
      const browser = new RedirectingBrowser()
      assert.match(await signIn(browser, cloud, '/', kind), /#error=OIDC_SIGN_IN_REJECTED$/, kind)
      assert.equal(await me(browser, cloud), 401)
    }
    const reasonOf = (kind: string) => cloud.logged.find(({ issuer }) => issuer === kind)
    assert.equal(reasonOf('wrong-secret')?.issuerError, 'invalid_client')
    assert.equal(reasonOf('failing')?.issuerError, 'temporarily_unavailable')
    assert.ok(!JSON.stringify(cloud.logged).includes('@example.com'))
  })

  test('OIDC-5 OIDC-11: metadata of another issuer, and without an endpoint', async () => {
    for (const issuer of ['another-name', 'no-endpoint'])
      assert.equal((await start(new RedirectingBrowser(), cloud, { issuer })).status, 503)
    const logged = JSON.stringify(cloud.logged)
    assert.match(logged, /describes the issuer https:\/\/login\.example\.org\/tenant; set this name instead/)
    assert.match(logged, /has no token_endpoint/)
  })

  /** Signs in with other claims. @returns the address here, or the error */
  const visit = async (kind: string, account: IssuerAccount) => {
    const issuer = issuers.get(kind)
    assert.ok(issuer)
    issuer.account = account
    const browser = new RedirectingBrowser()
    const { hash } = new URL(await signIn(browser, cloud, '/', kind))
    const user = await me(browser, cloud)
    if (typeof user !== 'number') return user.email
    return new URLSearchParams(hash.slice(1)).get('error')
  }
  const [MISSING, UNVERIFIED_ADDRESS] = ['OIDC_EMAIL_MISSING', 'OIDC_EMAIL_NOT_VERIFIED']

  test('OIDC-13: an address that is not verified, and none', async () => {
    const email = 'Grace@Example.com'
    for (const verified of [undefined, false, 'false', 'yes', 0, null, {}, [false]])
      assert.equal(
        await visit('untrusted', {
          sub: 'grace',
          email,
          ...(verified !== undefined && { email_verified: verified }),
        }),
        UNVERIFIED_ADDRESS,
      )
    for (const none of [undefined, null, '', 'grace', {}, []])
      assert.equal(
        await visit('untrusted', {
          sub: 'grace',
          email_verified: true,
          ...(none !== undefined && { email: none }),
        }),
        MISSING,
      )
    assert.equal(await cloud.operator.users.findByEmail('grace@example.com'), undefined)
    const logged = JSON.stringify(cloud.logged)
    assert.match(logged, /"issuer":"untrusted"/)
    assert.match(logged, /no claim email_verified; .+ set trustEmail .+ as emailVerifiedClaim/)
    assert.match(logged, /no true email_verified; .+ set trustEmail/)
    assert.match(logged, /no e-mail address in email; .+ as emailClaim/)
    assert.ok(!logged.toLowerCase().includes('grace'))
    assert.equal(
      await visit('untrusted', { sub: 'grace', email, email_verified: 'true' }),
      'grace@example.com',
    )
  })

  test('OIDC-13: an issuer that the operator trusts, and claims of another name', async () => {
    const email = 'alan@example.com'
    assert.equal(await visit('trusted', { sub: 'alan', email, email_verified: false }), email)
    assert.equal(await visit('trusted', { sub: 'alan' }), email, 'the account is linked')
    assert.equal(await visit('trusted', { sub: 'nobody' }), MISSING)
    const mary = { sub: 'mary', email: 'mary@example.com' }
    assert.equal(await visit('entra', { ...mary, email_verified: true }), UNVERIFIED_ADDRESS)
    assert.equal(await visit('entra', { ...mary, xms_edov: false }), UNVERIFIED_ADDRESS)
    assert.equal(await visit('entra', { ...mary, xms_edov: '1' }), mary.email)
    assert.equal(
      await visit('upn', { sub: 'edith', upn: 'edith@example.com', email: 'x@example.com' }),
      'edith@example.com',
    )
    assert.equal(
      await visit('untrusted', { sub: 'rosalind', email: 'rosalind@example.com' }),
      UNVERIFIED_ADDRESS,
    )
  })

  test('OIDC-8 OIDC-14: an address of somebody else at an issuer that the operator trusts', async () => {
    const email = 'victim@example.com'
    const victim = new Browser(cloud)
    const { id } = (await victim.signUp(email, password)).body.user
    await cloud.operator.users.setEmailVerified(id, Date.now())
    assert.equal(await visit('trusted', { sub: 'mallory', email }), 'ACCOUNT_LINK_REQUIRED')
    assert.equal(
      await visit('trusted', { sub: 'mallory', email: 'mallory@example.com' }),
      'mallory@example.com',
    )
    assert.equal(await visit('trusted', { sub: 'mallory', email }), 'mallory@example.com')
    const methods = await victim.request<{ linked: unknown[] }>('GET', '/api/auth/sign-in-methods')
    assert.deepEqual(methods.body.linked, [])
  })
})
