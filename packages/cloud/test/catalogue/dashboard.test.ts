import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  assertRejected,
  type CatalogueRig,
  createCatalogueRig,
  dataOf,
  entryOf,
  type Fields,
  names,
} from '../support/catalogue-rig.ts'
import { connectGlasses, serveApp, stateIn } from '../support/lifecycle-fixtures.ts'

const DASHBOARD = 'system.augmentos.dashboard'

/** Registers the dashboard as its developer would: without a type, and not published. */
const serveDashboard = (t: Parameters<typeof serveApp>[0], rig: CatalogueRig) =>
  serveApp(t, rig, DASHBOARD, { name: 'Dashboard', appStoreStatus: 'DEVELOPMENT' })

describe('system dashboard', () => {
  test('DASH-12 DASH-14: it starts in every session by itself, beside the main app', async (t) => {
    const rig = await createCatalogueRig(t)
    const { server } = await serveDashboard(t, rig)
    const main = await serveApp(t, rig, 'main.app')
    for (const email of ['one@example.org', 'two@example.org']) {
      const me = await rig.signIn(email)
      const glasses = await connectGlasses(t, rig, me)
      await glasses.waitForMessage('app_started', ({ packageName }) => packageName === DASHBOARD)
      const { activeApps } = stateIn(await me.post('/api/apps/main.app/start'), 'started', 'main.app')
      assert.deepEqual(activeApps, [DASHBOARD, 'main.app'])
    }
    const starts = ({ calls }: typeof server) =>
      calls.filter(({ type }) => type === 'session_request').map(({ userId }) => userId)
    assert.deepEqual(starts(server), ['one@example.org', 'two@example.org'])
    assert.deepEqual(starts(main.server), ['one@example.org', 'two@example.org'])
    assert.ok(!server.calls.some(({ type }) => type === 'stop_request'))
  })

  test('DASH-12: it is restarted like any app', async (t) => {
    const rig = await createCatalogueRig(t, { timing: { appReconnectGraceMs: 50 } })
    const { server } = await serveDashboard(t, rig)
    const me = await rig.signIn('me@example.org')
    const glasses = await connectGlasses(t, rig, me)
    await glasses.waitForMessage('app_started', ({ packageName }) => packageName === DASHBOARD)
    server.dropSockets()
    await server.called('session_request', 2)
  })

  test('DASH-13: it is installed for everyone and not among the apps a user starts', async (t) => {
    const rig = await createCatalogueRig(t)
    const { app } = await serveDashboard(t, rig)
    await rig.register('other.app', { name: 'Dashboard too' })
    const me = await rig.signIn('me@example.org')
    assertRejected(
      await me.post(`/api/apps/uninstall/${DASHBOARD}`),
      403,
      'System apps cannot be uninstalled',
    )
    assertRejected(await me.post(`/api/apps/install/${DASHBOARD}`), 400, 'App is already installed')
    const details = dataOf(await me.get(`/api/apps/${DASHBOARD}`))
    assert.deepEqual([details._id, details.uninstallable], [app.id, false])
    assert.equal(entryOf(await me.get('/api/apps/installed'), DASHBOARD).uninstallable, false)
    const applets = await rig.cloud.request<{ data: Fields[] }>('GET', '/api/client/apps', {
      token: me.token,
    })
    assert.deepEqual(applets.body.data, [])
    await rig.apps.register(
      { packageName: DASHBOARD, name: 'Dashboard', publicUrl: app.publicUrl, appStoreStatus: 'PUBLISHED' },
      Date.now(),
    )
    for (const path of ['', '/public', '/available', '/search?q=dashboard'])
      assert.deepEqual(names(await me.get(`/api/apps${path}`)), ['other.app'], path)
  })
})
