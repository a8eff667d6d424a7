import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { eitherDatabase } from '../../src/db/testing.ts'
import { startAppServer } from '../support/app-server.ts'
import { startNodes } from '../support/cluster.ts'
import { approveApp, type DevelopedApp, developApp, Wearer } from '../support/permission-rig.ts'
import { redisMissing } from '../support/redis.ts'
import { suiteScope } from '../support/scope.ts'
import { type LocalCloud, startCloud } from '../support/test-cloud.ts'
import { waitFor } from '../support/wait-for.ts'

const EN = 'transcription:en-US'
const MICROPHONE = { type: 'MICROPHONE' }

eitherDatabase((database) => {
  describe('reviews', () => {
    const scope = suiteScope()
    /** Three nodes on PostgreSQL. */
    let nodes: readonly [LocalCloud, LocalCloud, LocalCloud]

    before(async () => {
      const env = { APP_REVIEW: 'on' }
      if (database.name === 'PostgreSQL' && !redisMissing)
        nodes = await startNodes(scope, database, ['a', 'b', 'c'], { env })
      else {
        const cloud = await startCloud(scope, { database, env })
        nodes = [cloud, cloud, cloud]
      }
    })

    const edit = (app: DevelopedApp, changes: object) =>
      app.developer.call('PATCH', `/apps/${app.packageName}`, changes)

    const viewOf = async (app: DevelopedApp) =>
      (await app.developer.call('GET', `/apps/${app.packageName}`)).body.data

    test('PRM-22 PRM-24: a running app gets what was approved and accepted, on three nodes too', async (t) => {
      const [a, b, c] = nodes
      const app = await developApp(t, b)
      await approveApp(c, app)
      const wearer = await Wearer.connect(t, a, 'ada@example.com')
      await wearer.install(app)
      const started = await wearer.start(app)
      await started.subscribe(EN)

      assert.equal((await edit(app, { permissions: [MICROPHONE] })).body.data.appStoreStatus, 'SUBMITTED')
      await wearer.speak('Unreviewed')
      assert.equal(await wearer.newPermissions(app), undefined)
      assert.equal(await wearer.accept(app, ['MICROPHONE'], c), 400)
      await wearer.speak('Still unreviewed')
      assert.equal(await started.transcript(), 403)

      await approveApp(c, app)
      await wearer.speak('Not accepted')
      assert.deepEqual(await wearer.newPermissions(app), ['MICROPHONE'])
      assert.equal(await started.transcript(b), 403)

      assert.equal(await wearer.accept(app, ['MICROPHONE'], c), 200)
      await waitFor('the permission', async () => (await started.transcript(b)) !== 403)
      await wearer.speak('Accepted')
      await started.flush()
      assert.deepEqual(await started.transcript(b), ['Accepted'])
      assert.deepEqual(
        started.received(EN).map(({ text }) => text),
        ['Accepted'],
      )
    })

    test('PRM-22: owners have the app as declared, after they accepted it', async (t) => {
      const [cloud] = nodes
      const app = await developApp(t, cloud)
      await approveApp(cloud, app)
      const owner = await Wearer.connect(t, cloud, app.developer.email)
      await owner.install(app)
      const started = await owner.start(app)
      await edit(app, { permissions: [MICROPHONE] })
      assert.equal(await started.transcript(), 403)
      assert.deepEqual(await owner.newPermissions(app), ['MICROPHONE'])
      assert.equal(await owner.accept(app, ['MICROPHONE']), 200)
      assert.deepEqual(await started.transcript(), [])
    })

    test('PRM-22 DAPI-22: a changed address is in review, and users stay at the approved one', async (t) => {
      const [cloud] = nodes
      const tool = { id: 'note', description: 'Notes' }
      const app = await developApp(t, cloud, {
        permissions: [MICROPHONE],
        webviewURL: 'https://approved.example.org',
        tools: [tool],
      })
      await approveApp(cloud, app)
      const wearer = await Wearer.connect(t, cloud, 'bert@example.com')
      await wearer.install(app)
      const moved = await startAppServer(t, app.packageName)
      const changes = [
        { publicUrl: moved.url },
        { webviewURL: 'https://other.example.org' },
        { tools: [{ ...tool, description: 'Other notes' }] },
      ]
      for (const change of changes) {
        // Taking the app out of the store and editing it there has no other effect.
        await app.developer.call('POST', `/apps/${app.packageName}/unpublish`)
        assert.equal((await edit(app, change)).status, 200)
      }
      await app.developer.call('POST', `/apps/${app.packageName}/publish`)
      const started = await wearer.start(app)
      await started.flush()
      assert.deepEqual(moved.calls, [])
      const path = `/api/apps/${app.packageName}`
      const { body } = await cloud.request<{ data: { webviewURL: string } }>('GET', path, {
        token: wearer.token,
      })
      assert.equal(body.data.webviewURL, 'https://approved.example.org')
      const user = await cloud.operator.users.findByEmail(wearer.email)
      assert.ok(user)
      const tools = await cloud.cloud.features.catalogue.catalogue.findFor(user, app.packageName)
      assert.deepEqual(tools?.tools, [tool])

      await approveApp(cloud, app)
      await wearer.stop(app)
      await wearer.start(app, { ...moved, behavior: 'never-connect' }).catch(() => {})
      assert.equal((await moved.called('session_request')).userId, wearer.email)

      // A published app whose address changes is in review again.
      assert.equal((await edit(app, { publicUrl: app.server.url })).body.data.appStoreStatus, 'SUBMITTED')
    })

    test('PRM-22: users of an app of which nothing is approved cannot start it, nor sign in to it', async (t) => {
      const [cloud] = nodes
      const app = await developApp(t, cloud, {
        permissions: [MICROPHONE],
        webviewURL: 'https://unseen.example.org',
        tools: [{ id: 'note', description: 'Notes' }],
      })
      const wearer = await Wearer.connect(t, cloud, 'clara@example.com')
      const { token } = wearer
      const user = await cloud.operator.users.findByEmail(wearer.email)
      const { id } = (await cloud.operator.apps.findByPackage(app.packageName)) ?? {}
      assert.ok(user && id)
      // As an upgrade leaves it: installed before what the app declares was reviewed.
      await cloud.cloud.features.catalogue.installs.install(user.id, id, Date.now())

      const body = { packageName: app.packageName }
      const webToken = await cloud.request('POST', '/api/account/oauth/token', { token, body })
      assert.equal(webToken.status, 400)
      const start = await cloud.request<{ error?: { code?: string } }>(
        'POST',
        `/api/apps/${app.packageName}/start`,
        { token },
      )
      assert.equal(start.body.error?.code, 'NO_ADDRESS')
      const call = { token, body: { toolId: 'note' } }
      const tool = await cloud.request('POST', `/api/tools/apps/${app.packageName}/tool`, call)
      assert.equal(tool.status, 404)
      assert.deepEqual(app.server.calls, [])
      const { unreachableSince } = (await cloud.operator.apps.findByPackage(app.packageName)) ?? {}
      assert.equal(unreachableSince, null)

      const owner = await Wearer.connect(t, cloud, app.developer.email)
      await owner.install(app)
      await owner.start(app)
      await approveApp(cloud, app)
      await wearer.start(app)
    })

    test('DAPI-25: an app that is published without a review keeps what it declares', async (t) => {
      const first = await startCloud(t, { database, env: { APP_REVIEW: 'on' } })
      const app = await developApp(t, first, { permissions: [MICROPHONE], appStoreStatus: 'DEVELOPMENT' })
      const token = app.developer.token
      await first.stop()

      const open = await startCloud(t, { env: { ...first.env, APP_REVIEW: 'off' } })
      const path = `/api/console/apps/${app.packageName}/publish`
      assert.equal((await open.request('POST', path, { token })).status, 200)
      await open.stop()

      const last = await startCloud(t, { env: first.env })
      const found = await last.cloud.features.catalogue.catalogue.find(app.packageName, undefined)
      assert.deepEqual([found?.permissions, found?.publicUrl], [[MICROPHONE], app.server.url])
    })

    test('DAPI-23: what is being reviewed cannot be changed', async (t) => {
      const [cloud] = nodes
      const app = await developApp(t, cloud, { permissions: [MICROPHONE] })
      const before = await viewOf(app)
      for (const change of [
        { permissions: [] },
        { publicUrl: 'https://other.example.org' },
        { webviewURL: 'https://other.example.org' },
        { tools: [{ id: 'x', description: 'x' }] },
      ]) {
        const { status, body } = await edit(app, { ...change, name: 'Other' })
        assert.deepEqual([status, (body as { error?: string }).error], [409, 'APP_IN_REVIEW'])
      }
      const patched = await cloud.request('PATCH', `/api/permissions/${app.packageName}`, {
        token: app.developer.token,
        body: { permissions: [] },
      })
      assert.equal(patched.status, 409)
      const after = await viewOf(app)
      assert.deepEqual([after.revision, after.name], [before.revision, before.name])
      assert.equal((await edit(app, { description: 'Better', permissions: [MICROPHONE] })).status, 200)
      const withdrawn = await edit(app, { permissions: [], appStoreStatus: 'DEVELOPMENT' })
      assert.deepEqual([withdrawn.status, withdrawn.body.data.permissions], [200, []])
    })

    test('ADM-16 DAPI-24: a decision names the revision that was reviewed', async (t) => {
      const [cloud] = nodes
      const app = await developApp(t, cloud)
      const { revision } = await viewOf(app)
      const token = await cloud.token('reviewer@example.org')
      const decide = async (verb: string, body: object) =>
        (await cloud.request('POST', `/api/admin/apps/${app.packageName}/${verb}`, { token, body })).status
      await approveApp(cloud, await developApp(t, cloud))
      await edit(app, { appStoreStatus: 'DEVELOPMENT' })
      await edit(app, { permissions: [MICROPHONE], appStoreStatus: 'PUBLISHED' })
      assert.equal(await decide('approve', { revision }), 409)
      assert.equal(await decide('reject', { revision, notes: 'No' }), 409)
      assert.equal(await decide('approve', {}), 400)
      const current = (await viewOf(app)).revision
      assert.notEqual(current, revision)
      assert.equal(await decide('approve', { revision: current }), 200)
      const { approved, appStoreStatus } = await viewOf(app)
      assert.equal(appStoreStatus, 'PUBLISHED')
      assert.deepEqual(approved, { permissions: [MICROPHONE], publicUrl: app.server.url, tools: [] })
    })
  })
})
