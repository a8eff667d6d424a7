import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, test } from 'node:test'
import { createSigner } from 'fast-jwt'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { eitherDatabase } from '../../src/db/testing.ts'
import { VirtualClock } from '../../src/time/testing/virtual-clock.ts'
import { Browser } from '../support/account-browser.ts'
import { deleteAccount } from '../support/deletion-client.ts'
import { startMailServer } from '../support/mail-server.ts'
import type { Scope } from '../support/scope.ts'
import { type LocalCloud, startCloud, testSecret } from '../support/test-cloud.ts'

type Fields = Record<string, unknown>

const supabase = 'the key that Supabase signs tokens with'
const authing = 'the key that Authing signs its tokens with'
const env = { SUPABASE_JWT_SECRET: supabase, AUTHING_APP_SECRET: authing }
const email = 'ann-marie@example.com'

const seconds = (ms: number) => Math.floor(ms / 1000)
const claimsNow = () => ({ sub: 'u1', email, iat: seconds(Date.now()), exp: seconds(Date.now()) + 3_600 })
const signed = (key: string, claims: object = claimsNow(), algorithm: 'HS256' | 'HS512' = 'HS256') =>
  createSigner({ key, algorithm })(claims)

const exchange = (cloud: LocalCloud, body: unknown, token?: string, path = '/api/auth/exchange-token') =>
  cloud.request<{ coreToken?: string; error?: string }>('POST', path, { body, token })
const me = async (cloud: LocalCloud, token: unknown) =>
  (await cloud.request<Fields>('GET', '/api/account/me', { token: String(token) })).body

/** Starts an OpenID Connect issuer with one signing key. `makeToken` signs with that key, or with another one. */
async function startIssuer(t: Scope) {
  const { privateKey, publicKey } = await generateKeyPair('ES256')
  const other = await generateKeyPair('ES256')
  const jwk = { ...(await exportJWK(publicKey)), kid: 'k1', alg: 'ES256', use: 'sig' }
  let isUp = true
  let requestCount = 0
  let announcedIssuer: string | undefined
  const server = createServer((request, response) => {
    requestCount += 1
    if (!isUp) return void response.writeHead(503).end()
    const discovery = { issuer: announcedIssuer ?? url, jwks_uri: `${url}/keys` }
    response.end(JSON.stringify(request.url === '/keys' ? { keys: [jwk] } : discovery))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const makeToken = (over: Record<string, unknown> = {}, { foreign = false } = {}) => {
    const claims = { ...claimsNow(), iss: url, aud: 'glasses', email_verified: true, ...over }
    const header = { alg: 'ES256', kid: 'k1' }
    return new SignJWT(claims).setProtectedHeader(header).sign(foreign ? other.privateKey : privateKey)
  }
  return {
    url,
    makeToken,
    jwk,
    get requestCount() {
      return requestCount
    },
    set isUp(value: boolean) {
      isUp = value
    },
    set announcedIssuer(value: string | undefined) {
      announcedIssuer = value
    },
  }
}

describe('sign-in with an OpenID Connect issuer', () => {
  test('AUTH-14: a valid ID token is exchanged for a core token; any other returns 401', async (t) => {
    const issuer = await startIssuer(t)
    const { url, makeToken } = issuer
    const cloud = await startCloud(t, { env: { OIDC_ISSUER: url, OIDC_AUDIENCE: 'glasses' } })
    const { status, body } = await exchange(cloud, {
      idToken: await makeToken({ email: 'Ann-Marie@Example.com' }),
    })
    assert.equal(status, 200)
    assert.equal((await me(cloud, body.coreToken)).email, email)
    assert.equal(
      (await exchange(cloud, { idToken: await makeToken({ aud: ['other', 'glasses'] }) })).status,
      200,
    )
    assert.equal(issuer.requestCount, 2, 'the discovery document and the keys are fetched once')

    const secret = JSON.stringify(issuer.jwk)
    const invalid: Record<string, string> = {
      'another key': await makeToken({}, { foreign: true }),
      'another issuer': await makeToken({ iss: 'https://login.example.org' }),
      'another audience': await makeToken({ aud: 'another' }),
      'no audience': await makeToken({ aud: undefined }),
      'an e-mail that is not verified': await makeToken({ email_verified: false }),
      'an e-mail without verification claim': await makeToken({ email_verified: undefined }),
      'no e-mail': await makeToken({ email: undefined }),
      'no expiry': await makeToken({ exp: undefined }),
      'an expired token': await makeToken({ exp: seconds(Date.now()) - 120 }),
      'the public key as secret': signed(secret, {
        ...claimsNow(),
        iss: url,
        aud: 'glasses',
        email_verified: true,
      }),
      'malformed token': 'nonsense',
    }
    for (const [what, idToken] of Object.entries(invalid))
      assert.equal((await exchange(cloud, { idToken })).status, 401, what)
    assert.equal((await exchange(cloud, { supabaseToken: await makeToken() })).status, 501)
  })

  test('AUTH-14 OIDC-13 OIDC-14: ID tokens without a verified address', async (t) => {
    const { url, makeToken } = await startIssuer(t)
    const tokenOf = (about: object) => makeToken({ email_verified: undefined, ...about })
    const startWith = (env: Record<string, string>) => startCloud(t, { env: { LOG_LEVEL: 'warn', ...env } })
    const phones = { OIDC_ISSUER: url, OIDC_AUDIENCE: 'glasses' }

    const strict = await startWith(phones)
    const { status, body } = await exchange(strict, { idToken: await tokenOf({}) })
    assert.equal(status, 401)
    assert.match(String(body.error), /does not say that your e-mail address is verified/)
    assert.match(JSON.stringify(strict.logged), /no claim email_verified; .+OIDC_TRUST_EMAIL/)
    assert.ok(!JSON.stringify(strict.logged).includes(email))
    assert.equal((await exchange(strict, { idToken: await tokenOf({ email_verified: 'true' }) })).status, 200)

    const trusting = await startWith({ ...phones, OIDC_TRUST_EMAIL: 'true', OIDC_EMAIL_CLAIM: 'upn' })
    const upn = 'UPN@example.com'
    const signedIn = await exchange(trusting, { idToken: await tokenOf({ upn, email_verified: false }) })
    assert.equal((await me(trusting, signedIn.body.coreToken)).email, 'upn@example.com')

    const issuer = { issuer: url, clientId: 'glasses' }
    const browsers = await startWith({ OIDC_ISSUERS: JSON.stringify([issuer]) })
    const refused = await exchange(browsers, { idToken: await tokenOf({}) })
    assert.equal(refused.status, 403)
    assert.match(String(refused.body.error), /does not say that your e-mail address is verified/)
    assert.equal((await exchange(browsers, { idToken: await makeToken() })).status, 200)
    assert.equal((await exchange(browsers, { idToken: await tokenOf({ email: undefined }) })).status, 200)
  })

  test('OIDC-6: ID tokens of a known and a new user', async (t) => {
    const { url, makeToken } = await startIssuer(t)
    const issuers = JSON.stringify([{ issuer: url, clientId: 'glasses', label: 'Example' }])
    const cloud = await startCloud(t, { env: { OIDC_ISSUERS: issuers, SIGN_UP: 'closed' } })
    assert.equal((await exchange(cloud, { idToken: await makeToken() })).status, 403)
    assert.equal(await cloud.operator.users.findByEmail(email), undefined)
    await cloud.token(email)
    assert.equal((await exchange(cloud, { idToken: await makeToken() })).status, 200)
  })

  test('AUTH-6 AUTH-7: an ID token of a linked account from before a log-out or a deletion', async (t) => {
    const { url, makeToken } = await startIssuer(t)
    const issuers = JSON.stringify([{ issuer: url, clientId: 'glasses', label: 'Example' }])
    const cloud = await startCloud(t, { env: { OIDC_ISSUERS: issuers } })
    const idToken = (ageSeconds: number) => makeToken({ iat: seconds(Date.now()) - ageSeconds })
    const [old, later] = await Promise.all([idToken(60), idToken(-10)])
    const signIn = async (token: string) => {
      const { status, body } = await exchange(cloud, { idToken: token })
      return status === 200 ? String(body.coreToken) : status
    }
    const coreToken = await signIn(old)
    assert.equal(typeof coreToken, 'string')
    const logOut = { token: String(coreToken) }
    assert.equal((await cloud.request('POST', '/api/auth/logout-everywhere', logOut)).status, 200)
    assert.equal(await signIn(old), 401)
    assert.equal(await signIn(await makeToken({ iat: undefined })), 401)
    const again = await signIn(later)
    assert.equal(typeof again, 'string')
    assert.equal((await deleteAccount(cloud, String(again))).status, 200)
    assert.equal(await signIn(old), 401)
    assert.equal(await cloud.operator.users.findByEmail(email), undefined)
    assert.equal(typeof (await signIn(later)), 'string')
  })

  test('OIDC-8 OIDC-9: tokens for an account with a password', async (t) => {
    const [{ url, makeToken }, mailServer] = await Promise.all([startIssuer(t), startMailServer(t)])
    const issuers = JSON.stringify([{ issuer: url, clientId: 'browsers', label: 'Example' }])
    const cloud = await startCloud(t, {
      env: {
        OIDC_ISSUER: url,
        OIDC_AUDIENCE: 'phones',
        OIDC_ISSUERS: issuers,
        SMTP_URL: mailServer.url,
      },
    })
    const headers = { origin: cloud.url, 'user-agent': 'a browser' }
    await new Browser(cloud, headers).signUp(email, 'a password of the operator')
    assert.equal((await exchange(cloud, { idToken: await makeToken({ aud: 'browsers' }) })).status, 409)
    for (let n = 0; n < 2; n += 1)
      assert.equal((await exchange(cloud, { idToken: await makeToken({ aud: 'phones' }) })).status, 200)
    await mailServer.next(email, 'signed in to your account')
    await cloud.cloud.features.auth.mailer.idle()
    assert.deepEqual(mailServer.mails, [], 'one message for a program')
  })

  test('AUTH-14: an issuer may have a client for phones and one for browsers', async (t) => {
    const { url, makeToken } = await startIssuer(t)
    const issuers = JSON.stringify([{ issuer: url, clientId: 'browsers', label: 'Example' }])
    const cloud = await startCloud(t, {
      env: { OIDC_ISSUER: url, OIDC_AUDIENCE: 'phones', OIDC_ISSUERS: issuers },
    })
    for (const [aud, status] of Object.entries({ phones: 200, browsers: 200, others: 401 }))
      assert.equal((await exchange(cloud, { idToken: await makeToken({ aud }) })).status, status, aud)
  })

  test('AUTH-14 AUTH-77: an unreachable issuer returns 503 and is asked again after 5 s', async (t) => {
    const issuer = await startIssuer(t)
    const clock = new VirtualClock(Date.now())
    const env = { OIDC_ISSUER: issuer.url, OIDC_AUDIENCE: 'glasses' }
    const cloud = await startCloud(t, { env, overrides: { clock } })
    const exchangeToken = async () => exchange(cloud, { idToken: await issuer.makeToken() })
    issuer.isUp = false
    const unreachable = await exchangeToken()
    assert.deepEqual(
      [unreachable.status, unreachable.body],
      [503, { error: 'The identity provider cannot be reached; try again later' }],
    )
    issuer.isUp = true
    assert.equal((await exchangeToken()).status, 503, 'a moment later')
    clock.advance(5_000)
    issuer.announcedIssuer = 'https://login.example.org'
    assert.equal((await exchangeToken()).status, 503, 'the discovery document names another issuer')
    clock.advance(5_000)
    issuer.announcedIssuer = undefined
    assert.equal((await exchangeToken()).status, 200)
  })
})

describe('sign-in with an identity provider', () => {
  eitherDatabase((database) => {
    test('AUTH-11: a provider token is exchanged for a core token of the same user, whatever the bearer', async (t) => {
      const cloud = await startCloud(t, { database, env })
      const role = { role: 'authenticated', aud: 'authenticated', is_anonymous: false, email_verified: true }
      for (const [body, bearer, path] of [
        [{ supabaseToken: signed(supabase, { ...claimsNow(), ...role }) }, 'null', '/auth/exchange-token'],
        [{ supabaseToken: signed(supabase, { ...claimsNow(), email: 'Ann-Marie@Example.com' }) }, 'nonsense'],
        [{ authingToken: signed(authing), supabaseToken: null }, undefined, '/api/auth/exchange-token/'],
      ] as const) {
        const { status, body: result } = await exchange(cloud, body, bearer, path)
        assert.equal(status, 200)
        assert.deepEqual(Object.keys(result).sort(), ['coreToken', 'expiresIn', 'refreshToken'])
        assert.equal((await me(cloud, result.coreToken)).email, email)
      }
      assert.equal((await cloud.operator.users.list()).length, 1)
    })

    test('AUTH-18: the owner of an address takes over an account that somebody else created with it', async (t) => {
      const cloud = await startCloud(t, { database, env })
      await new Browser(cloud).signUp('first@example.com', 'a password of the operator')
      const squatter = new Browser(cloud)
      const { token } = (await squatter.signUp(email, 'a password of a squatter')).body
      const stolen = await cloud.request<{ coreToken: string; refreshToken: string }>(
        'POST',
        '/api/auth/exchange-token',
        {
          body: { sessionToken: token },
        },
      )
      const { body } = await exchange(cloud, { supabaseToken: signed(supabase) })
      assert.equal((await me(cloud, body.coreToken)).email, email)
      assert.equal((await squatter.signIn(email, 'a password of a squatter')).status, 401)
      assert.equal((await squatter.request('GET', '/api/account/me')).status, 401)
      const { coreToken, refreshToken } = stolen.body
      assert.equal((await cloud.request('GET', '/api/account/me', { token: coreToken })).status, 401)
      assert.equal((await cloud.request('POST', '/api/auth/refresh', { body: { refreshToken } })).status, 401)
      const again = await exchange(cloud, { supabaseToken: signed(supabase) })
      assert.equal((await me(cloud, body.coreToken)).id, (await me(cloud, again.body.coreToken)).id)
    })

    test('AUTH-12: a provider token from before a logout or a deletion returns 401', async (t) => {
      const cloud = await startCloud(t, { database, env })
      const old = signed(supabase, { ...claimsNow(), iat: seconds(Date.now()) - 10 })
      const { coreToken } = (await exchange(cloud, { supabaseToken: old })).body
      const user = await cloud.operator.users.findByEmail(email)
      assert.ok(user)
      await cloud.operator.users.setTokensValidFrom(user.id, Date.now() - 5_000)
      assert.equal((await exchange(cloud, { supabaseToken: old })).status, 401)
      const { body } = await exchange(cloud, { supabaseToken: signed(supabase) })
      assert.equal((await me(cloud, body.coreToken)).email, email)
      await cloud.request('POST', '/api/account/request-deletion', { token: String(body.coreToken) })
      for (const token of [old, coreToken])
        assert.equal((await exchange(cloud, { supabaseToken: token })).status, 401)
      assert.equal(await cloud.operator.users.findByEmail(email), undefined)
      const iat = seconds(Date.now()) + 2
      assert.equal(
        (await exchange(cloud, { supabaseToken: signed(supabase, { ...claimsNow(), iat }) })).status,
        200,
      )
    })
  })

  test('AUTH-12: a token that the provider did not sign for this user returns 401', async (t) => {
    const cloud = await startCloud(t, { env })
    const own = await cloud.token('somebody@example.com')
    const { sub, exp, ...rest } = claimsNow()
    const algNone = Buffer.from(JSON.stringify({ alg: 'none' })).toString('base64url')
    const [, payload] = signed(supabase).split('.')
    const invalid: Record<string, string> = {
      'malformed token': 'nonsense',
      'another key': signed('some other key, long enough to be one'),
      'the key of the other provider': signed(authing),
      'the key of this cloud': signed(testSecret),
      'a token of this cloud': own,
      'no signature': `${algNone}.${payload}.`,
      'another algorithm': signed(supabase, claimsNow(), 'HS512'),
      'no expiry': signed(supabase, { sub, ...rest }),
      'an expired token': signed(supabase, { ...claimsNow(), exp: seconds(Date.now()) - 120 }),
      'no subject': signed(supabase, { exp, ...rest }),
      'no e-mail': signed(supabase, { sub, exp }),
      'an empty e-mail': signed(supabase, { ...claimsNow(), email: '' }),
      'an invalid e-mail': signed(supabase, { ...claimsNow(), email: 'ann' }),
      'an unverified e-mail': signed(supabase, { ...claimsNow(), email_verified: false }),
      'a service key': signed(supabase, { ...claimsNow(), role: 'service_role' }),
      'an anonymous user': signed(supabase, { ...claimsNow(), is_anonymous: true }),
    }
    for (const [what, supabaseToken] of Object.entries(invalid)) {
      const { status, body } = await exchange(cloud, { supabaseToken })
      assert.deepEqual([status, body], [401, { error: 'Unauthorized' }], what)
    }
    assert.equal((await cloud.operator.users.list()).length, 1)
  })

  test('AUTH-13: a missing token returns 400, an unconfigured provider 501', async (t) => {
    const cloud = await startCloud(t, { env })
    for (const body of [undefined, {}, { supabaseToken: null }, { supabaseToken: '', authingToken: '' }]) {
      const { status, body: result } = await exchange(cloud, body)
      assert.deepEqual([status, result], [400, { error: 'No token provided' }])
    }
    for (const body of [{ supabaseToken: 5 }, { supabaseToken: 'x'.repeat(8_193) }])
      assert.equal((await exchange(cloud, body)).status, 400)

    const withoutAuthing = await startCloud(t, { env: { SUPABASE_JWT_SECRET: supabase } })
    assert.equal((await exchange(withoutAuthing, { supabaseToken: signed(supabase) })).status, 200)
    const withoutProvider = await startCloud(t)
    for (const [where, body] of [
      [withoutAuthing, { authingToken: signed(authing) }],
      [withoutProvider, { supabaseToken: signed(supabase) }],
      [withoutProvider, { supabaseToken: signed('undefined') }],
    ] as const)
      assert.equal((await exchange(where, body)).status, 501)
    const own = { supabaseToken: await withoutProvider.token(email) }
    assert.equal((await exchange(withoutProvider, own)).status, 401, 'a token that belongs to no login')
  })
})
