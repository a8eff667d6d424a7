import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { onPostgres, type TestDatabase } from '../../src/db/testing.ts'
import { bearer, SocketClient } from '../../src/sockets/testing/socket-client.ts'
import { startAppServer } from '../support/app-server.ts'
import { FlakyProxy } from '../support/flaky-proxy.ts'
import { startNodes } from '../support/local-nodes.ts'
import { redisMissing } from '../support/redis.ts'
import type { Scope } from '../support/scope.ts'
import { startCloud } from '../support/test-cloud.ts'

const packageName = 'dev.example.display'

/** A node whose connections to PostgreSQL can be cut, and another process on the same database. */
async function start(t: Scope, database: TestDatabase) {
  const proxy = await FlakyProxy.open(t)
  const options = await database.acquire(t)
  const direct = new URL(String(options.databaseUrl))
  proxy.target = new URL(`http://${direct.hostname}:${direct.port || 5432}`)
  const proxied = new URL(direct)
  proxied.port = new URL(proxy.url).port
  proxied.hostname = '127.0.0.1'
  const [cloud] = await startNodes(t, database, 1, {
    env: { DATABASE_URL: proxied.href, DATABASE_QUERY_TIMEOUT_MS: '2000' },
  })
  assert.ok(cloud)
  const other = await startCloud(t, { env: { ...cloud.env, DATABASE_URL: direct.href, PORT: '0' } })
  const server = await startAppServer(t, packageName)
  server.behavior = 'never-connect'
  const { apiKey } = await cloud.registerApp({ packageName, publicUrl: server.url })
  const token = await cloud.token('ada@example.com')
  const glasses = await SocketClient.open(t, `${cloud.wsUrl}/glasses-ws`, bearer(token))
  await glasses.next('connection_ack')
  glasses.send({ type: 'start_app', packageName })
  await glasses.next('app_state_change')
  const app = await SocketClient.open(t, `${cloud.wsUrl}/app-ws`)
  app.send({ type: 'tpa_connection_init', packageName, apiKey, sessionId: `ada@example.com-${packageName}` })
  await app.next('tpa_connection_ack')
  const user = await cloud.operator.users.findByEmail('ada@example.com')
  // A start that could not be stored would fail.
  while ((await cloud.cloud.running.runningOf(user?.id ?? '')).length === 0);
  /** Shows a text on the glasses. */
  const show = async (text: string) => {
    const layout = { layoutType: 'text_wall', text }
    app.send({ type: 'display_event', packageName, view: 'main', layout })
    for (;;) {
      const shown = await glasses.next('display_event')
      if ((shown.layout as { text?: string }).text === text) return
    }
  }
  const rename = (name: string) => cloud.request('PUT', '/api/account/profile', { token, body: { name } })
  const nameOf = async () => {
    const { body } = await other.request<{ user?: { name?: string }; name?: string }>(
      'GET',
      '/api/account/me',
      { token },
    )
    return body.user?.name ?? body.name
  }
  const status = async (path: string) => (await cloud.request('GET', path, { token })).status
  return { proxy, cloud, token, show, rename, nameOf, status }
}

describe('outages of PostgreSQL', { skip: redisMissing }, () => {
  onPostgres((database) => {
    test('SHARE-70: a failover', async (t) => {
      const { proxy, show, rename, nameOf, status } = await start(t, database)
      for (let round = 0; round < 3; round += 1) {
        proxy.break()
        await show(`round ${round}`)
        assert.equal(await status('/api/account/me'), 200)
        // A write whose connection was lost is not repeated, as it may have taken effect.
        const name = `name ${round}`
        while ((await rename(name)).status !== 200);
        assert.equal(await nameOf(), name)
      }
    })

    test('SHARE-70: PostgreSQL away during displays, events and requests', async (t) => {
      const { proxy, show, rename, nameOf, status } = await start(t, database)
      assert.equal((await rename('before')).status, 200)
      const { target } = proxy
      proxy.target = undefined
      proxy.break()
      await show('during the outage')
      assert.equal(await status('/readyz'), 503)
      assert.equal((await rename('during')).status, 500)
      await show('still there')
      assert.equal(await nameOf(), 'before')
      proxy.target = target
      while ((await status('/readyz')) !== 200);
      assert.equal((await rename('after')).status, 200)
      assert.equal(await nameOf(), 'after')
      await show('as before')
    })
  })
})
