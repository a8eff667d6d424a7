import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { Type } from 'typebox'
import type { Config } from '../config/index.ts'
import type { AppSessionCaller } from './auth/app-schemes.ts'
import type { SchemeDeps } from './auth/index.ts'
import {
  type AppCaller,
  type AuthScheme,
  accepted,
  queryText,
  rejected,
  type UserCaller,
} from './auth/scheme.ts'
import { endpoint } from './endpoint.ts'
import { limitRequests } from './limits.ts'
import { createLog } from './log.ts'
import { Metrics } from './metrics.ts'
import { mount } from './mount.ts'
import { createServer } from './server.ts'

const scheme = { name: 'test', security: [], errors: [] } as const

const appCalled = (packageName: string) => ({ id: packageName, packageName, keyId: 'key' })

/** An app by the name in the query. */
const appByName: AuthScheme<AppCaller> = {
  ...scheme,
  async authenticate(request) {
    const packageName = queryText(request, 'app')
    return packageName === undefined
      ? rejected('UNAUTHORIZED')
      : accepted({ kind: 'app', app: appCalled(packageName) })
  },
}

/** The user `user@example.org`, or an app that acts for them. */
const userOrApp: AuthScheme<UserCaller> = {
  ...scheme,
  async authenticate(request) {
    const packageName = queryText(request, 'app')
    const user = { id: 'user-id', email: 'user@example.org' } as UserCaller['user']
    const app = packageName === undefined ? undefined : appCalled(packageName)
    return accepted({ kind: 'user', user, scope: 'core', app })
  },
}

/** An app by its session. */
const bySession: AuthScheme<AppSessionCaller> = {
  ...scheme,
  async authenticate() {
    const session = { userSessionId: 'session' } as AppSessionCaller['session']
    return accepted({ kind: 'appSession', session, packageName: 'one.app', keyId: undefined })
  },
}

const common = {
  method: 'GET',
  summary: '',
  tags: [],
  style: 'bare',
  auth: appByName,
  errors: [],
  handler: async () => 'ok',
} as const
const response = { 200: Type.String() }
const one = (name: string) => ({ params: Type.Object({ [name]: Type.String() }), response })

const endpoints = [
  endpoint({
    ...common,
    url: '/email/:email',
    schema: { params: Type.Object({ email: Type.String() }), response },
    namedUser: { in: 'params', field: 'email', as: 'email' },
  }),
  endpoint({
    ...common,
    url: '/query',
    schema: { querystring: Type.Object({ email: Type.Optional(Type.String()) }), response },
    namedUser: { in: 'query', field: 'email', as: 'email' },
  }),
  endpoint({
    ...common,
    url: '/session/:id',
    schema: { params: Type.Object({ id: Type.String() }), response },
    namedUser: { in: 'params', field: 'id', as: 'appSession' },
  }),
  endpoint({
    ...common,
    url: '/stream/:id',
    schema: { params: Type.Object({ id: Type.String() }), response },
    namedUser: { in: 'params', field: 'id', as: 'stream' },
  }),
  endpoint({ ...common, url: '/nobody', schema: { response }, namedUser: 'none' }),
  endpoint({ ...common, url: '/user', schema: { response }, auth: userOrApp }),
  endpoint({ ...common, url: '/by-session', schema: { response }, auth: bySession }),
]

/** Serves the endpoints with limits; a request resolves with its status, limit and remaining requests. */
async function serveLimited(t: TestContext, requestsPerMinute: number, appRequestsPerMinute: number) {
  const server = createServer({
    log: createLog('silent'),
    metrics: new Metrics(undefined),
    strictTransport: false,
    trustProxy: false,
  })
  t.after(() => server.close())
  await limitRequests(server, {
    config: { limits: { requestsPerMinute, appRequestsPerMinute } as Config['limits'] },
    users: {
      ofSession: (id) => (id === 'session' ? 'user@example.org' : undefined),
      ofStream: (id) => (id === 'stream' ? 'user@example.org' : undefined),
    },
  })
  mount(server, endpoints, { credentialUses: { record() {} } } as unknown as SchemeDeps)
  return async (path: string, app?: string) => {
    const url = `${path}${app === undefined ? '' : `${path.includes('?') ? '&' : '?'}app=${app}`}`
    const { statusCode, headers } = await server.inject({ method: 'GET', url })
    return [statusCode, Number(headers['ratelimit-limit']), Number(headers['ratelimit-remaining'])]
  }
}

test('LIM-40: an app has a limit for each user, apart from other apps and the user', async (t) => {
  const request = await serveLimited(t, 2, 0)
  for (let sent = 0; sent < 2; sent += 1) await request('/email/a@example.org', 'one.app')
  assert.deepEqual(await request('/email/a@example.org', 'one.app'), [429, 2, 0])
  assert.deepEqual(await request('/email/b@example.org', 'one.app'), [200, 2, 1])
  assert.deepEqual(await request('/email/a@example.org', 'two.app'), [200, 2, 1])
  assert.deepEqual(await request('/nobody', 'one.app'), [200, 2, 1])
  // An app that acts for a user does not use up the user's own requests.
  for (let sent = 0; sent < 2; sent += 1) await request('/user', 'one.app')
  assert.deepEqual(await request('/user', 'one.app'), [429, 2, 0])
  assert.deepEqual(await request('/user', 'two.app'), [200, 2, 1])
  assert.deepEqual(await request('/user'), [200, 2, 1])
})

test('LIM-44: all names of a user count together', async (t) => {
  const request = await serveLimited(t, 10, 0)
  const names = [
    '/email/user@example.org',
    '/email/%20USER@Example.org%20',
    '/query?email=user@example.org',
    '/session/session-one.app',
    '/stream/stream',
    '/user',
    '/by-session',
  ]
  for (const [at, name] of names.entries())
    assert.deepEqual(await request(name, 'one.app'), [200, 10, 9 - at], name)
  const written = ['/query?email=a+b@example.org', '/email/a%20b@example.org', '/email/a+b@example.org']
  for (const [at, name] of written.entries())
    assert.deepEqual(await request(name, 'one.app'), [200, 10, 9 - at], name)
  // Sessions and streams of other nodes have counts of their own.
  assert.deepEqual(await request('/session/elsewhere-one.app', 'one.app'), [200, 10, 9])
  assert.deepEqual(await request('/stream/elsewhere', 'one.app'), [200, 10, 9])
})

test('LIM-41: what names no user counts for the app itself', async (t) => {
  const request = await serveLimited(t, 10, 0)
  const nobody = [
    '/nobody',
    '/email/nobody',
    '/query',
    '/query?email=a@example.org&email=b@example.org',
    '/session/session-two.app',
    '/session/session',
  ]
  for (const [at, path] of nobody.entries()) {
    const [, limit, remaining] = await request(path, 'one.app')
    assert.deepEqual([limit, remaining], [10, 9 - at], path)
  }
  // An endpoint that accepts API keys of apps must say where it names a user, and name a field it has.
  // @ts-expect-error namedUser is missing
  endpoint({ ...common, url: '/', schema: { response } })
  // @ts-expect-error the path has no such field
  endpoint({ ...common, url: '/', schema: one('a'), namedUser: { in: 'query', field: 'a', as: 'email' } })
})

test('LIM-42 LIM-43: many users of one app', async (t) => {
  const request = await serveLimited(t, 2, 4)
  assert.deepEqual(await request('/email/a@example.org', 'one.app'), [200, 2, 1])
  assert.deepEqual(await request('/email/b@example.org', 'one.app'), [200, 2, 1])
  assert.deepEqual(await request('/email/c@example.org', 'one.app'), [200, 2, 1])
  assert.deepEqual(await request('/nobody', 'one.app'), [200, 4, 0])
  assert.deepEqual(await request('/email/d@example.org', 'one.app'), [429, 4, 0])
  assert.deepEqual(await request('/email/a@example.org', 'two.app'), [200, 2, 1])
})

test('LIM-42: invented users', async (t) => {
  const request = await serveLimited(t, 1, 3)
  let now = Math.ceil(performance.now())
  t.mock.method(performance, 'now', () => now)
  const statuses: unknown[] = []
  for (let user = 0; user < 5; user += 1)
    statuses.push((await request(`/email/user-${user}@example.org`, 'one.app'))[0])
  assert.deepEqual(statuses, [200, 200, 200, 429, 429])
  now += 59_000
  assert.deepEqual(await request('/email/user-3@example.org', 'one.app'), [429, 3, 0])
  now += 1_000
  // Had the rejected requests been counted for the user, this one would be rejected.
  assert.deepEqual(await request('/email/user-3@example.org', 'one.app'), [200, 1, 0])
})
