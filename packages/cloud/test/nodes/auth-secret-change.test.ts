import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import { bearer, rejectedHandshake, SocketClient } from '../../src/sockets/testing/socket-client.ts'
import { deleteAccount, issueForeignToken, me, seconds } from '../support/deletion-client.ts'
import { suiteScope } from '../support/scope.ts'
import { type LocalCloud, startCloud, testSecret } from '../support/test-cloud.ts'

const newSecret = 'a new secret for tests that is long enough'
const packageName = 'com.example.web'

describe('a rolling change of AUTH_SECRET', () => {
  const scope = suiteScope()
  /** A node before and a node after its secret was changed. */
  let older: LocalCloud
  let newer: LocalCloud

  before(async () => {
    older = await startCloud(scope, { env: { AUTH_SECRET_PREVIOUS: newSecret } })
    const changed = { AUTH_SECRET: newSecret, AUTH_SECRET_PREVIOUS: testSecret, PORT: '0' }
    newer = await startCloud(scope, { env: { ...older.env, ...changed } })
    await older.registerApp({ packageName, name: 'Web', webviewURL: 'https://web.example.org' })
  })

  /** A core token that the node itself signs. */
  const signedBy = async (cloud: LocalCloud, email: string) => {
    const { body } = await cloud.request<{ coreToken: string }>('POST', '/api/auth/refresh', {
      token: await older.token(email),
    })
    return body.coreToken
  }

  test('SHARE-10: either node accepts the tokens of both', async () => {
    const tokens = [await signedBy(older, 'ada@example.com'), await signedBy(newer, 'ada@example.com')]
    for (const cloud of [older, newer])
      for (const token of tokens) assert.equal((await me(cloud, token)).status, 200)
  })

  test('SHARE-10: OAuth tokens of two nodes', async () => {
    for (const [issuer, publisher] of [
      [older, newer],
      [newer, older],
      [older, newer],
    ] as const) {
      const token = await signedBy(issuer, 'ada@example.com')
      const { body } = await issuer.request<{ token: string }>('POST', '/api/account/oauth/token', {
        token,
        body: { packageName },
      })
      const keys = createRemoteJWKSet(new URL(`${publisher.url}/.well-known/jwks.json`))
      const { payload } = await jwtVerify(body.token, keys, { audience: packageName })
      assert.equal(payload.sub, 'ada@example.com')
    }
  })

  test('SHARE-10 AUTH-42: app tokens of two nodes, then a revoked key', async (t) => {
    const { apiKey } = await older.registerApp({ packageName: 'com.example.socket' })
    const headers = { 'x-api-key': apiKey, 'x-package-name': 'com.example.socket' }
    const issue = async (cloud: LocalCloud) =>
      (await cloud.request<{ token: string }>('POST', '/api/auth/app-token', { headers })).body.token
    const tokens = [await issue(older), await issue(newer)]
    const sockets = [older, newer].map((cloud) => `${cloud.wsUrl}/app-ws`)
    for (const url of sockets) for (const token of tokens) await SocketClient.open(t, url, bearer(token))
    await older.cloud.apiKeyStore.remove(apiKey.split('_')[1] ?? '')
    for (const url of sockets)
      for (const token of tokens) assert.equal((await rejectedHandshake(url, bearer(token))).status, 401)
  })

  test('SHARE-10: a deleted user is recognized under either secret', async () => {
    for (const [index, cloud] of [older, newer].entries()) {
      const email = `gone${index}@example.com`
      const issuedAt = seconds(Date.now()) - 10
      assert.equal((await deleteAccount(cloud, await signedBy(cloud, email))).status, 200)
      for (const node of [older, newer])
        assert.equal((await me(node, issueForeignToken(email, issuedAt))).status, 401)
    }
  })

  test('SHARE-10: the old secret is rejected once it is no longer the previous one', async (t) => {
    const done = await startCloud(t, {
      env: { ...older.env, AUTH_SECRET: newSecret, AUTH_SECRET_PREVIOUS: '', PORT: '0' },
    })
    assert.equal((await me(done, await signedBy(older, 'ada@example.com'))).status, 401)
    assert.equal((await me(done, await signedBy(newer, 'ada@example.com'))).status, 200)
    const { body } = await done.request<{ keys: unknown[] }>('GET', '/.well-known/jwks.json')
    assert.equal(body.keys.length, 1)
  })
})
