import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { eitherDatabase } from '../../src/db/testing.ts'
import { developApp, Wearer } from '../support/permission-rig.ts'
import { suiteScope } from '../support/scope.ts'
import { type LocalCloud, startCloud } from '../support/test-cloud.ts'
import { waitFor } from '../support/wait-for.ts'

const EN = 'transcription:en-US'

eitherDatabase((database) => {
  describe('accepted permissions', () => {
    const scope = suiteScope()
    let cloud: LocalCloud

    before(async () => {
      cloud = await startCloud(scope, { database, env: { API_KEY_PACKAGES: 'org.example.assistant' } })
    })

    test('PRM-23 PRM-24 PRM-25: a permission that is added is asked for and applies from then on', async (t) => {
      const app = await developApp(t, cloud)
      const wearer = await Wearer.connect(t, cloud, 'ada@example.com')
      await wearer.install(app)
      const started = await wearer.start(app)
      await started.subscribe(EN, 'location_update', 'calendar_event')
      const { developer, packageName } = app
      const permissions = ['MICROPHONE', 'LOCATION', 'CALENDAR'].map((type) => ({ type }))
      assert.equal((await developer.call('PATCH', `/apps/${packageName}`, { permissions })).status, 200)
      const report = (eventId: string, lat: number) => {
        wearer.glasses.send({ type: 'location_update', lat, lng: 1 })
        const dtStart = new Date(Date.now() + 3_600_000).toISOString()
        wearer.glasses.send({ type: 'calendar_event', eventId, title: eventId, dtStart, dtEnd: dtStart })
      }
      report('before', 1)
      await wearer.speak('A secret')
      const expected = ['MICROPHONE', 'LOCATION', 'CALENDAR']
      assert.deepEqual(await wearer.newPermissions(app), expected)
      assert.equal(await started.transcript(), 403)
      const path = `/api/apps/${packageName}`
      for (const listed of [path, '/api/apps/installed']) {
        const { body } = await cloud.request<{ data: unknown }>('GET', listed, { token: wearer.token })
        const apps = [body.data].flat() as { newPermissions?: { type: string }[]; packageName: string }[]
        const found = apps.find((one) => one.packageName === packageName)
        assert.deepEqual(
          found?.newPermissions?.map(({ type }) => type),
          expected,
          listed,
        )
      }

      assert.equal(await wearer.accept(app, ['MICROPHONE', 'CAMERA']), 400)
      assert.equal(await wearer.accept(app, []), 400)
      assert.equal(await started.transcript(), 403)
      assert.equal(await wearer.accept(app, expected), 200)
      assert.equal(await wearer.accept(app, ['MICROPHONE']), 200)
      assert.equal(await wearer.newPermissions(app), undefined)
      await wearer.speak('In the open')
      report('after', 2)
      await wearer.flush()
      await started.flush()
      assert.deepEqual(
        started.received(EN).map(({ text }) => text),
        ['In the open'],
      )
      assert.deepEqual(await started.transcript(), ['In the open'])
      assert.deepEqual(
        started.received('location_update').map(({ lat }) => lat),
        [2],
      )
      assert.deepEqual(
        started.received('calendar_event').map(({ title }) => title),
        ['after'],
      )

      await wearer.stop(app)
      const again = await wearer.start(app)
      await again.subscribe(EN, 'location_update', 'calendar_event')
      assert.deepEqual(await again.transcript(), ['In the open'])
      assert.deepEqual(
        again.received('calendar_event').map(({ title }) => title),
        ['after'],
      )
    })

    test('PRM-25: an utterance that began before the acceptance', async (t) => {
      const app = await developApp(t, cloud)
      const wearer = await Wearer.connect(t, cloud, 'bert@example.com')
      await wearer.install(app)
      const started = await wearer.start(app)
      await started.subscribe(EN)
      await app.developer.call('PATCH', `/apps/${app.packageName}`, { permissions: [{ type: 'MICROPHONE' }] })
      wearer.glasses.send({ type: 'local_transcription', text: 'My PIN is', isFinal: false })
      await wearer.flush()
      assert.equal(await wearer.accept(app, ['MICROPHONE']), 200)
      await wearer.speak('My PIN is 1234')
      await wearer.speak('What is for dinner?')
      await started.flush()
      assert.deepEqual(
        started.received(EN).map(({ text }) => text),
        ['What is for dinner?'],
      )
      assert.deepEqual(await started.transcript(), ['What is for dinner?'])
    })

    test('PRM-23: installation and the first start accept what the app declares, also the developer', async (t) => {
      const permissions = [{ type: 'MICROPHONE' }]
      const app = await developApp(t, cloud, { permissions })
      const email = app.developer.email
      for (const user of ['carl@example.com', email]) {
        const wearer = await Wearer.connect(t, cloud, user)
        const started = await wearer.start(app)
        await started.subscribe(EN)
        await wearer.speak(`Hello from ${user}`)
        assert.deepEqual(await started.transcript(), [`Hello from ${user}`])
        assert.equal(await wearer.newPermissions(app), undefined)
        const more = [...permissions, { type: user === email ? 'CALENDAR' : 'LOCATION' }]
        await app.developer.call('PATCH', `/apps/${app.packageName}`, { permissions: more })
        assert.deepEqual(await wearer.newPermissions(app), [more[1]?.type])
        if (user === email) continue
        await wearer.install(app)
        assert.equal(await wearer.newPermissions(app), undefined)
      }
      const wearer = await Wearer.connect(t, cloud, 'glasses@example.com')
      wearer.glasses.send({ type: 'start_app', packageName: app.packageName })
      await waitFor('an acceptance', async () => {
        const user = await cloud.operator.users.findByEmail(wearer.email)
        const { catalogue } = cloud.cloud.features.catalogue
        const found = user && (await catalogue.findFor(user, app.packageName))
        return found?.permissions.length === 2
      })
    })

    test('PRM-23: another app that starts an app accepts nothing for the user', async (t) => {
      const app = await developApp(t, cloud, { permissions: [{ type: 'MICROPHONE' }] })
      const { apiKey } = await cloud.registerApp({ packageName: 'org.example.assistant' })
      const wearer = await Wearer.connect(t, cloud, 'dora@example.com')
      app.server.behavior = 'connect'
      app.server.apiKey = app.apiKey
      const query = new URLSearchParams({
        apiKey,
        packageName: 'org.example.assistant',
        userId: wearer.email,
      })
      const path = `/api/apps/${app.packageName}/start?${query}`
      assert.equal((await cloud.request('POST', path)).status, 200)
      const user = await cloud.operator.users.findByEmail(wearer.email)
      assert.ok(user)
      const { catalogue } = cloud.cloud.features.catalogue
      assert.deepEqual((await catalogue.findFor(user, app.packageName))?.permissions, [])
      assert.equal(await wearer.accept(app, ['MICROPHONE']), 200)
      assert.equal((await catalogue.findFor(user, app.packageName))?.permissions.length, 1)
    })

    test('PRM-24: what is declared again, or installed again, is accepted again', async (t) => {
      const declared = (...types: string[]) => ({ permissions: types.map((type) => ({ type })) })
      const app = await developApp(t, cloud, declared('MICROPHONE'))
      const edit = (...types: string[]) =>
        app.developer.call('PATCH', `/apps/${app.packageName}`, declared(...types))
      const wearer = await Wearer.connect(t, cloud, 'emil@example.com')
      await wearer.install(app)
      const started = await wearer.start(app)
      await started.subscribe(EN)
      await edit()
      await edit('MICROPHONE')
      await wearer.speak('Not yet')
      assert.deepEqual(await wearer.newPermissions(app), ['MICROPHONE'])
      assert.equal(await started.transcript(), 403)
      assert.equal(await wearer.accept(app, ['MICROPHONE']), 200)
      assert.deepEqual(await started.transcript(), [])
      await edit('MICROPHONE', 'CAMERA')
      const uninstall = `/api/apps/uninstall/${app.packageName}`
      assert.equal((await cloud.request('POST', uninstall, { token: wearer.token })).status, 200)
      await wearer.install(app)
      assert.equal(await wearer.newPermissions(app), undefined)
      assert.deepEqual(started.received(EN), [])
    })

    test('PRM-24: an unknown app, and one that the user may not see', async () => {
      const token = await cloud.token('fred@example.com')
      for (const name of ['app.none', '%00']) {
        const path = `/api/apps/${name}/permissions/accept`
        const response = await cloud.request('POST', path, { token, body: { permissions: ['CAMERA'] } })
        assert.equal(response.status, 404)
      }
    })
  })
})
