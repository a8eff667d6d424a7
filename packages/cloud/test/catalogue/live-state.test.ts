import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { systemClock } from '../../src/time/index.ts'
import { assertRejected, createCatalogueRig, entryOf, names } from '../support/catalogue-rig.ts'
import { connectGlasses, flushMessages, serveApp, stateIn } from '../support/lifecycle-fixtures.ts'

const camera = { hardwareRequirements: [{ type: 'CAMERA', level: 'REQUIRED' } as const] }
const noCamera = {
  isCompatible: false,
  missingRequired: [{ type: 'CAMERA' }],
  missingOptional: [],
  message: 'The connected glasses lack the required camera',
}

describe('catalogue of a user with a live session', () => {
  test('CAT-17 CAT-18: lists show is_running and lastActiveAt of installed apps', async (t) => {
    const rig = await createCatalogueRig(t)
    await serveApp(t, rig, 'some.app')
    await serveApp(t, rig, 'other.app')
    const me = await rig.signIn('me@example.org')
    const other = await rig.signIn('other@example.org')
    const glasses = await connectGlasses(t, rig, me)
    for (const name of ['some.app', 'other.app']) await me.post(`/api/apps/install/${name}`)
    const seen = async (wearer = me) => entryOf(await wearer.get('/api/apps'), 'some.app')
    assert.equal((await seen()).is_running, false)
    assert.equal((await seen()).lastActiveAt, undefined)

    const before = Date.now()
    stateIn(await me.post('/api/apps/some.app/start'), 'started', 'some.app')
    const running = await seen()
    assert.equal(running.is_running, true)
    const startedAt = Date.parse(String(running.lastActiveAt))
    assert.ok(startedAt >= before && startedAt <= Date.now())
    assert.equal((await seen(other)).is_running, false)
    assert.equal(entryOf(await me.get('/api/apps'), 'other.app').is_running, false)

    await me.post('/api/apps/some.app/stop')
    const stopped = await seen()
    assert.equal(stopped.is_running, false)
    const stoppedAt = Date.parse(String(stopped.lastActiveAt))
    assert.ok(stoppedAt >= startedAt && stoppedAt <= Date.now())
    await me.post('/api/apps/some.app/stop')
    assert.equal((await seen()).lastActiveAt, stopped.lastActiveAt)

    await me.post('/api/apps/uninstall/some.app')
    assert.equal((await seen()).lastActiveAt, stopped.lastActiveAt)
    assert.equal((await seen(other)).lastActiveAt, undefined)
    await glasses.disconnect()
  })

  test('CAT-18: system apps and apps that are not installed have lastActiveAt', async (t) => {
    const rig = await createCatalogueRig(t)
    const me = await rig.signIn('me@example.org')
    await connectGlasses(t, rig, me)
    for (const name of ['system.one', 'not.installed']) {
      await serveApp(t, rig, name)
      const lastActiveAt = async () =>
        Date.parse(String(entryOf(await me.get('/api/apps'), name).lastActiveAt))
      const before = Date.now()
      stateIn(await me.post(`/api/apps/${name}/start`), 'started', name)
      const startedAt = await lastActiveAt()
      assert.ok(startedAt >= before && startedAt <= Date.now())
      await me.post(`/api/apps/${name}/stop`)
      assert.ok((await lastActiveAt()) >= startedAt)
    }
  })

  test('CAT-19 CAT-22: compatibility follows the connected glasses and filters the public list', async (t) => {
    const rig = await createCatalogueRig(t)
    const app = await rig.register('camera.app', camera)
    await rig.register('plain.app')
    const me = await rig.signIn('me@example.org')
    await rig.installs.install(me.user.id, app.id, Date.now())
    const compatibilityIn = async (path: string) => entryOf(await me.get(path), 'camera.app').compatibility
    const all = ['camera.app', 'plain.app']
    assert.deepEqual(names(await me.get('/api/apps/public')), all)

    const glasses = await connectGlasses(t, rig, me, 'Even Realities G1')
    for (const path of ['/api/apps', '/api/apps/installed'])
      assert.deepEqual(await compatibilityIn(path), noCamera)
    assert.deepEqual(names(await me.get('/api/apps/public')), ['plain.app'])
    assert.deepEqual(names(await rig.anonymous.get('/api/apps/public')), all)

    glasses.putOn('Mentra Live')
    await flushMessages(glasses)
    for (const path of ['/api/apps', '/api/apps/installed'])
      assert.deepEqual(await compatibilityIn(path), {
        isCompatible: true,
        missingRequired: [],
        missingOptional: [],
        message: 'Works fully with the connected glasses',
      })
    assert.deepEqual(names(await me.get('/api/apps/public')), all)
  })

  test('CAT-22 CAT-66 LIFE-22: an app that requires a newer version', async (t) => {
    const rig = await createCatalogueRig(t)
    await serveApp(t, rig, 'new.app', { minHardwareVersion: '2.0.0' })
    await rig.register('plain.app')
    const me = await rig.signIn('me@example.org')
    const glasses = await connectGlasses(t, rig, me, 'Mentra Live')
    const report = (fwVersion: string) => me.post('/api/client/device/state', { body: { fwVersion } })
    const seen = async () => {
      const { compatibility } = entryOf(await me.get('/api/apps'), 'new.app')
      return { compatibility, listed: names(await me.get('/api/apps/public')) }
    }
    const lists = { missingRequired: [], missingOptional: [] }
    const full = 'Works fully with the connected glasses'
    const notCompared = `${full}. Their version could not be compared with 2.0.0`
    const all = ['new.app', 'plain.app']
    assert.deepEqual(await seen(), {
      compatibility: { ...lists, isCompatible: true, message: notCompared },
      listed: all,
    })

    await report('1.9.0')
    const message = 'The connected glasses have version 1.9.0, and the app requires 2.0.0'
    assert.deepEqual(await seen(), {
      compatibility: { ...lists, isCompatible: false, message },
      listed: ['plain.app'],
    })
    assertRejected(await me.post('/api/apps/new.app/start'), 400, message)

    await report('2.0.1')
    assert.deepEqual(await seen(), {
      compatibility: { ...lists, isCompatible: true, message: full },
      listed: all,
    })
    stateIn(await me.post('/api/apps/new.app/start'), 'started', 'new.app')
    await glasses.disconnect()
  })

  test('CAT-19 CAT-22: glasses of an unknown model change neither compatibility nor the public list', async (t) => {
    const rig = await createCatalogueRig(t)
    await rig.register('camera.app', camera)
    const me = await rig.signIn('me@example.org')
    await connectGlasses(t, rig, me, 'Glasses of Tomorrow')
    const { compatibility } = entryOf(await me.get('/api/apps'), 'camera.app')
    assert.match(JSON.stringify(compatibility), /"isCompatible":true.*could not be checked/)
    assert.deepEqual(names(await me.get('/api/apps/public')), ['camera.app'])
  })

  test('CAT-11 CAT-22: pages of the public list are full although incompatible apps are filtered out', async (t) => {
    const rig = await createCatalogueRig(t)
    for (let number = 0; number < 12; number++)
      await rig.register(`app.${String(number).padStart(2, '0')}`, number % 4 === 3 ? {} : camera)
    const me = await rig.signIn('me@example.org')
    await connectGlasses(t, rig, me, 'Vuzix Z100')
    const first = await me.get('/api/apps/public?limit=2')
    assert.deepEqual(names(first), ['app.03', 'app.07'])
    const second = await me.get(/<([^>]+)>/.exec(first.headers.get('link') ?? '')?.[1] ?? '')
    assert.deepEqual(names(second), ['app.11'])
    assert.equal(second.headers.get('link'), null)
  })

  test('CAT-27: an app whose server is known to be down is not in the available list', async (t) => {
    let clockAheadMs = 0
    const clock = { ...systemClock, now: () => Date.now() + clockAheadMs }
    const rig = await createCatalogueRig(t, { clock })
    const { server } = await serveApp(t, rig, 'some.app')
    await serveApp(t, rig, 'other.app')
    const me = await rig.signIn('me@example.org')
    await connectGlasses(t, rig, me)
    const available = async () => names(await rig.anonymous.get('/api/apps/available'))
    // A start returns once the app's socket is connected; the server's health is recorded after the webhook returns.
    const waitForAvailable = async (expected: string[]) => {
      const deadline = Date.now() + 20_000
      let seen = await available()
      while (seen.join() !== expected.join() && Date.now() < deadline) seen = await available()
      assert.deepEqual(seen, expected)
    }
    const start = async (behavior: typeof server.behavior) => {
      server.behavior = behavior
      return (await me.post('/api/apps/some.app/start')).status
    }
    assert.equal(await start(500), 500)
    assert.deepEqual(await available(), ['other.app', 'some.app'])
    assert.equal(await start(503), 500)
    await waitForAvailable(['other.app'])
    assert.deepEqual(names(await rig.anonymous.get('/api/apps/public')), ['other.app', 'some.app'])

    clockAheadMs += 4 * 60_000
    assert.equal(await start(502), 500)
    clockAheadMs += 4 * 60_000
    assert.deepEqual(await available(), ['other.app'], 'the five minutes count from the latest failure')
    assert.equal(await start('connect'), 200)
    await waitForAvailable(['other.app', 'some.app'])

    await me.post('/api/apps/some.app/stop')
    assert.equal(await start(504), 500)
    await waitForAvailable(['other.app'])
    clockAheadMs += 5 * 60_000
    assert.deepEqual(await available(), ['other.app', 'some.app'])

    await rig.register('gone.app', { publicUrl: 'http://127.0.0.1:9' })
    assert.equal((await me.post('/api/apps/gone.app/start')).status, 500)
    assert.deepEqual(await available(), ['other.app', 'some.app'])
  })
})
