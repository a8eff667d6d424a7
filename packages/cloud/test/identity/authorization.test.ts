import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type Endpoint, urlsOf } from '../../src/http/endpoint.ts'
import {
  type AuthorizationFixtures,
  type Credential,
  createAuthorizationFixtures,
  invalidCredentials,
  marker,
  validCredential,
} from '../support/authorization-fixtures.ts'
import { authorizationMatrix, type Row } from '../support/authorization-matrix.ts'
import { suiteScope } from '../support/scope.ts'

/**
 * How each auth scheme treats an invalid credential: a status, or `ignored` if the scheme does not read it. The default
 * is 401.
 */
const outcomes: Readonly<
  Record<string, { readonly open?: true } & Readonly<Record<string, number | 'ignored' | true>>>
> = {
  none: { open: true },
  ownPages: { open: true },
  optionalCoreToken: { open: true },
  optionalCoreOrStoreToken: { open: true },
  coreToken: {},
  coreOrStoreToken: { 'a token of the store': 'ignored' },
  administrator: {},
  'coreOrStoreToken or personalToken account': {
    'a token of the store': 'ignored',
    'a personal token for account': 'ignored',
    'a personal token for apps:read': 403,
    'a personal token for apps:write': 403,
  },
  'coreToken or personalToken account': {
    'a personal token for account': 'ignored',
    'a personal token for apps:read': 403,
    'a personal token for apps:write': 403,
  },
  'coreToken or personalToken apps:read': {
    'a personal token for apps:read': 'ignored',
    'a personal token for apps:write': 403,
    'a personal token for account': 403,
  },
  'coreToken or personalToken apps:write': {
    'a personal token for apps:read': 403,
    'a personal token for apps:write': 'ignored',
    'a personal token for account': 403,
  },
  glassesToken: { 'a glasses token': 'ignored' },
  glassesTokenAnywhere: { 'a glasses token': 'ignored' },
  'glassesToken or uploadToken': { 'a glasses token': 'ignored', 'an upload token': 'ignored' },
  'coreOrStoreToken or allowedApiKey': {
    'a token of the store': 'ignored',
    'query: a package without permission': 403,
    "query: another app's key, for audio": 403,
    'query: an unknown user': 404,
  },
  'coreToken or allowedApiKey': {
    'query: a package without permission': 403,
    "query: another app's key, for audio": 403,
    'query: an unknown user': 404,
  },
  appKeyHeaders: {},
  'coreToken or appKeyHeaders': {},
  appPair: {},
  appSession: {},
  audioApiKey: {
    'query: a package without permission': 403,
    "query: another app's key": 403,
    'query: a key with a changed last character': 403,
    'query: an unknown user': 403,
  },
}

/** Invalid credentials of each kind. */
const REPRESENTATIVE = new Set([
  'no credential',
  'a malformed token',
  'an expired token',
  'a token of a suspended user',
  'a refresh token',
  'a personal token for account',
  'an API key as token',
  'a retired key',
  'query: an unknown user',
])

describe('authorization', () => {
  const scope = suiteScope()
  let fixtures: AuthorizationFixtures
  let invalid: Record<string, Credential>
  let mounted: ReadonlyMap<string, Endpoint>

  before(async () => {
    fixtures = await createAuthorizationFixtures(scope)
    invalid = await invalidCredentials(fixtures)
    mounted = new Map(
      fixtures.cloud.cloud.server.endpoints.map((endpoint) => [
        `${endpoint.method} ${urlsOf(endpoint)[0]}`,
        endpoint,
      ]),
    )
  })

  const endpointOf = (name: string): Endpoint => {
    const endpoint = mounted.get(name)
    assert.ok(endpoint, `${name} is not mounted`)
    return endpoint
  }

  const send = (name: string, { path, body }: Row, { query, ...credential }: Credential) => {
    const [method = ''] = name.split(' ')
    const url = new URL(path(fixtures), fixtures.cloud.url)
    for (const [parameter, value] of Object.entries(query ?? {})) url.searchParams.set(parameter, value)
    return fixtures.cloud.request(method, url.pathname + url.search, { ...credential, body })
  }

  const throwawayCredential = async (): Promise<Credential> => ({
    token: await fixtures.cloud.token('brief@example.org'),
  })

  test('AZ-2: the matrix has a row for every endpoint', () => {
    assert.deepEqual(Object.keys(authorizationMatrix).sort(), [...mounted.keys()].sort())
    for (const { auth } of mounted.values()) assert.ok(outcomes[auth.name], auth.name)
  })

  for (const [name, row] of Object.entries(authorizationMatrix)) {
    test(`AZ-2 AZ-3: ${name} rejects invalid credentials`, async () => {
      const { auth, style } = endpointOf(name)
      const expected = outcomes[auth.name] ?? {}
      // An open endpoint returns the same with an invalid credential as without one.
      const withoutCredential = expected.open ? (await send(name, row, {})).status : undefined
      const check = async ([what, credential]: [string, Credential]) => {
        const outcome = expected.open ? 'ignored' : (expected[what] ?? 401)
        const { status, body } = await send(name, row, credential)
        assert.equal(status, outcome === 'ignored' ? (withoutCredential ?? row.stranger) : outcome, what)
        assert.ok(!JSON.stringify(body).includes(marker), `${what}: the response contains data of the victim`)
        if (status !== 401) return
        const error = body as { error?: string; message?: string; success?: false; error_code?: string }
        if (auth.name === 'audioApiKey') return
        if (style === 'envelope') assert.equal(error.success, false, what)
        else assert.notEqual(style === 'supabase' ? error.error_code : error.error, undefined, what)
      }
      // Endpoints that read no credential are checked with one of each kind.
      const credentials = Object.entries(invalid).filter(
        ([what]) => !expected.open || REPRESENTATIVE.has(what),
      )
      await Promise.all(credentials.map(check))
    })

    test(`AZ-4: ${name} returns no data of another user`, async () => {
      const { auth } = endpointOf(name)
      const credential = row.voids ? await throwawayCredential() : validCredential(fixtures, auth, 'stranger')
      const { status, body } = await send(name, row, credential)
      assert.equal(status, row.stranger)
      const text = JSON.stringify(body)
      for (const secret of [marker, fixtures.victim.email, fixtures.victim.id])
        assert.ok(!text.includes(secret), `the response contains ${secret}`)
    })
  }

  for (const [name, row] of Object.entries(authorizationMatrix)) {
    if (row.voids) continue
    test(`AZ-9: ${name} grants an administrator no data of users, except where administrators are meant`, async () => {
      const { auth } = endpointOf(name)
      const { status, body } = await send(name, row, { token: fixtures.administrator.token })
      if (auth.name === 'administrator')
        assert.ok(status !== 401 && status !== 403, `${name} returned ${status}`)
      else assert.ok(!JSON.stringify(body).includes(marker), `the response contains ${marker}`)
    })
  }

  test('AZ-5: X-Org-Id of a foreign organization grants no access', async () => {
    const named = { token: fixtures.stranger.token, headers: { 'x-org-id': fixtures.organizationId } }
    for (const name of ['GET /api/permissions/:packageName', 'PATCH /api/permissions/:packageName']) {
      const row = authorizationMatrix[name]
      assert.ok(row)
      assert.equal((await send(name, row, named)).status, 403, name)
    }
    const invisible = await send(
      'GET /api/apps/:packageName',
      { path: () => '/api/apps/victim.app', stranger: 404 },
      named,
    )
    assert.equal(invisible.status, 404)
  })

  test('AZ-6: a published app is visible to everyone and writable only by its owners', async () => {
    const { cloud, stranger } = fixtures
    await cloud.registerApp({
      packageName: 'published.app',
      organization: 'victims',
      permissions: [{ type: 'CALENDAR', description: '' }],
    })
    const path = '/api/permissions/published.app'
    assert.equal((await cloud.request('GET', path, { token: stranger.token })).status, 200)
    const change = {
      token: stranger.token,
      body: { permissions: [] },
      headers: { 'x-org-id': fixtures.organizationId },
    }
    assert.equal((await cloud.request('PATCH', path, change)).status, 403)
    const kept = await cloud.request<{ permissions: { type: string }[] }>('GET', path, {
      token: stranger.token,
    })
    assert.deepEqual(
      kept.body.permissions.map(({ type }) => type),
      ['CALENDAR'],
    )
  })

  test('AZ-7: a trusted app acts only for the user it names', async () => {
    const { cloud, trusted, stranger } = fixtures
    const query = new URLSearchParams({
      apiKey: trusted.apiKey,
      packageName: trusted.packageName,
      userId: stranger.email,
    })
    const list = await cloud.request('GET', `/api/apps?${query}`)
    assert.equal(list.status, 200)
    assert.ok(!JSON.stringify(list.body).includes(marker))
    assert.equal((await cloud.request('GET', `/api/account/me?${query}`)).status, 401)
  })

  test('AZ-2: a token in the body grants no more than one in the header', async () => {
    const { cloud, victim } = fixtures
    const setDatetime = async (coreToken: string) => {
      const body = { coreToken, datetime: '2025-01-31T12:00:00Z' }
      return (await cloud.request('POST', '/api/user-data/set-datetime', { body })).status
    }
    assert.equal(await setDatetime(victim.token), 200)
    for (const [what, { token }] of Object.entries(invalid))
      if (token !== undefined) assert.equal(await setDatetime(token), 401, what)

    const pressButton = async (coreToken: string) => {
      const body = { coreToken, buttonId: 'camera', pressType: 'short' }
      return (await cloud.request('POST', '/api/hardware/button-press', { body })).status
    }
    assert.equal(await pressButton(victim.token), 200)
    for (const [what, { token }] of Object.entries(invalid))
      if (token !== undefined)
        assert.equal(await pressButton(token), what === 'a glasses token' ? 200 : 401, what)
  })

  // These run last, because some of them change or delete the resources.
  for (const [name, row] of Object.entries(authorizationMatrix)) {
    test(`AZ-8: ${name} still serves the owner`, async () => {
      const { auth } = endpointOf(name)
      const credential = row.voids ? await throwawayCredential() : validCredential(fixtures, auth, 'owner')
      const { status } = await send(name, row, credential)
      assert.equal(status, row.owner ?? row.stranger)
    })
  }
})
