import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, test } from 'node:test'
import { createSigner } from 'fast-jwt'
import { eitherDatabase } from '../../src/db/testing.ts'
import { type ProjectUser, SupabaseProject } from '../../src/identity/testing/supabase-project.ts'
import { Browser } from '../support/account-browser.ts'
import type { Scope } from '../support/scope.ts'
import { type LocalCloud, startCloud } from '../support/test-cloud.ts'

const email = 'ann-marie@example.com'

interface Issued {
  readonly coreToken: string
  readonly refreshToken: string
  readonly error?: string
}

const exchange = (cloud: LocalCloud, supabaseToken: string, headers: Record<string, string> = {}) =>
  cloud.request<Issued>('POST', '/auth/exchange-token', { body: { supabaseToken }, headers })
const addressOf = async (cloud: LocalCloud, token: string) =>
  (await cloud.request<{ email: string }>('GET', '/api/account/me', { token })).body.email
const loginsOf = async (cloud: LocalCloud, token: string) =>
  (await cloud.request<{ logins: { id: string }[] }>('GET', '/api/auth/logins', { token })).body.logins

async function startBoth(t: Scope, env: Record<string, string> = {}) {
  const project = await SupabaseProject.start(t)
  const cloud = await startCloud(t, { env: { ...project.env, REST_LIMIT_PER_MINUTE: '1000', ...env } })
  return { project, cloud }
}

describe('tokens of a Supabase project', () => {
  eitherDatabase((database) => {
    test('AUTH-73: the account of the confirmed address that the user has now', async (t) => {
      const project = await SupabaseProject.start(t)
      const cloud = await startCloud(t, { database, env: project.env })
      const user = project.addUser('Ann-Marie@Example.com')
      for (const algorithm of ['ES256', 'ES256', 'HS256'] as const) {
        project.algorithm = algorithm
        const { status, body } = await exchange(cloud, await project.issue(user))
        assert.equal(status, 200)
        assert.equal(await addressOf(cloud, body.coreToken), email)
      }
      assert.deepEqual(project.requests, ['/.well-known/jwks.json', '/user', '/user', '/user'])
      const token = await project.issue(user)
      user.email = 'new@example.com'
      const { body } = await exchange(cloud, token)
      assert.equal(await addressOf(cloud, body.coreToken), 'new@example.com')
      assert.equal((await cloud.operator.users.list()).length, 2)
    })

    test('AUTH-76: one login for a session and a program, however often it starts', async (t) => {
      const project = await SupabaseProject.start(t)
      const cloud = await startCloud(t, { database, env: project.env })
      const user = project.addUser(email)
      const session = project.startSession()
      const start = async (userAgent = 'App/1.0', of = session) =>
        (await exchange(cloud, await project.issue(user, of), { 'user-agent': userAgent })).body
      const first = await Promise.all([start(), start(), start()])
      const last = await start()
      assert.equal((await loginsOf(cloud, last.coreToken)).length, 1)
      for (const { coreToken } of first) assert.equal(await addressOf(cloud, coreToken), email)
      const refresh = async ({ refreshToken }: Issued) =>
        (await cloud.request('POST', '/api/auth/refresh', { body: { refreshToken } })).status
      assert.deepEqual([await refresh(last), await refresh(first[0]), await refresh(last)], [200, 401, 200])
      const other = await start('Other/1.0')
      await start('App/1.0', project.startSession())
      const logins = await loginsOf(cloud, other.coreToken)
      assert.equal(logins.length, 3)

      const account = String((await cloud.operator.users.findByEmail(email))?.id)
      const atOnce = Array.from({ length: 5 }, () =>
        cloud.cloud.logins.findOrCreate(account, {}, Date.now(), 'a session'),
      )
      assert.equal(new Set((await Promise.all(atOnce)).map(({ id }) => id)).size, 1)

      const ended = await cloud.request('POST', '/api/auth/logout-everywhere', { token: last.coreToken })
      assert.equal(ended.status, 200)
      assert.equal((await exchange(cloud, await project.sign(past(project, user, session)))).status, 401)
    })
  })

  /** Claims of a token from before a moment ago. */
  const past = (project: SupabaseProject, user: ProjectUser, session?: string) => {
    const claims = project.claimsOf(user, session)
    return { ...claims, iat: Number(claims.iat) - 10 }
  }

  test('AUTH-76: a login that has expired, and a session that now has another address', async (t) => {
    const { project, cloud } = await startBoth(t)
    const user = project.addUser(email)
    const session = project.startSession()
    const start = async () => (await exchange(cloud, await project.issue(user, session))).body
    const old = await start()
    const { db } = cloud.cloud
    await db
      .updateTable('logins')
      .set({ expires_at: Date.now() - 1 })
      .execute()
    const { coreToken } = await start()
    const statusOf = async (token: string) =>
      (await cloud.request('GET', '/api/account/me', { token })).status
    assert.deepEqual([await statusOf(old.coreToken), await statusOf(coreToken)], [401, 200])

    const account = await cloud.operator.users.findByEmail(email)
    await db
      .updateTable('logins')
      .set({ created_at: Date.now() - 60_000 })
      .execute()
    await cloud.operator.users.setTokensValidFrom(String(account?.id), Date.now() - 30_000)
    const { refreshToken } = await start()
    const refreshed = await cloud.request('POST', '/api/auth/refresh', { body: { refreshToken } })
    assert.equal(refreshed.status, 200, 'a login from before a log-out is not continued')

    user.email = 'new@example.com'
    const moved = await start()
    assert.equal(await addressOf(cloud, moved.coreToken), 'new@example.com')
    assert.equal((await loginsOf(cloud, moved.coreToken)).length, 1)
  })

  test('AUTH-73: users who may not sign in', async (t) => {
    const { project, cloud } = await startBoth(t)
    const changes: Record<string, Partial<ProjectUser> & { email_confirmed_at?: undefined }> = {
      'an unconfirmed address': { email_confirmed_at: undefined },
      'no address': { email: '' },
      'an anonymous user': { is_anonymous: true },
      'a banned user': { banned_until: new Date(Date.now() + 60_000).toISOString() },
      'a deleted user': { deleted_at: new Date().toISOString() },
    }
    for (const [what, change] of Object.entries(changes)) {
      const user = project.addUser(email)
      const token = await project.issue(user)
      Object.assign(user, change)
      assert.equal((await exchange(cloud, token)).status, 401, what)
    }
    const user = project.addUser(email)
    user.banned_until = new Date(Date.now() - 1_000).toISOString()
    const session = project.startSession()
    const token = await project.issue(user, session)
    assert.equal((await exchange(cloud, token)).status, 200)
    project.endSession(session)
    assert.equal((await exchange(cloud, token)).status, 401, 'a session that ended')
    const account = await cloud.operator.users.findByEmail(email)
    await cloud.operator.users.setSuspended(String(account?.id), Date.now(), Date.now())
    assert.equal((await exchange(cloud, await project.issue(user))).status, 401, 'a suspended account')
  })

  test('AUTH-73 AUTH-75: invalid tokens, which the project is not asked about', async (t) => {
    const { project, cloud } = await startBoth(t)
    const other = await SupabaseProject.start(t)
    const user = project.addUser(email)
    const claims = project.claimsOf(user)
    const make = (over: object) => project.sign({ ...claims, ...over })
    const now = Math.floor(Date.now() / 1000)
    const [header, payload] = (await project.issue(user)).split('.')
    const invalid: Record<string, string> = {
      'malformed token': 'nonsense',
      'another issuer': await make({ iss: `${other.url}/auth/v1` }),
      'a token of another project': await other.issue(user),
      'another key': await other.sign(claims),
      'another audience': await make({ aud: 'anon' }),
      'a service key': await make({ role: 'service_role' }),
      'an anonymous user': await make({ is_anonymous: true }),
      'no subject': await make({ sub: undefined }),
      'no expiry': await make({ exp: undefined }),
      'an expired token': await make({ exp: now - 120 }),
      'no signature': `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`,
      'an empty signature': `${header}.${payload}.`,
      'another algorithm': createSigner({ key: JSON.stringify(project.jwk), algorithm: 'HS512' })(claims),
    }
    for (const [what, token] of Object.entries(invalid))
      assert.equal((await exchange(cloud, token)).status, 401, what)
    assert.deepEqual(project.requests, ['/.well-known/jwks.json'], 'the key of another project is looked for')
    assert.deepEqual(other.requests, [])
    project.algorithm = 'HS256'
    const expired = await make({ exp: now - 120 })
    assert.equal((await exchange(cloud, expired)).status, 401)
    assert.equal(project.requests.length, 1)
    project.algorithm = 'ES256'
    const confused = createSigner({ key: JSON.stringify(project.jwk), algorithm: 'HS256' })(claims)
    assert.equal((await exchange(cloud, confused)).status, 401, 'the public key as secret')
    assert.equal((await cloud.operator.users.list()).length, 0)
    assert.equal((await exchange(cloud, await project.issue(user))).status, 200)
  })

  test('AUTH-74: a project that answers with something else, or with a redirect', async (t) => {
    const { project, cloud } = await startBoth(t)
    let trapped = 0
    const trap = createServer((_request, response) => {
      trapped += 1
      response.end('{}')
    }).listen(0, '127.0.0.1')
    t.after(() => trap.close())
    const user = project.addUser(email)
    const token = await project.issue(user)
    const answers: Record<string, (response: Parameters<typeof project.intercept>[1]) => unknown> = {
      page: (response) => response.end('<html>'),
      'another object': (response) => response.end('{"id":5}'),
      'a huge user': (response) =>
        response.end(JSON.stringify({ ...user, user_metadata: 'x'.repeat(300_000) })),
      error: (response) => response.writeHead(500).end(),
      'too many requests': (response) => response.writeHead(429).end(),
      'lost connection': (response) => response.destroy(),
      redirect: (response) => {
        const location = `http://127.0.0.1:${(trap.address() as AddressInfo).port}/auth/v1/user`
        response.writeHead(302, { location }).end()
      },
    }
    for (const [what, answer] of Object.entries(answers)) {
      project.intercept = (path, response) => {
        if (path !== '/user') return false
        answer(response)
        return true
      }
      const { status, body } = await exchange(cloud, token)
      assert.deepEqual(
        [status, body],
        [503, { error: 'The identity provider cannot be reached; try again later' }],
        what,
      )
    }
    assert.equal(trapped, 0, 'the token was sent elsewhere')
    project.intercept = (_path, response) => {
      response.end(JSON.stringify({ ...user, id: 'another' }))
      return true
    }
    assert.equal((await exchange(cloud, token)).status, 401, 'another user')
    project.intercept = () => false
    assert.equal((await exchange(cloud, token)).status, 200)
  })

  test('AUTH-74 AUTH-75: a project that does not answer has eight requests at most', async (t) => {
    const { project, cloud } = await startBoth(t)
    const token = await project.issue(project.addUser(email))
    assert.equal((await exchange(cloud, token)).status, 200)
    const { promise: allArrived, resolve } = Promise.withResolvers<void>()
    let waiting = 0
    project.intercept = () => {
      waiting += 1
      if (waiting === 8) resolve()
      return true
    }
    const hanging = Array.from({ length: 8 }, () => exchange(cloud, token))
    await allArrived
    assert.equal((await exchange(cloud, token)).status, 503)
    assert.equal(waiting, 8)
    for (const { status } of await Promise.all(hanging)) assert.equal(status, 503)
    project.intercept = () => false
    assert.equal((await exchange(cloud, token)).status, 200)
  })

  test('AUTH-74: keys that cannot be loaded are not requested for each token', async (t) => {
    for (const answer of ['<html>', '{"keys":5}']) {
      const { project, cloud } = await startBoth(t)
      const token = await project.issue(project.addUser(email))
      project.intercept = (_path, response) => {
        response.end(answer)
        return true
      }
      for (let n = 0; n < 5; n += 1) assert.equal((await exchange(cloud, token)).status, 503)
      assert.deepEqual(project.requests, ['/.well-known/jwks.json'])
    }
  })

  test('AUTH-75: the project is asked about a hundred forged tokens of a network, and none with its secret', async (t) => {
    const { project, cloud } = await startBoth(t)
    project.algorithm = 'HS256'
    const user = project.addUser(email)
    const forged = createSigner({ key: 'a secret of somebody else', algorithm: 'HS256' })(
      project.claimsOf(user),
    )
    assert.equal((await exchange(cloud, await project.issue(user))).status, 200)
    for (let n = 0; n < 100; n += 1) assert.equal((await exchange(cloud, forged)).status, 401)
    const { status, headers } = await exchange(cloud, forged)
    assert.deepEqual([status, Number(headers.get('retry-after')) > 0], [429, true])
    assert.equal(project.requests.length, 101)

    const second = await startCloud(t, { env: { ...project.env, SUPABASE_JWT_SECRET: project.sharedSecret } })
    assert.equal((await exchange(second, forged)).status, 401)
    assert.equal(project.requests.length, 101)
    assert.equal((await exchange(second, await project.issue(user))).status, 200)
  })

  test('AUTH-18 AUTH-73: the owner of the address claims an unconfirmed account', async (t) => {
    const { project, cloud } = await startBoth(t)
    await new Browser(cloud).signUp('first@example.com', 'a password of the operator')
    const squatter = new Browser(cloud)
    await squatter.signUp(email, 'a password of a squatter')
    const { body } = await exchange(cloud, await project.issue(project.addUser(email)))
    assert.equal(await addressOf(cloud, body.coreToken), email)
    assert.equal((await squatter.request('GET', '/api/account/me')).status, 401)
  })
})
