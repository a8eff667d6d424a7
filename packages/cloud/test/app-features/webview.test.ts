import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import { eitherDatabase } from '../../src/db/testing.ts'
import { findFreePort } from '../../src/http/free-port.ts'
import { SdkApp } from '../support/sdk-app.ts'
import { type LocalCloud, startCloud, type TestCloud } from '../support/test-cloud.ts'
import {
  canExchange,
  exchange,
  packageName,
  signIn,
  webviewURL,
  withClock,
} from '../support/webview-tokens.ts'

type Fields = Record<string, unknown>

const hex = (...parts: string[]) => createHash('sha256').update(parts.join('')).digest('hex')

async function install(cloud: TestCloud, email: string, name = packageName) {
  const token = await cloud.token(email)
  assert.equal((await cloud.request('POST', `/api/apps/install/${name}`, { token })).status, 200)
}

const rows = ({ cloud }: LocalCloud) => cloud.db.selectFrom('webview_tokens').selectAll().execute()

describe('app web views', () => {
  eitherDatabase((database) => {
    test('WEB-1 WEB-2 WEB-8: an app exchanges a temporary token for the user id', async (t) => {
      const cloud = await startCloud(t, { database })
      const app = await cloud.registerApp({ packageName, webviewURL })
      const { post } = await signIn(cloud)
      for (const prefix of ['/api/auth', '/auth']) {
        const issued = await post(`${prefix}/generate-webview-token`, { packageName })
        assert.deepEqual([issued.status, issued.body.success], [200, true])
        const token = String(issued.body.token)
        assert.match(token, /^[0-9a-f]{64}$/)
        const stored = await rows(cloud)
        assert.equal(stored.length, 1)
        assert.ok(!JSON.stringify(stored).includes(token))
        const { status, body } = await exchange(cloud, app, token, `${prefix}/exchange-user-token`)
        assert.deepEqual([status, body], [200, { success: true, userId: 'ada@example.com' }])
        assert.deepEqual(await rows(cloud), [])
      }
    })

    test('WEB-3: of concurrent exchanges exactly one succeeds', async (t) => {
      const cloud = await startCloud(t, { database })
      const app = await cloud.registerApp({ packageName, webviewURL })
      const { issueToken } = await signIn(cloud)
      for (let round = 0; round < 5; round++) {
        const token = await issueToken()
        const exchanged = await Promise.all(Array.from({ length: 8 }, () => canExchange(cloud, app, token)))
        assert.equal(exchanged.filter(Boolean).length, 1)
        assert.equal(await canExchange(cloud, app, token), false)
      }
    })

    test('WEB-4 WEB-8: a token expires after a minute, and expired tokens are removed', async (t) => {
      const { cloud, advance } = await withClock(t, { database })
      const app = await cloud.registerApp({ packageName, webviewURL })
      const { issueToken } = await signIn(cloud)
      const fresh = await issueToken()
      advance(55_000)
      assert.equal(await canExchange(cloud, app, fresh), true)
      const expired = await issueToken()
      advance(60_000)
      assert.equal(await canExchange(cloud, app, expired), false)
      await issueToken()
      advance(120_000)
      await issueToken()
      assert.equal((await rows(cloud)).length, 1)
    })

    test('WEB-5 WEB-6: only the app that a token was issued for can exchange it, with its own key', async (t) => {
      const cloud = await startCloud(t, { database })
      const app = await cloud.registerApp({ packageName, webviewURL })
      const other = await cloud.registerApp({ packageName: 'other.app', webviewURL })
      const { issueToken } = await signIn(cloud)
      const token = await issueToken()
      assert.equal(await canExchange(cloud, other, token), false)
      const unauthorized = [
        { packageName },
        { packageName, apiKey: other.apiKey },
        { packageName: 'other.app', apiKey: app.apiKey },
        { packageName, apiKey: `${app.apiKey}x` },
      ]
      for (const credential of unauthorized) {
        const { status, body } = await exchange(cloud, credential, token)
        assert.deepEqual([status, body], [401, { error: 'Unauthorized' }])
      }
      // The body may not name another app than the header.
      const split = await cloud.request('POST', '/api/auth/exchange-user-token', {
        headers: { 'x-api-key': app.apiKey, 'x-package-name': packageName },
        body: { aos_temp_token: token, packageName: 'other.app' },
      })
      assert.deepEqual([split.status, split.body], [401, { error: 'Unauthorized' }])
      for (const none of [undefined, '', 5]) assert.equal((await exchange(cloud, app, none)).status, 400)
      for (const invalidText of ['nonsense', 'a\0b', '0'.repeat(64)])
        assert.equal(await canExchange(cloud, app, invalidText), false)
      assert.equal(await canExchange(cloud, app, token), true)
    })

    test('WEB-7: a logout and the deletion of the account revoke tokens', async (t) => {
      const cloud = await startCloud(t, { database })
      const app = await cloud.registerApp({ packageName, webviewURL })
      const ada = await signIn(cloud)
      const token = await ada.issueToken()
      const user = await cloud.operator.users.findByEmail('ada@example.com')
      assert.ok(user)
      await cloud.operator.users.setTokensValidFrom(user.id, Date.now() + 1_000)
      assert.equal(await canExchange(cloud, app, token), false)
      const eve = await signIn(cloud, 'eve@example.com')
      const another = await eve.issueToken()
      assert.equal((await eve.post('/api/account/request-deletion')).status, 200)
      assert.equal(await canExchange(cloud, app, another), false)
    })

    test('WEB-9: apps without a web view return 400, invisible apps 404', async (t) => {
      const cloud = await startCloud(t, { database })
      await cloud.registerApp({ packageName: 'plain' })
      await cloud.registerApp({ packageName: 'hidden', webviewURL, appStoreStatus: 'DEVELOPMENT' })
      const { post } = await signIn(cloud)
      for (const name of [
        'generate-webview-token',
        'generate-webview-signed-user-token',
        'hash-with-api-key',
      ]) {
        const assertRejected = async (body: Fields, status: number, error?: string) => {
          const given = name === 'hash-with-api-key' ? { stringToHash: cloud.url, ...body } : body
          const result = await post(`/api/auth/${name}`, given)
          assert.equal(result.status, status, name)
          if (error !== undefined) assert.deepEqual(result.body, { error }, name)
        }
        await assertRejected({ packageName: 'plain' }, 400, 'App does not support web authentication')
        for (const hidden of ['hidden', 'nothing', 'no\0thing'])
          await assertRejected({ packageName: hidden }, 404, 'App not found')
        for (const body of [{}, { packageName: '' }, { packageName: 5 }])
          await assertRejected(
            body,
            400,
            name === 'hash-with-api-key' ? undefined : 'Package name is required',
          )
      }
    })

    test('WEB-20: the signed token is the web sign-in token', async (t) => {
      const cloud = await startCloud(t, { database })
      const app = await cloud.registerApp({ packageName, webviewURL })
      const { post } = await signIn(cloud)
      const { status, body } = await post('/auth/generate-webview-signed-user-token', { packageName })
      assert.equal(status, 200)
      assert.deepEqual({ ...body, token: '' }, { success: true, token: '', expiresIn: '10m' })
      const keys = createRemoteJWKSet(new URL(`${cloud.url}/.well-known/jwks.json`))
      const { payload } = await jwtVerify(String(body.token), keys, {
        issuer: cloud.url,
        audience: packageName,
        algorithms: ['RS256'],
      })
      assert.equal(payload.sub, 'ada@example.com')
      assert.equal((payload.exp ?? 0) - (payload.iat ?? 0), 600)
      const hash = hex('ada@example.com', hex(app.apiKey))
      assert.equal(payload.frontendToken, `ada@example.com:${hash}`)
    })

    test('WEB-30 WEB-31: strings that are hashed and strings that are not', async (t) => {
      const cloud = await startCloud(t, { database, env: { PUBLIC_URL: 'https://cloud.example.org/base/' } })
      const app = await cloud.registerApp({ packageName, webviewURL })
      await install(cloud, 'ada@example.com')
      const { hash } = await signIn(cloud)
      for (const text of [
        'https://cloud.example.org/base',
        'https://cloud.example.org:443/base',
        'ada@example.com',
      ]) {
        const { status, body } = await hash(text)
        assert.deepEqual([status, body], [200, { success: true, hash: hex(text, hex(app.apiKey)) }], text)
      }
      for (const text of [
        'eve@example.com',
        'eve@example.com:',
        'Ada@example.com',
        ' ada@example.com',
        'ada@example.comeve@example.com',
        'https://evil.example.org',
        'https://cloud.example.org',
        'https://cloud.example.org:8443/base',
        'http://cloud.example.org/base',
        'https://cloud.example.org/base/../..',
        'https://cloud.example.org/base@evil.example.org',
        'https://ada@cloud.example.org/base',
        cloud.url,
        'anything',
      ])
        assert.equal((await hash(text)).status, 403, text)
      for (const invalidText of [undefined, '', 5, null]) assert.equal((await hash(invalidText)).status, 400)
      const token = await cloud.token('ada@example.com')
      const forged = await cloud.request('POST', '/api/auth/hash-with-api-key', {
        token,
        headers: { 'x-forwarded-host': 'evil.example.org', 'x-forwarded-proto': 'https' },
        body: { stringToHash: 'https://evil.example.org', packageName },
      })
      assert.equal(forged.status, 403)
    })

    test('WEB-30 WEB-32 WEB-33: a hash requires an installed, system or own app and uses its newest key', async (t) => {
      const cloud = await startCloud(t, { database, env: { SYSTEM_APPS: 'system.app' } })
      await cloud.registerApp({ packageName, webviewURL })
      await cloud.registerApp({ packageName: 'system.app', webviewURL })
      const own = { packageName: 'own.app', webviewURL, developerId: 'ada@example.com' }
      await cloud.registerApp({ ...own, appStoreStatus: 'DEVELOPMENT' as const })
      const { hash } = await signIn(cloud)
      const assertRejected = await hash(cloud.url)
      assert.deepEqual(
        [assertRejected.status, assertRejected.body],
        [403, { error: 'You have neither installed nor developed this app' }],
      )
      for (const name of ['system.app', 'own.app']) assert.equal((await hash(cloud.url, name)).status, 200)
      await install(cloud, 'ada@example.com')
      assert.equal((await hash(cloud.url)).status, 200)
      const newest = await cloud.registerApp({ packageName, webviewURL })
      assert.equal((await hash(cloud.url)).body.hash, hex(cloud.url, hex(newest.apiKey)))
      const app = await cloud.operator.apps.findByPackage(packageName)
      assert.ok(app)
      for (const { keyId } of await cloud.operator.apiKeys.list(app.id))
        await cloud.operator.apiKeys.remove(keyId)
      const keyless = await hash(cloud.url)
      assert.deepEqual([keyless.status, keyless.body], [409, { error: 'The app has no API key' }])
    })
  })

  test('WEB-34: the app SDK authenticates the user of a web view that the phone opened', async (t) => {
    const cloud = await startCloud(t)
    const { apiKey } = await cloud.registerApp({ packageName, webviewURL })
    await install(cloud, 'ada@example.com')
    const { issueToken, hash } = await signIn(cloud)
    const port = await findFreePort()
    await SdkApp.start(t, {
      app: new URL('../apps/webview.ts', import.meta.url),
      packageName,
      apiKey,
      port,
    })
    const open = async (query: Record<string, string>) => {
      const response = await fetch(`http://127.0.0.1:${port}/who?${new URLSearchParams(query)}`)
      return ((await response.json()) as { userId: string | null }).userId
    }
    const launch = {
      cloudApiUrl: cloud.url,
      cloudApiUrlChecksum: String((await hash(cloud.url)).body.hash),
    }
    const aos_temp_token = await issueToken()
    assert.equal(await open({ ...launch, aos_temp_token }), 'ada@example.com')
    assert.equal(await open({ ...launch, aos_temp_token }), null)
  })
})
