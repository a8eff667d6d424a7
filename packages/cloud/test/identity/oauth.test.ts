import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import { createRemoteJWKSet, decodeProtectedHeader, type JWTPayload, jwtVerify } from 'jose'
import { eitherDatabase } from '../../src/db/testing.ts'
import { generateApiKey } from '../../src/identity/index.ts'
import { startCloud, type TestCloud } from '../support/test-cloud.ts'

type Fields = Record<string, unknown>

const webApp = {
  packageName: 'com.example.web-app',
  name: 'Web',
  description: 'A page',
  webviewURL: 'https://web.example.org/in',
  logoURL: 'https://web.example.org/logo.png',
}

async function signIn(cloud: TestCloud, email = 'ada@example.com') {
  const token = await cloud.token(email)
  return {
    details: (packageName: string) =>
      cloud.request<Fields>('GET', `/api/account/oauth/app${packageName}`, { token }),
    issue: (body?: unknown) => cloud.request<Fields>('POST', '/api/account/oauth/token', { token, body }),
  }
}

/** Verifies a token as an app does: with the published keys only. */
async function verifyToken(cloud: TestCloud, token: unknown, issuer = cloud.url): Promise<JWTPayload> {
  const keys = createRemoteJWKSet(new URL(`${cloud.url}/.well-known/jwks.json`))
  const { payload } = await jwtVerify(String(token), keys, {
    issuer,
    audience: webApp.packageName,
    algorithms: ['RS256'],
  })
  return payload
}

/** The user id that the app SDK reads from a front-end token with the app's key; null if the token is invalid. */
function userIdReadBySdk(frontendToken: unknown, apiKey: string): string | null {
  const [userId = '', hash] = String(frontendToken).split(':')
  const hashedKey = createHash('sha256').update(apiKey).digest('hex')
  return hash === createHash('sha256').update(userId).update(hashedKey).digest('hex') ? userId : null
}

describe('web sign-in for apps', () => {
  eitherDatabase((database) => {
    test('OAU-1: details of an app with and without a logo', async (t) => {
      const cloud = await startCloud(t, { database })
      await cloud.registerApp(webApp)
      await cloud.registerApp({ ...webApp, packageName: 'bare', logoURL: undefined })
      const { details } = await signIn(cloud)
      const { logoURL: icon, ...shown } = webApp
      assert.deepEqual((await details(`/${webApp.packageName}`)).body, {
        success: true,
        app: { ...shown, icon },
      })
      assert.equal(((await details('/bare')).body.app as Fields).icon, '')
    })

    test('OAU-2 OAU-3 OAU-4: no name, invisible apps and an app without a web view', async (t) => {
      const cloud = await startCloud(t, { database })
      await cloud.registerApp({ packageName: 'plain', name: 'Plain' })
      await cloud.registerApp({ ...webApp, packageName: 'hidden', appStoreStatus: 'DEVELOPMENT' })
      const { details } = await signIn(cloud)
      const assertRejected = async (path: string, status: number, error: string) => {
        const response = await details(path)
        assert.deepEqual([response.status, response.body], [status, { error }], path)
      }
      await assertRejected('', 400, 'Package name is required')
      await assertRejected('/', 400, 'Package name is required')
      await assertRejected('/nothing', 404, 'App not found')
      await assertRejected('/%00', 404, 'App not found')
      await assertRejected('/hidden', 404, 'App not found')
      await assertRejected('/plain', 400, 'App does not support web authentication')
    })

    test('OAU-10 OAU-11 OAU-12: a token verified with the published key and the SDK', async (t) => {
      const cloud = await startCloud(t, { database })
      const { apiKey } = await cloud.registerApp(webApp)
      const before = Math.floor(Date.now() / 1000)
      const { issue } = await signIn(cloud)
      const { status, body } = await issue({ packageName: webApp.packageName })
      assert.equal(status, 200)
      assert.deepEqual({ ...body, token: '' }, { success: true, token: '', expiresIn: '10m' })
      const { frontendToken, iat = 0, exp = 0, ...claims } = await verifyToken(cloud, body.token)
      assert.deepEqual(claims, { iss: cloud.url, aud: webApp.packageName, sub: 'ada@example.com' })
      assert.ok(iat >= before && iat <= Date.now() / 1000)
      assert.equal(exp - iat, 600)
      assert.equal(userIdReadBySdk(frontendToken, apiKey), 'ada@example.com')
      assert.equal(userIdReadBySdk(frontendToken, generateApiKey().key), null)
    })

    test('OAU-12: the front-end token uses the newest key; without a key the claim is missing', async (t) => {
      const { cloud, ...local } = await startCloud(t, { database })
      await local.registerApp(webApp)
      const app = await local.operator.apps.findByPackage(webApp.packageName)
      assert.ok(app)
      const newest = generateApiKey()
      await local.operator.apiKeys.add(app.id, newest.keyId, newest.signingKey, Date.now() + 1)
      const { issue } = await signIn(local)
      const token = async () => (await issue({ packageName: webApp.packageName })).body.token
      assert.equal(
        userIdReadBySdk((await verifyToken(local, await token())).frontendToken, newest.key),
        'ada@example.com',
      )
      for (const { keyId } of await local.operator.apiKeys.list(app.id))
        await local.operator.apiKeys.remove(keyId)
      assert.equal('frontendToken' in (await verifyToken(local, await token())), false)
    })

    test('OAU-13: no token is issued for a missing, unknown or plain app', async (t) => {
      const cloud = await startCloud(t, { database })
      await cloud.registerApp({ packageName: 'plain', name: 'Plain' })
      const { issue } = await signIn(cloud)
      const assertRejected = async (body: unknown, status: number, error: string) => {
        const response = await issue(body)
        assert.deepEqual([response.status, response.body], [status, { error }], JSON.stringify(body))
      }
      for (const body of [undefined, {}, { packageName: '' }, { packageName: 5 }, { packageName: null }, []])
        await assertRejected(body, 400, 'Package name is required')
      await assertRejected({ packageName: 'nothing' }, 404, 'App not found')
      await assertRejected({ packageName: 'no\0thing' }, 404, 'App not found')
      await assertRejected({ packageName: 'plain' }, 400, 'App does not support web authentication')
    })

    test('OAU-14: the token does not authenticate at the cloud', async (t) => {
      const cloud = await startCloud(t, { database })
      await cloud.registerApp(webApp)
      const { issue } = await signIn(cloud)
      const token = String((await issue({ packageName: webApp.packageName })).body.token)
      assert.equal((await cloud.request('GET', '/api/account/me', { token })).status, 401)
    })

    test('OAU-20: the key set is public and contains the signing key', async (t) => {
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
      const { issue } = await signIn(cloud)
      const { token } = (await issue({ packageName: webApp.packageName })).body
      assert.equal(decodeProtectedHeader(String(token)).kid, key.kid)
    })

    test('OAU-11 OAU-21: nodes on one database use the same key, as does a later start', async (t) => {
      const OAUTH_ISSUER = 'https://issuer.example.org/a'
      const first = await startCloud(t, { database, env: { OAUTH_ISSUER } })
      await first.registerApp(webApp)
      // A process opens a SQLite file only once; on PostgreSQL both nodes issue concurrently.
      if (database.name === 'SQLite') {
        const { issue } = await signIn(first)
        const { token } = (await issue({ packageName: webApp.packageName })).body
        await first.stop()
        const later = await startCloud(t, { env: first.env })
        assert.equal((await verifyToken(later, token, OAUTH_ISSUER)).iss, OAUTH_ISSUER)
        return
      }
      const second = await startCloud(t, { env: first.env })
      const issued = await Promise.all(
        [first, second].map(async (node) => (await signIn(node)).issue({ packageName: webApp.packageName })),
      )
      for (const node of [first, second])
        for (const { body } of issued) await verifyToken(node, body.token, OAUTH_ISSUER)
    })

    test('OAU-22: the private key is encrypted in the database; another AUTH_SECRET creates another key', async (t) => {
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
      const otherEnv = { ...first.env, AUTH_SECRET: 'another secret that is long enough' }
      const second = await startCloud(t, { env: otherEnv })
      const { cloud } = second
      assert.notEqual(await keyOf(second), kid)
      // Another node may still use the first key.
      const left = await cloud.db.selectFrom('oauth_keys').select('kid').execute()
      assert.deepEqual(left.map((row) => row.kid).sort(), [kid, await keyOf(second)].sort())
      const month = 30 * 24 * 60 * 60_000
      await cloud.db
        .updateTable('oauth_keys')
        .set({ created_at: Date.now() - month - 1 })
        .execute()
      await second.stop()
      const third = await startCloud(t, {
        env: { ...first.env, AUTH_SECRET: 'a third secret that is long enough' },
      })
      const last = await keyOf(third)
      const remaining = await third.cloud.db.selectFrom('oauth_keys').select('kid').execute()
      assert.deepEqual(
        remaining.map((row) => row.kid),
        [last],
      )
    })
  })
})
