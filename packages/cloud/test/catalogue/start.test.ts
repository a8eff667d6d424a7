import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  assertRejected,
  createCatalogueRig,
  type Fields,
  names,
  trustedPackage,
} from '../support/catalogue-rig.ts'
import { connectGlasses, flushMessages, serveApp, stateIn } from '../support/lifecycle-fixtures.ts'

/** A short start timeout, so that failing starts do not slow the tests down. */
const timing = { appStartTimeoutMs: 1_000 }

describe('starting and stopping', () => {
  test('LIFE-20 LIFE-30 LIFE-40: starting and stopping an app twice has the effect of once', async (t) => {
    const rig = await createCatalogueRig(t)
    const { server } = await serveApp(t, rig, 'some-app.example')
    const me = await rig.signIn('first-last@example.org')
    const glasses = await connectGlasses(t, rig, me)
    await me.post('/api/apps/install/some-app.example')
    const { sessionId } = await glasses.connect()
    const before = Date.now()

    const started = stateIn(await me.post('/api/apps/some-app.example/start'), 'started', 'some-app.example')
    const { apps, revision, ...state } = started
    assert.deepEqual(state, {
      sessionId,
      userId: 'first-last@example.org',
      activeApps: ['some-app.example'],
      loadingApps: [],
    })
    assert.ok(Array.isArray(apps))
    const [{ since, ...app }] = apps
    assert.deepEqual(app, { packageName: 'some-app.example', state: 'running' })
    assert.ok(Date.parse(since) >= before && Date.parse(since) <= Date.now())
    await glasses.waitForMessage('app_started', ({ packageName }) => packageName === 'some-app.example')

    const again = await me.post('/api/apps/some-app.example/start')
    assert.deepEqual(stateIn(again, 'started', 'some-app.example'), started)
    assert.equal(server.calls.length, 1)

    const stopped = stateIn(await me.post('/api/apps/some-app.example/stop'), 'stopped', 'some-app.example')
    assert.deepEqual(stopped.activeApps, [])
    assert.ok(Number(stopped.revision) > Number(revision))
    await glasses.waitForMessage('app_stopped', ({ packageName }) => packageName === 'some-app.example')
    await server.called('stop_request')
    const once = await me.post('/api/apps/some-app.example/stop')
    assert.deepEqual(stateIn(once, 'stopped', 'some-app.example').activeApps, [])
  })

  test('LIFE-21 LIFE-31: caller, live session and app are checked in this order', async (t) => {
    const rig = await createCatalogueRig(t)
    await rig.register('some.app', { hardwareRequirements: [{ type: 'CAMERA', level: 'REQUIRED' }] })
    await rig.register('draft', {
      appStoreStatus: 'DEVELOPMENT',
      developerId: 'other@example.org',
      hardwareRequirements: [{ type: 'CAMERA', level: 'REQUIRED' }],
    })
    const me = await rig.signIn('me@example.org')
    for (const action of ['start', 'stop']) {
      assertRejected(await rig.anonymous.post(`/api/apps/missing/${action}`), 401, 'Unauthorized')
      assertRejected(await me.post(`/api/apps/missing/${action}`), 401, 'No active session found')
      assertRejected(await me.post(`/api/apps/some.app/${action}`), 401, 'No active session found')
    }
    await connectGlasses(t, rig, me)
    for (const action of ['start', 'stop'])
      for (const name of ['missing', 'draft', 'a%00b'])
        assertRejected(await me.post(`/api/apps/${name}/${action}`), 404, 'App not found')
    assertRejected(
      await me.post('/api/apps/some.app/start'),
      400,
      'The connected glasses lack the required camera',
    )
  })

  test('LIFE-22: glasses without the required display', async (t) => {
    const rig = await createCatalogueRig(t)
    const { server } = await serveApp(t, rig, 'camera.app', {
      hardwareRequirements: [
        { type: 'CAMERA', level: 'REQUIRED' },
        { type: 'WIFI', level: 'REQUIRED' },
        { type: 'LIGHT', level: 'OPTIONAL' },
      ],
    })
    const me = await rig.signIn('me@example.org')
    const glasses = await connectGlasses(t, rig, me, 'Even Realities G1')
    assertRejected(
      await me.post('/api/apps/camera.app/start'),
      400,
      'The connected glasses lack required hardware: camera, wifi',
    )
    assert.deepEqual(
      server.calls.map(({ type }) => type).filter((type) => type === 'session_request'),
      [],
    )
    glasses.putOn('Mentra Live')
    await flushMessages(glasses)
    stateIn(await me.post('/api/apps/camera.app/start'), 'started', 'camera.app')
  })

  test('LIFE-23: a failed start reports its stage, code and whether to retry', async (t) => {
    const rig = await createCatalogueRig(t, { timing })
    const { server } = await serveApp(t, rig, 'some.app')
    const me = await rig.signIn('me@example.org')
    await connectGlasses(t, rig, me)
    const { apiKey } = server
    const failure = async () => {
      const { status, body } = await me.post('/api/apps/some.app/start')
      const { error, ...rest } = body
      assert.deepEqual(
        { status, rest },
        { status: 500, rest: { success: false, message: 'Error starting app' } },
      )
      return error
    }
    server.behavior = 500
    assert.deepEqual(await failure(), { stage: 'WEBHOOK', code: 'REFUSED_500', retryable: true })
    server.behavior = 400
    assert.deepEqual(await failure(), { stage: 'WEBHOOK', code: 'REFUSED_400', retryable: false })
    server.behavior = 'silent'
    const { stage, ...late } = (await failure()) as Fields
    assert.deepEqual(late, { code: 'TIMEOUT', retryable: true })
    assert.match(String(stage), /^(WEBHOOK|TIMEOUT)$/)
    server.behavior = 'never-connect'
    assert.deepEqual(await failure(), { stage: 'CONNECTION', code: 'NO_CONNECTION', retryable: true })
    server.behavior = 'connect'
    server.apiKey = `${apiKey}x`
    assert.deepEqual(await failure(), {
      stage: 'AUTHENTICATION',
      code: 'INVALID_API_KEY',
      retryable: false,
    })
    server.apiKey = apiKey
    stateIn(await me.post('/api/apps/some.app/start'), 'started', 'some.app')
  })

  test('LIFE-24: starting an app that is not installed does not install it', async (t) => {
    const rig = await createCatalogueRig(t)
    await serveApp(t, rig, 'some.app')
    const me = await rig.signIn('me@example.org')
    await connectGlasses(t, rig, me)
    stateIn(await me.post('/api/apps/some.app/start'), 'started', 'some.app')
    assert.deepEqual(names(await me.get('/api/apps/installed')), [])
    assertRejected(await me.post('/api/apps/uninstall/some.app'), 400, 'App is not installed')
  })

  test('LIFE-21 LIFE-25 LIFE-34: a trusted package may start an app for the user it names, not stop it', async (t) => {
    const rig = await createCatalogueRig(t)
    await serveApp(t, rig, 'some.app')
    const apiKey = await rig.keyOf(await rig.register(trustedPackage))
    const me = await rig.signIn('me@example.org')
    const query = new URLSearchParams({ apiKey, packageName: trustedPackage, userId: 'ME@example.org' })
    const start = `/api/apps/some.app/start?${query}`
    assertRejected(await rig.anonymous.post(start), 401, 'No active session found')
    await connectGlasses(t, rig, me)
    const state = stateIn(await rig.anonymous.post(start), 'started', 'some.app')
    assert.equal(state.userId, 'me@example.org')
    assertRejected(await rig.anonymous.post(`/api/apps/some.app/stop?${query}`), 401, 'Unauthorized')
    assert.deepEqual(stateIn(await rig.anonymous.post(start), 'started', 'some.app').activeApps, ['some.app'])
  })

  test('LIFE-26: the glasses start only apps visible to their user', async (t) => {
    const rig = await createCatalogueRig(t)
    const { server } = await serveApp(t, rig, 'draft', {
      appStoreStatus: 'DEVELOPMENT',
      developerId: 'maker@example.org',
    })
    const stranger = await connectGlasses(t, rig, await rig.signIn('me@example.org'))
    stranger.send({ type: 'start_app', packageName: 'draft' })
    await stranger.waitForMessage('app_stopped', ({ packageName }) => packageName === 'draft')
    assert.deepEqual(server.calls, [])
    const maker = await connectGlasses(t, rig, await rig.signIn('maker@example.org'))
    maker.send({ type: 'start_app', packageName: 'draft' })
    await maker.waitForMessage('app_started', ({ packageName }) => packageName === 'draft')
  })

  test('LIFE-32: a running app that is no longer published can be stopped', async (t) => {
    const rig = await createCatalogueRig(t)
    await serveApp(t, rig, 'some.app')
    const me = await rig.signIn('me@example.org')
    await connectGlasses(t, rig, me)
    stateIn(await me.post('/api/apps/some.app/start'), 'started', 'some.app')
    await rig.register('some.app', { appStoreStatus: 'REJECTED' })
    assertRejected(await me.post('/api/apps/some.app/start'), 404, 'App not found')
    stateIn(await me.post('/api/apps/some.app/stop'), 'stopped', 'some.app')
  })

  test('LIFE-33: a stop that cannot be stored returns 500', async (t) => {
    const rig = await createCatalogueRig(t)
    await serveApp(t, rig, 'some.app')
    const me = await rig.signIn('me@example.org')
    await connectGlasses(t, rig, me)
    stateIn(await me.post('/api/apps/some.app/start'), 'started', 'some.app')
    await rig.db.schema.dropTable('running_apps').execute()
    assertRejected(await me.post('/api/apps/some.app/stop'), 500, 'Error stopping app')
  })

  test('LIFE-42: starts and stops of one user do not affect another', async (t) => {
    const rig = await createCatalogueRig(t)
    await serveApp(t, rig, 'some.app')
    const me = await rig.signIn('me@example.org')
    const other = await rig.signIn('other@example.org')
    await connectGlasses(t, rig, me)
    await connectGlasses(t, rig, other)
    stateIn(await me.post('/api/apps/some.app/start'), 'started', 'some.app')
    const theirs = stateIn(await other.post('/api/apps/some.app/stop'), 'stopped', 'some.app')
    assert.deepEqual(theirs.apps, [])
    assert.deepEqual(stateIn(await me.post('/api/apps/some.app/start'), 'started', 'some.app').activeApps, [
      'some.app',
    ])
  })
})
