import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, test } from 'node:test'
import { createSigner } from 'fast-jwt'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { eachDatabase } from '../../src/db/testing.ts'
import { type LocalCloud, type Scope, startCloud, testSecret } from '../support/test-cloud.ts'

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

/** An OpenID Connect issuer with one key, and the tokens it and others make. */
async function startIssuer(t: Scope) {
  const { privateKey, publicKey } = await generateKeyPair('ES256')
  const other = await generateKeyPair('ES256')
  const jwk = { ...(await exportJWK(publicKey)), kid: 'k1', alg: 'ES256', use: 'sig' }
  let isUp = true
  let asked = 0
  let named: string | undefined
  const server = createServer((request, response) => {
    asked += 1
    if (!isUp) return void response.writeHead(503).end()
    const about = { issuer: named ?? url, jwks_uri: `${url}/keys` }
    response.end(JSON.stringify(request.url === '/keys' ? { keys: [jwk] } : about))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const make = (over: Record<string, unknown> = {}, { foreign = false } = {}) => {
    const claims = { ...claimsNow(), iss: url, aud: 'glasses', email_verified: true, ...over }
    const header = { alg: 'ES256', kid: 'k1' }
    return new SignJWT(claims).setProtectedHeader(header).sign(foreign ? other.privateKey : privateKey)
  }
  return {
    url,
    make,
    jwk,
    get asked() {
      return asked
    },
    set isUp(value: boolean) {
      isUp = value
    },
    set named(value: string | undefined) {
      named = value
    },
  }
}

describe('sign-in at an OpenID Connect issuer', () => {
  test('AUTH-14: its ID token for this cloud becomes a core token, and no other does', async (t) => {
    const issuer = await startIssuer(t)
    const { url, make } = issuer
    const cloud = await startCloud(t, { env: { OIDC_ISSUER: url, OIDC_AUDIENCE: 'glasses' } })
    const { status, body } = await exchange(cloud, {
      idToken: await make({ email: 'Ann-Marie@Example.com' }),
    })
    assert.equal(status, 200)
    assert.equal((await me(cloud, body.coreToken)).email, email)
    assert.equal((await exchange(cloud, { idToken: await make({ aud: ['other', 'glasses'] }) })).status, 200)
    assert.equal(issuer.asked, 2, 'what it is and its keys are asked for once')

    const secret = JSON.stringify(issuer.jwk)
    const bad: Record<string, string> = {
      'another key': await make({}, { foreign: true }),
      'another issuer': await make({ iss: 'https://login.example.org' }),
      'another audience': await make({ aud: 'another' }),
      'no audience': await make({ aud: undefined }),
      'an e-mail that is not verified': await make({ email_verified: false }),
      'an e-mail of which that is not said': await make({ email_verified: undefined }),
      'no e-mail': await make({ email: undefined }),
      'no end': await make({ exp: undefined }),
      'an end that is past': await make({ exp: seconds(Date.now()) - 120 }),
      'the public key as a secret': signed(secret, {
        ...claimsNow(),
        iss: url,
        aud: 'glasses',
        email_verified: true,
      }),
      'no token': 'nonsense',
    }
    for (const [what, idToken] of Object.entries(bad))
      assert.equal((await exchange(cloud, { idToken })).status, 401, what)
    assert.equal((await exchange(cloud, { supabaseToken: await make() })).status, 501)
  })

  test('AUTH-14: an issuer that is away is 503, and asked again', async (t) => {
    const issuer = await startIssuer(t)
    const cloud = await startCloud(t, { env: { OIDC_ISSUER: issuer.url, OIDC_AUDIENCE: 'glasses' } })
    const ask = async () => exchange(cloud, { idToken: await issuer.make() })
    issuer.isUp = false
    const away = await ask()
    assert.deepEqual([away.status, away.body], [503, { error: 'The identity provider cannot be reached' }])
    issuer.isUp = true
    issuer.named = 'https://login.example.org'
    assert.equal((await ask()).status, 503, 'it says that it is another one')
    issuer.named = undefined
    assert.equal((await ask()).status, 200)
  })
})

describe('sign-in at an identity provider', () => {
  eachDatabase((database) => {
    test('AUTH-11: its token becomes a core token of the same user, whatever comes as bearer', async (t) => {
      const cloud = await startCloud(t, { database, env })
      const role = { role: 'authenticated', aud: 'authenticated', is_anonymous: false, email_verified: true }
      for (const [body, bearer, path] of [
        [{ supabaseToken: signed(supabase, { ...claimsNow(), ...role }) }, 'null', '/auth/exchange-token'],
        [{ supabaseToken: signed(supabase, { ...claimsNow(), email: 'Ann-Marie@Example.com' }) }, 'nonsense'],
        [{ authingToken: signed(authing), supabaseToken: null }, undefined, '/api/auth/exchange-token/'],
      ] as const) {
        const { status, body: answer } = await exchange(cloud, body, bearer, path)
        assert.equal(status, 200)
        assert.deepEqual(Object.keys(answer), ['coreToken'])
        assert.equal((await me(cloud, answer.coreToken)).email, email)
      }
      assert.equal((await cloud.operator.users.list()).length, 1)
    })

    test('AUTH-12: a token of before a logout, or of before a deletion, brings nobody in', async (t) => {
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

  test('AUTH-12: what the provider did not sign for this person is refused', async (t) => {
    const cloud = await startCloud(t, { env })
    const own = await cloud.token('somebody@example.com')
    const { sub, exp, ...rest } = claimsNow()
    const none = Buffer.from(JSON.stringify({ alg: 'none' })).toString('base64url')
    const [, payload] = signed(supabase).split('.')
    const bad: Record<string, string> = {
      'no token': 'nonsense',
      'another key': signed('some other key, long enough to be one'),
      'the key of the other provider': signed(authing),
      'the key of this cloud': signed(testSecret),
      'a token of this cloud': own,
      'no signature': `${none}.${payload}.`,
      'another algorithm': signed(supabase, claimsNow(), 'HS512'),
      'no end': signed(supabase, { sub, ...rest }),
      'an end that is past': signed(supabase, { ...claimsNow(), exp: seconds(Date.now()) - 120 }),
      'no subject': signed(supabase, { exp, ...rest }),
      'no e-mail': signed(supabase, { sub, exp }),
      'an empty e-mail': signed(supabase, { ...claimsNow(), email: '' }),
      'what is no e-mail': signed(supabase, { ...claimsNow(), email: 'ann' }),
      'an unverified e-mail': signed(supabase, { ...claimsNow(), email_verified: false }),
      'a key of the service': signed(supabase, { ...claimsNow(), role: 'service_role' }),
      'nobody in particular': signed(supabase, { ...claimsNow(), is_anonymous: true }),
    }
    for (const [what, supabaseToken] of Object.entries(bad)) {
      const { status, body } = await exchange(cloud, { supabaseToken })
      assert.deepEqual([status, body], [401, { error: 'Unauthorized' }], what)
    }
    assert.equal((await cloud.operator.users.list()).length, 1)
  })

  test('AUTH-13: without a token there is none, and without a provider there never is', async (t) => {
    const cloud = await startCloud(t, { env })
    for (const body of [undefined, {}, { supabaseToken: null }, { supabaseToken: '', authingToken: '' }]) {
      const { status, body: answer } = await exchange(cloud, body)
      assert.deepEqual([status, answer.error], [400, 'supabaseToken, authingToken or idToken is required'])
    }
    for (const body of [{ supabaseToken: 5 }, { supabaseToken: 'x'.repeat(8_193) }])
      assert.equal((await exchange(cloud, body)).status, 400)

    const half = await startCloud(t, { env: { SUPABASE_JWT_SECRET: supabase } })
    assert.equal((await exchange(half, { supabaseToken: signed(supabase) })).status, 200)
    const alone = await startCloud(t)
    for (const [where, body] of [
      [half, { authingToken: signed(authing) }],
      [alone, { supabaseToken: signed(supabase) }],
      [alone, { supabaseToken: signed('undefined') }],
      [alone, { supabaseToken: await alone.token(email) }],
    ] as const)
      assert.equal((await exchange(where, body)).status, 501)
  })
})
