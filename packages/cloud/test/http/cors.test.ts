import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type LocalCloud, startCloud } from '../support/test-cloud.ts'

const STORE = 'https://store.example.org'

/** The headers of a response that concern other origins. */
function corsHeaders({ headers }: Pick<Response, 'headers'>): Record<string, string> {
  return Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control-')))
}

/** Sends what a browser sends before a request with credentials from a page of an origin. */
const sendPreflight = (cloud: LocalCloud, path: string, origin: string, method = 'PUT') =>
  fetch(cloud.url + path, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': method,
      'access-control-request-headers': 'authorization,content-type',
    },
  })

describe('pages on other origins', () => {
  test('HTTP-50: responses to a listed origin name it, errors included', async (t) => {
    const cloud = await startCloud(t, { env: { CORS_ORIGINS: `https://other.example.org, ${STORE}` } })
    const token = await cloud.token('a@example.org')
    const requests: [status: number, method: string, path: string, body?: string][] = [
      [200, 'GET', '/api/account/me'],
      [400, 'GET', '/api/apps/search'],
      [400, 'PUT', '/api/account/privacy', '{'],
      [404, 'GET', '/nowhere'],
      [405, 'DELETE', '/api/account/me'],
      [413, 'PUT', '/api/account/privacy', ' '.repeat(2 ** 21)],
    ]
    for (const [status, method, path, body] of requests) {
      const response = await cloud.request(method, path, { token, body, headers: { origin: STORE } })
      assert.equal(response.status, status, path)
      const { 'access-control-expose-headers': exposed, ...headers } = corsHeaders(response)
      assert.deepEqual(
        headers,
        { 'access-control-allow-origin': STORE, 'access-control-allow-credentials': 'true' },
        path,
      )
      assert.equal(
        exposed,
        'Content-Disposition, Link, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, X-Request-Id',
      )
      assert.match(response.headers.get('vary') ?? '', /\bOrigin\b/i)
    }
    const unauthorized = await cloud.request('GET', '/api/account/me', { headers: { origin: STORE } })
    assert.equal(unauthorized.status, 401)
    assert.equal(unauthorized.headers.get('access-control-allow-origin'), STORE)
  })

  test('HTTP-50: the origin of PUBLIC_URL needs no setting, nor does the one listened on', async (t) => {
    const [proxied, direct] = await Promise.all([
      startCloud(t, { env: { PUBLIC_URL: 'https://cloud.example.org/glasses' } }),
      startCloud(t),
    ])
    const originAllowed = async (cloud: LocalCloud, origin: string) =>
      corsHeaders(await cloud.request('GET', '/api/apps/version', { headers: { origin } }))[
        'access-control-allow-origin'
      ]
    assert.equal(await originAllowed(proxied, 'https://cloud.example.org'), 'https://cloud.example.org')
    assert.equal(await originAllowed(direct, direct.url), direct.url)
    assert.equal(await originAllowed(proxied, proxied.url), undefined)
  })

  test('HTTP-51: a preflight request without a token', async (t) => {
    const cloud = await startCloud(t, { env: { CORS_ORIGINS: STORE, REST_LIMIT_PER_MINUTE: '1' } })
    for (const path of ['/api/account/privacy', '/api/apps/install/a.b', '/openapi.json']) {
      const response = await sendPreflight(cloud, path, STORE)
      assert.deepEqual([response.status, await response.text()], [204, ''], path)
      const headers = corsHeaders(response)
      assert.equal(headers['access-control-allow-origin'], STORE)
      assert.equal(headers['access-control-allow-credentials'], 'true')
      assert.equal(headers['access-control-allow-methods'], 'GET, HEAD, POST, PUT, PATCH, DELETE')
      assert.equal(headers['access-control-allow-headers'], 'authorization,content-type')
      assert.equal(headers['access-control-max-age'], '7200')
    }
    const { status } = await cloud.request('GET', '/api/account/me')
    assert.equal(status, 401)
  })

  test('HTTP-52: other origins get no permission, however similar', async (t) => {
    const cloud = await startCloud(t, { env: { CORS_ORIGINS: STORE } })
    const origins = [
      'http://store.example.org',
      'https://store.example.org:8443',
      'https://store.example.org.evil.example',
      'https://evil.example',
      'null',
      '*',
    ]
    for (const origin of origins) {
      const response = await cloud.request('GET', '/api/apps/version', { headers: { origin } })
      assert.deepEqual([response.status, corsHeaders(response)], [200, {}], origin)
      assert.match(response.headers.get('vary') ?? '', /\bOrigin\b/i)
      const preflight = await sendPreflight(cloud, '/api/account/privacy', origin)
      assert.deepEqual([preflight.status, corsHeaders(preflight)], [405, {}], origin)
      assert.equal(preflight.headers.get('allow'), 'GET, HEAD, PUT')
    }
    const unknown = await sendPreflight(cloud, '/nowhere', 'https://evil.example')
    assert.equal(unknown.status, 404)
  })

  test('HTTP-53: public documents are open to every origin, without credentials', async (t) => {
    const cloud = await startCloud(t, { env: { CORS_ORIGINS: STORE } })
    for (const path of ['/openapi.json', '/asyncapi.json', '/.well-known/jwks.json'])
      for (const origin of [STORE, 'https://evil.example']) {
        const headers = corsHeaders(await cloud.request('GET', path, { headers: { origin } }))
        assert.equal(headers['access-control-allow-origin'], '*', path)
        assert.equal(headers['access-control-allow-credentials'], undefined)
      }
  })
})
