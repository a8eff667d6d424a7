import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type Endpoint, urlsOf } from '../../src/http/endpoint.ts'
import {
  type AuthorizationFixtures,
  badCredentials,
  type Credential,
  createAuthorizationFixtures,
  goodCredential,
  marker,
} from '../support/authorization-fixtures.ts'
import { type Row, table } from '../support/authorization-matrix.ts'
import { suiteScope } from '../support/test-cloud.ts'

/**
 * What a bad credential meets, by the scheme of the endpoint: a status, or `in` where it counts as none or is none
 * of the scheme's business. What is not named is 401.
 */
const outcomes: Readonly<
  Record<string, { readonly open?: true } & Readonly<Record<string, number | 'in' | true>>>
> = {
  none: { open: true },
  optionalCoreToken: { open: true },
  coreToken: {},
  glassesToken: { 'a token for glasses': 'in' },
  glassesTokenAnywhere: { 'a token for glasses': 'in' },
  'glassesToken or uploadToken': { 'a token for glasses': 'in', 'a token for one upload': 'in' },
  'coreToken or allowedApiKey': {
    'in the query: a package that is not allowed': 403,
    "in the query: another app's key, for audio": 403,
    'in the query: a user who does not exist': 404,
  },
  appKeyHeaders: {},
  'coreToken or appKeyHeaders': {},
  appPair: {},
  appSession: {},
  audioApiKey: {
    'in the query: a package that is not allowed': 403,
    "in the query: another app's key": 403,
    'in the query: a key with another last letter': 403,
    'in the query: a user who does not exist': 403,
  },
}

describe('who may do what', () => {
  const scope = suiteScope()
  let world: AuthorizationFixtures
  let bad: Record<string, Credential>
  let mounted: ReadonlyMap<string, Endpoint>

  before(async () => {
    world = await createAuthorizationFixtures(scope)
    bad = await badCredentials(world)
    mounted = new Map(
      world.cloud.cloud.server.endpoints.map((endpoint) => [
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

  const ask = (name: string, { path, body }: Row, { query, ...credential }: Credential) => {
    const [method = ''] = name.split(' ')
    const address = new URL(path(world), world.cloud.url)
    for (const [parameter, value] of Object.entries(query ?? {})) address.searchParams.set(parameter, value)
    return world.cloud.request(method, address.pathname + address.search, { ...credential, body })
  }

  const brief = async (): Promise<Credential> => ({ token: await world.cloud.token('brief@example.org') })

  test('AZ-1: every endpoint is in the table', () => {
    assert.deepEqual(Object.keys(table).sort(), [...mounted.keys()].sort())
    for (const { auth } of mounted.values()) assert.ok(outcomes[auth.name], auth.name)
  })

  for (const [name, row] of Object.entries(table)) {
    test(`AZ-2 AZ-3: ${name} refuses credentials that do not hold`, async () => {
      const { auth, style } = endpointOf(name)
      const expected = outcomes[auth.name] ?? {}
      // What anybody gets: with a bad credential neither more nor less.
      const anybody = expected.open ? (await ask(name, row, {})).status : undefined
      for (const [what, credential] of Object.entries(bad)) {
        const outcome = expected.open ? 'in' : (expected[what] ?? 401)
        const { status, body } = await ask(name, row, credential)
        assert.equal(status, outcome === 'in' ? (anybody ?? row.stranger) : outcome, what)
        assert.ok(!JSON.stringify(body).includes(marker), `${what} shows what is the victim's`)
        if (status !== 401) continue
        const refusal = body as { error?: string; message?: string; success?: false }
        if (auth.name !== 'audioApiKey')
          assert.ok(style === 'envelope' ? refusal.success === false : refusal.error !== undefined, what)
      }
    })

    test(`AZ-4: ${name} gives a stranger nothing of somebody else's`, async () => {
      const { auth } = endpointOf(name)
      const credential = row.voids ? await brief() : goodCredential(world, auth, 'stranger')
      const { status, body } = await ask(name, row, credential)
      assert.equal(status, row.stranger)
      const text = JSON.stringify(body)
      for (const secret of [marker, world.victim.email, world.victim.id])
        assert.ok(!text.includes(secret), `it shows ${secret}`)
    })
  }

  test('AZ-5: naming an organization one does not belong to opens nothing', async () => {
    const named = { token: world.stranger.token, headers: { 'x-org-id': world.organizationId } }
    for (const name of ['GET /api/permissions/:packageName', 'PATCH /api/permissions/:packageName']) {
      const row = table[name]
      assert.ok(row)
      assert.equal((await ask(name, row, named)).status, 403, name)
    }
    const invisible = await ask(
      'GET /api/apps/:packageName',
      { path: () => '/api/apps/victim.app', stranger: 404 },
      named,
    )
    assert.equal(invisible.status, 404)
  })

  test('AZ-6: published, an app may be seen by everybody, and changed by its owners alone', async () => {
    const { cloud, stranger } = world
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
      headers: { 'x-org-id': world.organizationId },
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

  test('AZ-7: a trusted app acts for the user it names, and for nobody else', async () => {
    const { cloud, trusted, stranger } = world
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

  test('AZ-2: a token in a body opens no more than one in the header', async () => {
    const { cloud, victim } = world
    const set = async (coreToken: string) => {
      const body = { coreToken, datetime: '2025-01-31T12:00:00Z' }
      return (await cloud.request('POST', '/api/user-data/set-datetime', { body })).status
    }
    assert.equal(await set(victim.token), 200)
    for (const [what, { token }] of Object.entries(bad))
      if (token !== undefined) assert.equal(await set(token), 401, what)

    const press = async (coreToken: string) => {
      const body = { coreToken, buttonId: 'camera', pressType: 'short' }
      return (await cloud.request('POST', '/api/hardware/button-press', { body })).status
    }
    assert.equal(await press(victim.token), 200)
    for (const [what, { token }] of Object.entries(bad))
      if (token !== undefined)
        assert.equal(await press(token), what === 'a token for glasses' ? 200 : 401, what)
  })

  // Last, because some of these change or end what the others look for.
  for (const [name, row] of Object.entries(table)) {
    test(`AZ-8: ${name} still serves those it belongs to`, async () => {
      const { auth } = endpointOf(name)
      const credential = row.voids ? await brief() : goodCredential(world, auth, 'owner')
      const { status } = await ask(name, row, credential)
      assert.equal(status, row.owner ?? row.stranger)
    })
  }
})
