import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { eitherDatabase } from '../../src/db/testing.ts'
import { assertRejected, createCatalogueRig, names, systemPackages } from '../support/catalogue-rig.ts'
import { connectGlasses, serveApp } from '../support/lifecycle-fixtures.ts'

describe('installing and uninstalling', () => {
  eitherDatabase((database) => {
    test('LIFE-1 LIFE-10 LIFE-12: an app is installed and uninstalled', async (t) => {
      const { register, signIn } = await createCatalogueRig(t, { database })
      await register('some.app')
      const me = await signIn('me@example.org')
      const installed = async () => names(await me.get('/api/apps/installed'))
      assertRejected(await me.post('/api/apps/uninstall/some.app'), 400, 'App is not installed')

      const install = await me.post('/api/apps/install/some.app')
      assert.equal(install.status, 200)
      assert.deepEqual(install.body, { success: true, message: 'App some.app installed successfully' })
      assert.deepEqual(await installed(), ['some.app'])
      assertRejected(await me.post('/api/apps/install/some.app'), 400, 'App is already installed')
      assert.deepEqual(await installed(), ['some.app'])

      const uninstall = await me.post('/api/apps/uninstall/some.app')
      assert.equal(uninstall.status, 200)
      assert.deepEqual(uninstall.body, { success: true, message: 'App some.app uninstalled successfully' })
      assert.deepEqual(await installed(), [])
      assertRejected(await me.post('/api/apps/uninstall/some.app'), 400, 'App is not installed')
    })

    test('LIFE-2 LIFE-12: an unknown or invisible app returns 404', async (t) => {
      const { register, signIn } = await createCatalogueRig(t, { database })
      await register('draft', { appStoreStatus: 'DEVELOPMENT', developerId: 'maker@example.org' })
      const me = await signIn('me@example.org')
      for (const name of ['missing', 'draft']) {
        assertRejected(await me.post(`/api/apps/install/${name}`), 404, 'App not found')
        assertRejected(await me.post(`/api/apps/uninstall/${name}`), 404, 'App is not installed')
      }
      const maker = await signIn('maker@example.org')
      assert.equal((await maker.post('/api/apps/install/draft')).status, 200)
    })

    test('LIFE-10: an app that is no longer published can be uninstalled but not installed again', async (t) => {
      const { register, signIn } = await createCatalogueRig(t, { database })
      await register('some.app')
      const me = await signIn('me@example.org')
      await me.post('/api/apps/install/some.app')
      await register('some.app', { appStoreStatus: 'REJECTED' })
      assert.equal((await me.post('/api/apps/uninstall/some.app')).status, 200)
      assertRejected(await me.post('/api/apps/install/some.app'), 404, 'App not found')
    })

    test('LIFE-2 LIFE-11: system apps are installed and cannot be uninstalled', async (t) => {
      const { register, signIn } = await createCatalogueRig(t, { database })
      await register('system.one')
      const me = await signIn('me@example.org')
      for (const name of systemPackages)
        assertRejected(await me.post(`/api/apps/uninstall/${name}`), 403, 'System apps cannot be uninstalled')
      assertRejected(await me.post('/api/apps/install/system.one'), 400, 'App is already installed')
      assertRejected(await me.post('/api/apps/install/system-two'), 404, 'App not found')
      assert.deepEqual(names(await me.get('/api/apps/installed')), ['system.one'])
    })

    test('LIFE-3 LIFE-14: of concurrent requests exactly one succeeds', async (t) => {
      const { register, signIn } = await createCatalogueRig(t, { database })
      await register('some.app')
      const me = await signIn('me@example.org')
      for (const [path, message] of [
        ['/api/apps/install/some.app', 'App is already installed'],
        ['/api/apps/uninstall/some.app', 'App is not installed'],
      ] as const) {
        const responses = await Promise.all(Array.from({ length: 8 }, () => me.post(path)))
        const losers = responses.filter(({ status }) => status !== 200)
        assert.equal(losers.length, 7)
        for (const loser of losers) assertRejected(loser, 400, message)
      }
    })

    test('LIFE-42: an install affects one user only', async (t) => {
      const { register, signIn } = await createCatalogueRig(t, { database })
      await register('some.app')
      const me = await signIn('me@example.org')
      const other = await signIn('other@example.org')
      await me.post('/api/apps/install/some.app')
      assert.deepEqual(names(await other.get('/api/apps/installed')), [])
      assertRejected(await other.post('/api/apps/uninstall/some.app'), 400, 'App is not installed')
      assert.deepEqual(names(await me.get('/api/apps/installed')), ['some.app'])
    })

    test('LIFE-34: the API-key query at four endpoints', async (t) => {
      const rig = await createCatalogueRig(t, { database })
      const me = await rig.signIn('me@example.org')
      const key = await rig.keyOf(await rig.register('trusted.assistant'))
      const glasses = await rig.cloud.token('me@example.org', { scope: 'glasses' })
      const query = new URLSearchParams({
        apiKey: key,
        packageName: 'trusted.assistant',
        userId: me.user.email,
      })
      for (const [method, path] of [
        ['POST', '/api/apps/install/trusted.assistant'],
        ['POST', '/api/apps/uninstall/trusted.assistant'],
        ['POST', '/api/apps/trusted.assistant/stop'],
        ['GET', '/api/apps/installed'],
      ] as const)
        for (const token of [undefined, 'nonsense', glasses])
          assertRejected(await rig.cloud.request(method, `${path}?${query}`, { token }), 401, 'Unauthorized')
      assert.deepEqual(names(await me.get('/api/apps/installed')), [])
    })

    test('LIFE-1 LIFE-41: an empty JSON body is accepted, and package names are case-sensitive', async (t) => {
      const { register, signIn } = await createCatalogueRig(t, { database })
      const validNames = ['a-b.c_d', '0', 'A.b', `x${'-'.repeat(150)}x`]
      const me = await signIn('first-last@my-company.example')
      for (const name of validNames) await register(name)
      for (const name of validNames) {
        const headers = { 'content-type': 'application/json' }
        assert.equal((await me.post(`/api/apps/install/${name}`, { headers })).status, 200)
        assert.equal((await me.post(`/apps/uninstall/${name}`, { body: {} })).status, 200)
        assert.equal((await me.post(`/apps/install/${name}/`)).status, 200)
      }
      assert.deepEqual(names(await me.get('/api/apps/installed')), validNames.toSorted())
    })

    test('LIFE-4 LIFE-5: missing hardware, with a live session', async (t) => {
      const rig = await createCatalogueRig(t, { database })
      await rig.register('camera.app', { hardwareRequirements: [{ type: 'CAMERA', level: 'REQUIRED' }] })
      const me = await rig.signIn('me@example.org')
      const glasses = await connectGlasses(t, rig, me)
      const before = glasses.messages('app_state_change').length
      assert.equal((await me.post('/api/apps/install/camera.app')).status, 200)
      await glasses.waitForMessage(
        'app_state_change',
        () => glasses.messages('app_state_change').length > before,
      )
      const between = glasses.messages('app_state_change').length
      assert.equal((await me.post('/api/apps/uninstall/camera.app')).status, 200)
      await glasses.waitForMessage(
        'app_state_change',
        () => glasses.messages('app_state_change').length > between,
      )
    })

    test('LIFE-13: a running app is stopped before it is uninstalled', async (t) => {
      const rig = await createCatalogueRig(t, { database })
      const { server } = await serveApp(t, rig, 'some.app')
      const me = await rig.signIn('me@example.org')
      const glasses = await connectGlasses(t, rig, me)
      await me.post('/api/apps/install/some.app')
      assert.equal((await me.post('/api/apps/some.app/start')).status, 200)
      assert.equal((await me.post('/api/apps/uninstall/some.app')).status, 200)
      await glasses.waitForMessage('app_stopped', ({ packageName }) => packageName === 'some.app')
      const session = await rig.cloud.cloud.sessions.find(me.user.id)
      assert.deepEqual((await session?.appState())?.activeApps, [])
      assert.equal((await server.called('stop_request')).reason, 'user_disabled')
    })

    test('LIFE-13: an app that cannot be stopped remains installed', async (t) => {
      const rig = await createCatalogueRig(t, { database })
      await serveApp(t, rig, 'some.app')
      const me = await rig.signIn('me@example.org')
      await connectGlasses(t, rig, me)
      await me.post('/api/apps/install/some.app')
      assert.equal((await me.post('/api/apps/some.app/start')).status, 200)
      await rig.db.schema.dropTable('running_apps').execute()
      assertRejected(await me.post('/api/apps/uninstall/some.app'), 500, 'Internal server error')
      assert.deepEqual(names(await me.get('/api/apps/installed')), ['some.app'])
    })
  })
})
