import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import { createRemoteJWKSet, decodeProtectedHeader, type JWTPayload, jwtVerify } from 'jose'
import { eachDatabase } from '../../src/db/testing.ts'
import { newApiKey } from '../../src/identity/index.ts'
import { startCloud, type TestCloud } from '../support/test-cloud.ts'

type Fields = Record<string, unknown>

const webApp = {
  packageName: 'com.example.web-app',
  name: 'Web',
  description: 'A page',
  webviewURL: 'https://web.example.org/in',
  logoURL: 'https://web.example.org/logo.png',
}

async function person(cloud: TestCloud, email = 'ada@example.com') {
  const token = await cloud.token(email)
  return {
    details: (packageName: string) =>
      cloud.request<Fields>('GET', `/api/account/oauth/app${packageName}`, { token }),
    issue: (body?: unknown) => cloud.request<Fields>('POST', '/api/account/oauth/token', { token, body }),
  }
}

/** Verifies a token as an app does: with nothing but the published keys. */
async function verified(cloud: TestCloud, token: unknown, issuer = cloud.url): Promise<JWTPayload> {
  const keys = createRemoteJWKSet(new URL(`${cloud.url}/.well-known/jwks.json`))
  const { payload } = await jwtVerify(String(token), keys, {
    issuer,
    audience: webApp.packageName,
    algorithms: ['RS256'],
  })
  return payload
}

/** What the app SDK does with a front-end token and the app's key. */
function sdkReads(frontendToken: unknown, apiKey: string): string | null {
  const [userId = '', hash] = String(frontendToken).split(':')
  const hashedKey = createHash('sha256').update(apiKey).digest('hex')
  return hash === createHash('sha256').update(userId).update(hashedKey).digest('hex') ? userId : null
}

describe('signing in to web pages of apps', () => {
  eachDatabase((database) => {
    test('OAU-1 OAU-2 OAU-3 OAU-4: details of an app with a web page, and of no other', async (t) => {
      const cloud = await startCloud(t, { database })
      await cloud.registerApp(webApp)
      await cloud.registerApp({ packageName: 'plain', name: 'Plain' })
      await cloud.registerApp({ ...webApp, packageName: 'bare', logoURL: undefined })
      await cloud.registerApp({ ...webApp, packageName: 'hidden', appStoreStatus: 'DEVELOPMENT' })
      const { details } = await person(cloud)
      const { logoURL: icon, ...shown } = webApp
      assert.deepEqual((await details(`/${webApp.packageName}`)).body, {
        success: true,
        app: { ...shown, icon },
      })
      assert.equal(((await details('/bare')).body.app as Fields).icon, '')
      const refused = async (path: string, status: number, error: string) => {
        const answer = await details(path)
        assert.deepEqual([answer.status, answer.body], [status, { error }], path)
      }
      await refused('', 400, 'Package name is required')
      await refused('/', 400, 'Package name is required')
      await refused('/nothing', 404, 'App not found')
      await refused('/%00', 404, 'App not found')
      await refused('/hidden', 404, 'App not found')
      await refused('/plain', 400, 'App does not support web authentication')
    })

    test('OAU-10 OAU-11 OAU-12: an app verifies the token with the published key and with its own', async (t) => {
      const cloud = await startCloud(t, { database })
      const { apiKey } = await cloud.registerApp(webApp)
      const before = Math.floor(Date.now() / 1000)
      const { issue } = await person(cloud)
      const { status, body } = await issue({ packageName: webApp.packageName })
      assert.equal(status, 200)
      assert.deepEqual({ ...body, token: '' }, { success: true, token: '', expiresIn: '10m' })
      const { frontendToken, iat = 0, exp = 0, ...claims } = await verified(cloud, body.token)
      assert.deepEqual(claims, { iss: cloud.url, aud: webApp.packageName, sub: 'ada@example.com' })
      assert.ok(iat >= before && iat <= Date.now() / 1000)
      assert.equal(exp - iat, 600)
      assert.equal(sdkReads(frontendToken, apiKey), 'ada@example.com')
      assert.equal(sdkReads(frontendToken, newApiKey().key), null)
    })

    test('OAU-12: of two live keys the newest counts; without a key there is nothing to check', async (t) => {
      const { cloud, ...local } = await startCloud(t, { database })
      await local.registerApp(webApp)
      const app = await local.operator.apps.findByPackage(webApp.packageName)
      assert.ok(app)
      const newest = newApiKey()
      await local.operator.apiKeys.add(app.id, newest.keyId, newest.hash, Date.now() + 1)
      const { issue } = await person(local)
      const token = async () => (await issue({ packageName: webApp.packageName })).body.token
      assert.equal(
        sdkReads((await verified(local, await token())).frontendToken, newest.key),
        'ada@example.com',
      )
      for (const { keyId } of await local.operator.apiKeys.list(app.id))
        await local.operator.apiKeys.remove(keyId)
      assert.equal('frontendToken' in (await verified(local, await token())), false)
    })

    test('OAU-13: without an app to sign in to there is no token', async (t) => {
      const cloud = await startCloud(t, { database })
      await cloud.registerApp({ packageName: 'plain', name: 'Plain' })
      const { issue } = await person(cloud)
      const refused = async (body: unknown, status: number, error: string) => {
        const answer = await issue(body)
        assert.deepEqual([answer.status, answer.body], [status, { error }], JSON.stringify(body))
      }
      for (const body of [undefined, {}, { packageName: '' }, { packageName: 5 }, { packageName: null }, []])
        await refused(body, 400, 'Package name is required')
      await refused({ packageName: 'nothing' }, 404, 'App not found')
      await refused({ packageName: 'no\0thing' }, 404, 'App not found')
      await refused({ packageName: 'plain' }, 400, 'App does not support web authentication')
    })

    test('OAU-14: the token is for the app alone', async (t) => {
      const cloud = await startCloud(t, { database })
      await cloud.registerApp(webApp)
      const { issue } = await person(cloud)
      const token = String((await issue({ packageName: webApp.packageName })).body.token)
      assert.equal((await cloud.request('GET', '/api/account/me', { token })).status, 401)
    })

    test('OAU-20: the published key is public, and the one that signs', async (t) => {
      const cloud = await startCloud(t, { database })
      await cloud.registerApp(webApp)
      const { status, body, headers } = await cloud.request<{ keys: Fields[] }>(
        'GET',
        '/.well-known/jwks.json',
      )
      assert.equal(status, 200)
      assert.equal(headers.get('cache-control'), 'public, max-age=300')
      assert.equal(headers.get('access-control-allow-origin'), '*')
      const [key = {}] = body.keys
      assert.equal(body.keys.length, 1)
      assert.deepEqual(Object.keys(key).sort(), ['alg', 'e', 'kid', 'kty', 'n', 'use'])
      assert.deepEqual([key.kty, key.alg, key.use], ['RSA', 'RS256', 'sig'])
      const { issue } = await person(cloud)
      const { token } = (await issue({ packageName: webApp.packageName })).body
      assert.equal(decodeProtectedHeader(String(token)).kid, key.kid)
    })

    test('OAU-11 OAU-21: nodes on one database agree on one key, and so does a later start', async (t) => {
      const OAUTH_ISSUER = 'https://issuer.example.org/a'
      const first = await startCloud(t, { database, env: { OAUTH_ISSUER } })
      await first.registerApp(webApp)
      // One process opens a SQLite file once; on PostgreSQL both nodes are asked at the same time.
      if (database.name === 'SQLite') {
        const { issue } = await person(first)
        const { token } = (await issue({ packageName: webApp.packageName })).body
        await first.stop()
        const later = await startCloud(t, { env: first.env })
        assert.equal((await verified(later, token, OAUTH_ISSUER)).iss, OAUTH_ISSUER)
        return
      }
      const second = await startCloud(t, { env: first.env })
      const issued = await Promise.all(
        [first, second].map(async (node) => (await person(node)).issue({ packageName: webApp.packageName })),
      )
      for (const node of [first, second])
        for (const { body } of issued) await verified(node, body.token, OAUTH_ISSUER)
    })

    test('OAU-22: who reads the database alone reads no private key, and another secret makes another', async (t) => {
      const first = await startCloud(t, { database })
      const keyOf = async (cloud: TestCloud) =>
        (await cloud.request<{ keys: Fields[] }>('GET', '/.well-known/jwks.json')).body.keys[0]?.kid
      const kid = await keyOf(first)
      const rows = await first.cloud.db.selectFrom('oauth_keys').selectAll().execute()
      assert.equal(rows[0]?.kid, kid)
      const sealed = Buffer.from(rows[0]?.sealed_private_key ?? '', 'base64').toString('latin1')
      assert.ok(sealed.length > 1_000)
      assert.doesNotMatch(sealed, /PRIVATE KEY/)
      await first.stop()
      const other = { ...first.env, AUTH_SECRET: 'quite another secret, long enough too' }
      const second = await startCloud(t, { env: other })
      const { cloud } = second
      assert.notEqual(await keyOf(second), kid)
      const left = await cloud.db.selectFrom('oauth_keys').select('kid').execute()
      assert.deepEqual(
        left.map((row) => row.kid),
        [await keyOf(second)],
      )
    })
  })
})
