import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { createSigner } from 'fast-jwt'
import { Type } from 'typebox'
import { eitherDatabase } from '../../src/db/testing.ts'
import {
  allowedApiKey,
  appKeyHeaders,
  coreToken,
  eitherOf,
  glassesToken,
  optionalCoreToken,
} from '../../src/http/auth/index.ts'
import type { AuthScheme } from '../../src/http/auth/scheme.ts'
import type { Endpoint } from '../../src/http/endpoint.ts'
import { createLog } from '../../src/http/log.ts'
import { mount } from '../../src/http/mount.ts'
import { createServer } from '../../src/http/server.ts'
import { hashEmail } from '../../src/identity/index.ts'
import { type Scope, suiteScope } from '../support/scope.ts'
import { type LocalCloud, startCloud, testSecret } from '../support/test-cloud.ts'

/** An endpoint that returns its caller. */
function callerEndpoint<Caller>(
  url: string,
  auth: AuthScheme<Caller>,
  over: Partial<Endpoint> = {},
): Endpoint {
  return {
    method: 'POST',
    url,
    summary: 'Return the caller',
    tags: ['test'],
    style: 'envelope',
    auth,
    schema: { response: { 200: Type.Unknown() } },
    errors: [],
    handler: async ({ caller }) => caller,
    ...over,
  }
}

const foreignToken = (claims: object) => createSigner({ key: testSecret, algorithm: 'HS256' })(claims)
const seconds = (ms: number) => Math.floor(ms / 1000)
const inAnHour = () => seconds(Date.now()) + 3600

/** The response of a test endpoint: a caller or an error. */
interface CallerBody {
  readonly kind?: string
  readonly user?: { readonly id: string; readonly email: string }
  readonly app?: { readonly packageName: string }
  readonly message?: string
}

/** Serves the test endpoints on a second server that shares the authentication of a cloud. */
async function serveEndpoints(cloud: LocalCloud, scope: Scope, endpoints: Endpoint[]) {
  const { authDeps, metrics } = cloud.cloud
  const server = createServer({
    log: createLog('silent'),
    metrics,
    strictTransport: false,
    trustProxy: false,
  })
  mount(server, endpoints, authDeps)
  const url = await server.listen({ host: '127.0.0.1', port: 0 })
  scope.after(() => server.close())
  return async (path: string, headers: Record<string, string> = {}, body?: object) => {
    const response = await fetch(url + path, {
      method: 'POST',
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    return { status: response.status, headers: response.headers, body: (await response.json()) as CallerBody }
  }
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

eitherDatabase((database) => {
  describe('authentication', () => {
    const scope = suiteScope()
    let cloud: LocalCloud
    let post: Awaited<ReturnType<typeof serveEndpoints>>
    const handled: string[] = []

    before(async () => {
      cloud = await startCloud(scope, { database, env: { API_KEY_PACKAGES: 'trusted.one,trusted.two' } })
      post = await serveEndpoints(cloud, scope, [
        callerEndpoint('/core', coreToken),
        callerEndpoint('/bare', coreToken, { style: 'bare' }),
        callerEndpoint('/body', coreToken, {
          schema: { body: Type.Object({ name: Type.String() }), response: {} },
          handler: async ({ reply }) => {
            handled.push('body')
            return reply.send({})
          },
        }),
        callerEndpoint('/optional', optionalCoreToken),
        callerEndpoint('/glasses', glassesToken),
        callerEndpoint('/trusted', allowedApiKey),
        callerEndpoint('/either', eitherOf(coreToken, allowedApiKey)),
        callerEndpoint('/app', appKeyHeaders),
        callerEndpoint('/either-app', eitherOf(coreToken, appKeyHeaders)),
      ])
    })

    /** The e-mail of the authenticated caller, its kind if it has no e-mail, or the error status. */
    const callerOf = async (path: string, headers: Record<string, string>) => {
      const { status, body } = await post(path, headers)
      return status === 200 ? (body.user?.email ?? body.kind) : status
    }

    test('AUTH-20 HTTP-23: missing and invalid credentials in each error style', async () => {
      const result = await post('/core')
      assert.deepEqual([result.status, result.body], [401, { success: false, message: 'Unauthorized' }])
      assert.equal(result.headers.get('www-authenticate'), 'Bearer')
      const bare = await post('/bare', bearer('nonsense'))
      assert.deepEqual([bare.status, bare.body], [401, { error: 'Unauthorized' }])
    })

    test('AUTH-20: the caller is authenticated before the body is validated', async () => {
      assert.equal((await post('/body', {}, { wrong: true })).status, 401)
      const token = await cloud.token('a@b.de')
      assert.equal((await post('/body', bearer(token), { wrong: true })).status, 400)
      assert.deepEqual(handled, [])
    })

    test('AUTH-9 AUTH-21: a core token authenticates its user, whatever the case of Bearer', async () => {
      const token = await cloud.token('Some.One@Example.ORG')
      assert.equal(await callerOf('/core', bearer(token)), 'some.one@example.org')
      assert.equal(await callerOf('/core', { authorization: `bearer  ${token}` }), 'some.one@example.org')
      for (const authorization of [token, `Basic ${token}`, 'Bearer', `Bearer ${token} x`]) {
        assert.equal(await callerOf('/core', { authorization }), 401, authorization)
      }
    })

    test('AUTH-21 AUTH-22: an invalid token counts as a missing one', async () => {
      for (const token of [
        'null',
        'undefined',
        'nonsense',
        await cloud.token('a@b.de', { lifetimeMs: -120_000 }),
      ]) {
        assert.equal(await callerOf('/optional', bearer(token)), 'anonymous', token)
        assert.equal(await callerOf('/core', bearer(token)), 401, token)
      }
      assert.equal(await callerOf('/optional', {}), 'anonymous')
      assert.equal(await callerOf('/optional', bearer(await cloud.token('a@b.de'))), 'a@b.de')
    })

    test('AUTH-8: a glasses token opens glasses endpoints only; a core token opens both kinds', async () => {
      const glasses = await cloud.token('a@b.de', { scope: 'glasses' })
      assert.equal(await callerOf('/glasses', bearer(glasses)), 'a@b.de')
      assert.equal(await callerOf('/core', bearer(glasses)), 401)
      assert.equal(await callerOf('/glasses', bearer(await cloud.token('a@b.de'))), 'a@b.de')
    })

    test('AUTH-10: a core token is exchanged for a glasses token', async () => {
      const token = await cloud.token('g@b.de')
      const { status, body } = await cloud.request<{ success: boolean; token: string; expiresIn: number }>(
        'POST',
        '/api/auth/glasses-token',
        { token },
      )
      assert.deepEqual([status, body.success, body.expiresIn], [200, true, 86_400])
      assert.equal(await callerOf('/glasses', bearer(body.token)), 'g@b.de')
      assert.equal(await callerOf('/core', bearer(body.token)), 401)
      const again = await cloud.request('POST', '/api/auth/glasses-token', { token: body.token })
      assert.deepEqual([again.status, again.body], [401, { error: 'Unauthorized' }])
    })

    test('AUTH-4 AUTH-9: tokens of another issuer for a new and a known user', async () => {
      const token = foreignToken({ sub: 'their-id', email: 'New.User@B.de', exp: inAnHour() })
      const first = await post('/core', bearer(token))
      assert.deepEqual([first.status, first.body.user?.email], [200, 'new.user@b.de'])
      assert.notEqual(first.body.user?.id, 'their-id')
      const second = await post('/core', bearer(token))
      assert.equal(second.body.user?.id, first.body.user?.id)
      assert.equal(
        await callerOf('/core', bearer(foreignToken({ sub: 'x', email: 'no address', exp: inAnHour() }))),
        401,
      )
    })

    test('AUTH-4: twenty concurrent first requests create one account', async () => {
      const token = foreignToken({ sub: 'x', email: 'crowd@b.de', exp: inAnHour() })
      const responses = await Promise.all(Array.from({ length: 20 }, () => post('/core', bearer(token))))
      assert.equal(new Set(responses.map(({ body }) => body.user?.id)).size, 1)
    })

    test('AUTH-6: logging out everywhere revokes all earlier tokens, to the second', async () => {
      const user = await cloud.operator.users.findOrCreate('out@b.de', Date.now())
      const old = await cloud.token('out@b.de')
      const undated = foreignToken({ sub: 'x', email: 'out@b.de', exp: inAnHour(), iat: undefined })
      const foreignOld = foreignToken({
        sub: 'x',
        email: 'out@b.de',
        exp: inAnHour(),
        iat: seconds(Date.now()) - 60,
      })
      for (const token of [old, foreignOld]) assert.equal(await callerOf('/core', bearer(token)), 'out@b.de')
      await cloud.operator.users.setTokensValidFrom(user.id, seconds(Date.now()) * 1000 + 999)
      for (const token of [old, foreignOld, undated]) {
        assert.equal(await callerOf('/core', bearer(token)), 401)
      }
      assert.equal(await callerOf('/core', bearer(await cloud.token('out@b.de'))), 'out@b.de')
    })

    test('AUTH-7: tokens of a deleted user return 401 and create no user', async () => {
      const user = await cloud.operator.users.findOrCreate('gone@b.de', Date.now())
      const own = await cloud.token('gone@b.de')
      const before = seconds(Date.now())
      const foreignOld = foreignToken({ sub: 'x', email: 'Gone@b.de', exp: inAnHour(), iat: before - 1 })
      await cloud.operator.users.remove(user.id, hashEmail('gone@b.de', testSecret), Date.now())
      for (const token of [own, foreignOld]) assert.equal(await callerOf('/core', bearer(token)), 401)
      assert.equal(await cloud.operator.users.findByEmail('gone@b.de'), undefined)

      const unknown = cloud.operator.tokens.issue({
        id: 'nobody',
        email: 'ghost@b.de',
        tokensValidFrom: 0,
      })
      assert.equal(await callerOf('/core', bearer(unknown)), 401)
      assert.equal(await cloud.operator.users.findByEmail('ghost@b.de'), undefined)

      const later = foreignToken({ sub: 'x', email: 'gone@b.de', exp: inAnHour(), iat: before + 2 })
      assert.equal(await callerOf('/core', bearer(later)), 'gone@b.de')
      for (const token of [own, foreignOld]) assert.equal(await callerOf('/core', bearer(token)), 401)
    })

    test('AUTH-23: an allowed package acts for a user', async () => {
      const { apiKey } = await cloud.registerApp({ packageName: 'trusted.one' })
      const { apiKey: unlistedKey } = await cloud.registerApp({ packageName: 'strange.one' })
      await cloud.token('wearer@b.de')
      const path = (fields: Record<string, string>) => `/trusted?${new URLSearchParams(fields)}`
      const whole = { apiKey, packageName: 'trusted.one', userId: 'Wearer@B.de' }
      const { status, body } = await post(path(whole))
      assert.deepEqual([status, body.kind, body.user?.email], [200, 'user', 'wearer@b.de'])

      const rejections: [Record<string, string>, number, string][] = [
        [{ ...whole, packageName: 'strange.one', apiKey: unlistedKey }, 403, 'Unauthorized package name'],
        [{ ...whole, packageName: 'trusted.two' }, 401, 'Invalid API key for package.'],
        [{ ...whole, apiKey: unlistedKey }, 401, 'Invalid API key for package.'],
        [{ ...whole, apiKey: 'gck_x' }, 401, 'Invalid API key for package.'],
        [{ ...whole, userId: 'nobody@b.de' }, 404, 'User not found'],
        [{ ...whole, userId: 'odd\0@b.de' }, 404, 'User not found'],
        [{ ...whole, userId: '' }, 401, 'Unauthorized'],
        [{ apiKey, packageName: 'trusted.one' }, 401, 'Unauthorized'],
      ]
      for (const [fields, status, message] of rejections) {
        const result = await post(path(fields))
        assert.deepEqual(
          [result.status, result.body],
          [status, { success: false, message }],
          JSON.stringify(fields),
        )
      }
      assert.equal(await cloud.operator.users.findByEmail('nobody@b.de'), undefined)
    })

    test('AUTH-26: an address with a plus, encoded or not', async () => {
      const { apiKey } = await cloud.registerApp({ packageName: 'trusted.one' })
      for (const address of ['a+b@c.de', 'ab@c.de', '+x@c.de', 'x@c.de']) await cloud.token(address)
      const named = async (userId: string) => {
        const { status, body } = await post(
          `/trusted?apiKey=${apiKey}&userId=${userId}&packageName=trusted.one`,
        )
        return body.user?.email ?? status
      }
      for (const userId of ['a+b@c.de', 'A%2bb%40c.de', 'a%20b@c.de', '+a+b@c.de+'])
        assert.equal(await named(userId), 'a+b@c.de', userId)
      assert.equal(await named('%2Bx@c.de'), '+x@c.de')
      assert.equal(await named('%20x@c.de'), 'x@c.de')
      for (const userId of ['a++b@c.de', 'a+b+@c.de', 'a%2520b@c.de'])
        assert.equal(await named(userId), 404, userId)
    })

    test('AUTH-24: either credential authenticates; the error is that of the offered one', async () => {
      const { apiKey } = await cloud.registerApp({ packageName: 'trusted.two' })
      const token = await cloud.token('either@b.de')
      const query = `?apiKey=${apiKey}&packageName=trusted.two&userId=either@b.de`
      assert.equal(await callerOf('/either', bearer(token)), 'either@b.de')
      assert.equal(await callerOf(`/either${query}`, {}), 'either@b.de')
      assert.equal(await callerOf(`/either${query}`, bearer('nonsense')), 'either@b.de')
      assert.equal(
        await callerOf('/either?apiKey=x&packageName=trusted.two&userId=either@b.de', bearer(token)),
        'either@b.de',
      )
      const offered = await post('/either?apiKey=x&packageName=other&userId=either@b.de')
      assert.deepEqual([offered.status, offered.body.message], [403, 'Unauthorized package name'])
      assert.equal((await post('/either')).body.message, 'Unauthorized')
    })

    test('AUTH-25: headers, and bearer with a package name', async () => {
      const { apiKey } = await cloud.registerApp({ packageName: 'dev.example-one.app' })
      const { apiKey: other } = await cloud.registerApp({ packageName: 'dev.example.other' })
      const name = 'dev.example-one.app'
      const headers = (key: string, packageName: string) => ({
        'x-api-key': key,
        'x-package-name': packageName,
      })
      for (const path of ['/app', '/either-app']) {
        const opened = [
          await post(path, headers(apiKey, name)),
          await post(path, bearer(apiKey), { packageName: name }),
          await post(`${path}?packageName=${name}`, bearer(apiKey)),
        ]
        for (const { status, body } of opened) {
          assert.deepEqual([status, body.kind, body.app?.packageName], [200, 'app', name])
        }
        const rejectedTokens = [
          await post(path, headers(other, name)),
          await post(path, headers(apiKey, 'dev.example.other')),
          await post(path, { 'x-api-key': apiKey }),
          await post(path, { 'x-package-name': name }),
          await post(path, bearer(apiKey)),
          await post(path, bearer(apiKey), { packageName: 'dev.example.other' }),
          await post(path, bearer(apiKey), { packageName: [name] }),
          await post(path, bearer(await cloud.token('a@b.de', { scope: 'glasses' })), { packageName: name }),
        ]
        for (const { status, body } of rejectedTokens) {
          assert.deepEqual([status, body], [401, { success: false, message: 'Unauthorized' }])
        }
      }
    })

    test('AUTH-32: two keys are valid at a time, a third retires the oldest', async () => {
      const packageName = 'dev.example.rotating'
      const opens = async (key: string) =>
        (await post('/app', { 'x-api-key': key, 'x-package-name': packageName })).status === 200
      const first = await cloud.registerApp({ packageName })
      const second = await cloud.registerApp({ packageName })
      assert.deepEqual([await opens(first.apiKey), await opens(second.apiKey)], [true, true])
      const third = await cloud.registerApp({ packageName })
      assert.deepEqual(
        [await opens(first.apiKey), await opens(second.apiKey), await opens(third.apiKey)],
        [false, true, true],
      )
    })
  })
})
