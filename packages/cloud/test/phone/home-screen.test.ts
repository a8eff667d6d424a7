import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, type TestContext, test } from 'node:test'
import manifest from '../../package.json' with { type: 'json' }
import { eitherDatabase } from '../../src/db/testing.ts'
import { systemClock } from '../../src/time/index.ts'
import { createCatalogueRig } from '../support/catalogue-rig.ts'
import { connectGlasses, serveApp } from '../support/lifecycle-fixtures.ts'
import { email, type Fields, signIn, withoutTimestamp } from '../support/phone-client.ts'
import { startCloud } from '../support/test-cloud.ts'

/** Starts a server in place of an app server; the test closes it. */
async function startServer(t: TestContext, respond: RequestListener): Promise<{ readonly url: string }> {
  const server = createServer(respond).listen(0, '127.0.0.1')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  await once(server, 'listening')
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

const health = '/api/app-uptime/app-pkg-health-check'

describe('public endpoints for phones', () => {
  test('PHN-1: the minimum phone app versions are those configured', async (t) => {
    const plain = await startCloud(t)
    const path = '/api/client/min-version'
    const instructionsOf = (await plain.request<Fields>('GET', path)).body
    const none = '0.0.0'
    assert.deepEqual(withoutTimestamp(instructionsOf), {
      success: true,
      data: { required: none, recommended: none },
    })
    const env = { PHONE_REQUIRED_VERSION: '2.1.16', PHONE_RECOMMENDED_VERSION: '2.2.7' }
    const strict = await startCloud(t, { env })
    const { data } = (await strict.request<Fields>('GET', path)).body
    assert.deepEqual(data, { required: '2.1.16', recommended: '2.2.7' })
  })

  test('PHN-3: the required and latest versions of the app SDK', async (t) => {
    const cloud = await startCloud(t)
    for (const path of ['/api/sdk/version', '/api/sdk/version/']) {
      const { required, latest } = (await cloud.request<{ data: Fields }>('GET', path)).body.data
      assert.equal(latest, manifest.devDependencies['@mentra/sdk'])
      assert.match(String(required), /^\d+\.\d+\.\d+$/)
    }
  })

  eitherDatabase((database) => {
    test('PHN-4: the permissions of a published app are public', async (t) => {
      const cloud = await startCloud(t, { database })
      const permissions = [
        { type: 'MICROPHONE' as const, description: 'to listen' },
        { type: 'CALENDAR' as const, description: '' },
      ]
      await cloud.registerApp({ packageName: 'some.app', permissions })
      await cloud.registerApp({ packageName: 'draft', permissions, appStoreStatus: 'DEVELOPMENT' })
      const request = (name: string) => cloud.request<Fields>('GET', `/api/public/permissions/${name}`)
      const { permissions: shown } = (await request('some.app')).body as { permissions: Fields[] }
      assert.deepEqual(
        shown.map(({ type }) => type),
        ['MICROPHONE', 'CALENDAR'],
      )
      for (const name of ['draft', 'nothing', '%00']) {
        const { status, body } = await request(name)
        assert.deepEqual([status, body], [404, { error: 'App not found' }], name)
      }
    })
  })
})

describe('the home screen of a phone', () => {
  eitherDatabase((database) => {
    test('PHN-10 PHN-11 PHN-12: installed apps, before, while and after one runs', async (t) => {
      const rig = await createCatalogueRig(t, { database })
      const { cloud } = rig
      const { app } = await serveApp(t, rig, 'some.app', {
        logoUrl: 'https://x.example.org/logo.png',
        webviewUrl: 'https://x.example.org',
        hardwareRequirements: [{ type: 'DISPLAY', level: 'REQUIRED' }],
        permissions: [{ type: 'MICROPHONE', description: 'to listen' }],
      })
      await rig.register('behind', { appType: 'BACKGROUND' })
      const me = await rig.signIn(email)
      const { get, post } = await signIn(cloud)
      const apps = async () => withoutTimestamp((await get('/api/client/apps')).body)
      const system = ((await apps()).data as Fields[]).map(({ packageName }) => packageName)
      for (const name of ['some.app', 'behind']) assert.ok(!system.includes(name))
      for (const name of ['some.app', 'behind']) await post(`/api/apps/install/${name}`)
      const entry = async (name: string) =>
        ((await apps()).data as Fields[]).find(({ packageName }) => packageName === name)
      const some = {
        packageName: 'some.app',
        name: app.name,
        webviewUrl: 'https://x.example.org',
        logoUrl: 'https://x.example.org/logo.png',
        type: 'standard',
        permissions: [{ type: 'MICROPHONE', description: 'to listen' }],
        running: false,
        healthy: true,
        hardwareRequirements: [{ type: 'DISPLAY', level: 'REQUIRED' }],
      }
      assert.deepEqual(await entry('some.app'), some)
      const { type, webviewUrl } = (await entry('behind')) ?? {}
      assert.deepEqual([type, webviewUrl], ['background', ''])

      await connectGlasses(t, rig, me)
      assert.equal((await post('/api/apps/some.app/start')).status, 200)
      assert.deepEqual(await entry('some.app'), { ...some, running: true })
      assert.equal((await entry('behind'))?.running, false)
      await post('/api/apps/some.app/stop')
      assert.equal((await entry('some.app'))?.running, false)
    })

    test('PHN-2 PHN-20: the session of a phone is counted, also after its goodbye', async (t) => {
      const rig = await createCatalogueRig(t, { database })
      const count = async () => {
        const { status, uptime, sessions } = (await rig.cloud.request<Fields>('GET', '/health')).body
        assert.equal(status, 'ok')
        assert.ok(Number(uptime) > 0)
        return (sessions as Fields).activeCount
      }
      assert.equal(await count(), 0)
      await connectGlasses(t, rig, await rig.signIn(email))
      assert.equal(await count(), 1)
      const { post } = await signIn(rig.cloud)
      assert.deepEqual(withoutTimestamp((await post('/api/client/goodbye')).body), { success: true })
      assert.equal(await count(), 1)
    })

    test('PHN-10: the list is empty without installed apps', async (t) => {
      const cloud = await startCloud(t, { database })
      await cloud.registerApp({ packageName: 'not.installed' })
      const { body } = await (await signIn(cloud)).get('/api/client/apps')
      assert.deepEqual(withoutTimestamp(body), { success: true, data: [] })
    })

    test('PHN-14 PHN-16: a server that is up, then down', async (t) => {
      const cloud = await startCloud(t, { database })
      // Any response counts as healthy: an app need not serve the path.
      const up = await startServer(t, (_, response) => response.writeHead(404).end())
      const gateway = await startServer(t, (_, response) => response.writeHead(502).end())
      await cloud.registerApp({ packageName: 'back.again', publicUrl: up.url })
      await cloud.registerApp({ packageName: 'behind.gateway', publicUrl: gateway.url })
      await cloud.registerApp({ packageName: 'never.reached', publicUrl: 'http://127.0.0.1:9' })
      await cloud.operator.apps.markUnreachable('back.again', Date.now())
      const { get, post } = await signIn(cloud)
      const expected = { 'back.again': true, 'behind.gateway': false, 'never.reached': false }
      for (const [packageName, success] of Object.entries(expected)) {
        await post(`/api/apps/install/${packageName}`)
        const { body } = await cloud.request<Fields>('POST', health, { body: { packageName } })
        assert.deepEqual(withoutTimestamp(body), { packageName, success, status: success ? 200 : 500 })
      }
      const { data } = (await get<{ data: Fields[] }>('/api/client/apps')).body
      assert.deepEqual(
        Object.fromEntries(data.map(({ packageName, healthy }) => [packageName, healthy])),
        expected,
      )
    })

    test('PHN-16: a server that accepts the request and does not respond is not healthy', async (t) => {
      const cloud = await startCloud(t, { database })
      const silent = await startServer(t, () => {})
      await cloud.registerApp({ packageName: 'silent.app', publicUrl: silent.url })
      const { body } = await cloud.request<Fields>('POST', health, { body: { packageName: 'silent.app' } })
      assert.equal(body.success, false)
    })

    test('PHN-17: checks within a few seconds share one request', async (t) => {
      let aheadMs = 0
      const clock = { ...systemClock, monotonicNow: () => systemClock.monotonicNow() + aheadMs }
      const cloud = await startCloud(t, { database, overrides: { clock } })
      let requests = 0
      const server = await startServer(t, (_, response) => {
        requests += 1
        response.end('{}')
      })
      await cloud.registerApp({ packageName: 'some.app', publicUrl: server.url })
      const check = () => cloud.request<Fields>('POST', health, { body: { packageName: 'some.app' } })
      const checks = await Promise.all(Array.from({ length: 20 }, check))
      assert.ok(checks.every(({ body }) => body.success === true))
      assert.equal(requests, 1)
      aheadMs = 3_000
      await check()
      assert.equal(requests, 2)
    })

    test('PHN-13 PHN-14 PHN-15: an app that the caller may not see counts as healthy', async (t) => {
      let clockAheadMs = 0
      const clock = { ...systemClock, now: () => Date.now() + clockAheadMs }
      const cloud = await startCloud(t, { database, overrides: { clock } })
      await cloud.registerApp({ packageName: 'some.app' })
      await cloud.registerApp({ packageName: 'draft', appStoreStatus: 'DEVELOPMENT' })
      const { get, post } = await signIn(cloud)
      await post('/api/apps/install/some.app')
      const healthy = async () =>
        (await get<{ data: Fields[] }>('/api/client/apps')).body.data.map(({ healthy }) => healthy)
      for (const packageName of ['draft', 'nothing', 'a\0b']) {
        const { body } = await cloud.request<Fields>('POST', health, { body: { packageName } })
        assert.deepEqual(withoutTimestamp(body), { packageName, success: true, status: 200 })
      }
      assert.deepEqual(await healthy(), [true])
      await cloud.operator.apps.markUnreachable('some.app', Date.now())
      assert.deepEqual(await healthy(), [false])
      clockAheadMs = 6 * 60_000
      assert.deepEqual(await healthy(), [true])
      for (const body of [undefined, {}, { packageName: '' }, { packageName: 5 }]) {
        const { status, body: completed } = await post(health, body)
        assert.deepEqual([status, completed], [400, { error: 'Package name is required' }])
      }
    })
  })

  test('PHN-21: the response to a phone that asks for LiveKit', async (t) => {
    const { get } = await signIn(await startCloud(t))
    const { status, body } = await get('/api/client/livekit/token')
    assert.equal(status, 404)
    assert.match(String(body.error), /audio over the glasses socket/)
  })
})
