import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createSigner } from 'fast-jwt'
import { eachDatabase } from '../src/store/testing.ts'
import { type LocalCloud, startCloud, testSecret } from './harness.ts'

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
      assert.deepEqual([status, answer.error], [400, 'supabaseToken or authingToken is required'])
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
